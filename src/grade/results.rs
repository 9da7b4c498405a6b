//! The files of a whole class: marks, problems, and pairs of bots that act alike.
//!
//! It is handed a class that was graded. Files of single students are in `feedback`.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::game::Games;
use crate::grade::Graded;
use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::grade::marks::{Status, write_marks};
use crate::runs::{Run, RunFileError, RunFileProblem, write_whole};

/// Writes marks, problems and pairs of similar bots, and keeps the marks for comparisons. Returns the pairs.
///
/// # Errors
/// A file cannot be written.
pub fn write_graded(
    grading: &Grading,
    folder: &GradeFolder,
    graded: &Graded,
) -> Result<Vec<Alike>, GradeError> {
    write_marks(&folder.marks(), grading, &graded.marks)?;
    let history = folder.history();
    fs::create_dir_all(&history).map_err(RunFileError::at(&history, RunFileProblem::Make))?;
    let now = crate::runs::utc_millis(std::time::SystemTime::now());
    let kept = history.join(format!("{}.csv", now.replace(':', "-")));
    write_marks(&kept, grading, &graded.marks)?;
    let lines = graded.problems.iter();
    let lines: String = lines.map(|problem| format!("{problem}\n")).collect();
    write_whole(&folder.problems(), &mut |file| {
        file.write_all(lines.as_bytes())
    })?;
    let pairs = alike(graded, grading.known_games)?;
    write_alike(folder, &pairs)?;
    Ok(pairs)
}

/// Minimum number of common games of a pair.
const FEWEST_GAMES: u64 = 10;

/// Maximum number of pairs listed.
const MOST_LISTED: usize = 1000;

/// Two students whose bots played all common games alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Alike {
    /// Keys of the students.
    pub keys: [String; 2],
    /// Number of common games: equal start, opponent and seat.
    pub games: u64,
    /// Number of common games with equal actions.
    pub alike: u64,
    /// Share of equal games among all common games of the other pairs.
    pub others_mean: f64,
    /// Largest share of equal games of any unlisted pair.
    pub others_most: f64,
    /// Whether both submissions have equal files.
    pub same_files: bool,
}

/// A start shared by all students, with opponent and seat: index of the test, and number of the game.
type Start = (usize, u64);

/// Finds pairs of students whose bots played all common games alike.
///
/// # Errors
/// A run cannot be read.
pub fn alike(graded: &Graded, known_games: Games) -> Result<Vec<Alike>, GradeError> {
    let played = graded
        .marks
        .iter()
        .filter(|mark| mark.status == Status::Graded);
    let mut games: Vec<(&str, &str, HashMap<Start, u64>)> = Vec::new();
    for mark in played {
        let mut own = HashMap::new();
        let runs = graded.runs.get(&mark.key).into_iter().flatten();
        for (test, (path, counted)) in runs.zip(&mark.tests).enumerate() {
            if !path.exists() {
                continue;
            }
            for row in Run::open(path, known_games)?.rows()? {
                let row = row?;
                // A forfeit ends a game early: equal short games are no likeness.
                if row.id < counted.end && !row.is_forfeited() {
                    own.insert((test, row.id), hash(&row.actions_digest));
                }
            }
        }
        games.push((&mark.key, &mark.digest, own));
    }
    let mut pairs = Vec::new();
    for (at, (key, digest, own)) in games.iter().enumerate() {
        for (other_key, other_digest, other) in &games[at + 1..] {
            let both = own
                .iter()
                .filter_map(|(start, game)| Some((game, other.get(start)?)));
            let [mut count, mut equal] = [0_u64; 2];
            for (game, again) in both {
                count += 1;
                equal += u64::from(game == again);
            }
            if count >= FEWEST_GAMES {
                pairs.push(Alike {
                    keys: [(*key).to_owned(), (*other_key).to_owned()],
                    games: count,
                    alike: equal,
                    others_mean: 0.0,
                    others_most: 0.0,
                    same_files: digest == other_digest,
                });
            }
        }
    }
    let (listed, others): (Vec<Alike>, Vec<Alike>) =
        pairs.into_iter().partition(|pair| pair.alike == pair.games);
    let sum = |of: fn(&Alike) -> u64| others.iter().map(of).sum::<u64>() as f64;
    let mean = sum(|pair| pair.alike) / sum(|pair| pair.games).max(1.0);
    let shares = others
        .iter()
        .map(|pair| pair.alike as f64 / pair.games as f64);
    let most = shares.fold(0.0, f64::max);
    Ok(listed
        .into_iter()
        .take(MOST_LISTED)
        .map(|pair| Alike {
            others_mean: mean,
            others_most: most,
            ..pair
        })
        .collect())
}

/// Writes the pairs to `integrity.csv` in the folder of a grading.
///
/// # Errors
/// The file cannot be written.
pub fn write_alike(folder: &GradeFolder, pairs: &[Alike]) -> Result<(), GradeError> {
    let path = folder.integrity();
    Ok(write_whole(&path, &mut |file| {
        let mut csv = csv::Writer::from_writer(file);
        csv.write_record([
            "first",
            "second",
            "games",
            "alike",
            "others_mean",
            "others_most",
            "same_files",
        ])?;
        for pair in pairs {
            csv.write_record([
                pair.keys[0].clone(),
                pair.keys[1].clone(),
                pair.games.to_string(),
                pair.alike.to_string(),
                format!("{:.3}", pair.others_mean),
                format!("{:.3}", pair.others_most),
                if pair.same_files { "yes" } else { "no" }.to_owned(),
            ])?;
        }
        csv.flush()
    })?)
}

/// A hash that is stable within this process only.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
