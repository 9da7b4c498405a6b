//! Appeals: a student's games are played once more, and both results are shown.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::games::unused_games;
use super::grader::{GradeRequest, Grader};
use super::{Class, GradeError, Mark, Round, Step};
use crate::game::Games;
use crate::runs::{GameRow, Run, first_difference};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferentGame {
    pub test: usize,
    pub id: u64,
    pub ends: [String; 2],
    /// First ply that differs, from 1, and the player who moved; `None` if all plies agree.
    pub first_ply: Option<(usize, String)>,
}

#[derive(Debug)]
pub struct Appeal {
    pub marks: [Mark; 2],
    pub folder: PathBuf,
    pub compared: u64,
    pub different: Vec<DifferentGame>,
}

impl GradeRequest<'_> {
    /// Plays a student's games again, with the same seeds, and marks both. The first games stay as they are, and so do the marks of the class.
    pub fn appeal(self, student: &str) -> Result<Appeal, GradeError> {
        let folder = self.folder;
        let grader = Grader::begin(self, Class::read(self.grading)?)?;
        let chosen = grader.chosen(Some(student))?;
        let ready = grader.make_ready(&chosen)?;
        let candidate = &grader.class.candidates[chosen[0]];
        let no_bot =
            |why: &str| GradeError::Usage(format!("{student} has no bot to play once more: {why}"));
        let prepared = ready.get(&chosen[0]);
        let prepared = prepared.ok_or_else(|| no_bot("nothing was handed in that is marked"))?;
        let bot = prepared.playable().map_err(|broken| no_bot(&broken.why))?;
        let key = &candidate.key;
        let place = folder.again(key, next_number(&folder.all_again(key)));
        let [first, again] = [&folder.runs(key), &place];
        let player = |runs| grader.player(chosen[0], prepared, bot, runs);
        let mut both = [player(first)?, player(again)?];
        // The first games are played, too, if something has changed since.
        let unused = unused_games(self.grading, folder, &both[..1]);
        unused
            .iter()
            .for_each(|it| (self.listen)(Step::Problem(it)));
        let rounds = grader.rounds();
        rounds.play_all(&mut both[..1])?;
        let wanted = both[0].wanted.clone();
        let runs = both[0].runs.iter().zip(&wanted);
        both[1].wanted = runs.map(|(run, games)| run.games().max(*games)).collect();
        let again = Round {
            number: 1,
            students: 1,
        };
        rounds.play_round(again, &mut both, &[1])?;
        // All games are compared, but only those are marked that a grading would mark.
        both[1].wanted = wanted;
        rounds.read(&mut both)?;
        rounds.end(&both)?;
        let (mut compared, mut different) = (0, Vec::new());
        for (test, (first, second)) in both[0].runs.iter().zip(&both[1].runs).enumerate() {
            let games = self.grading.known_games;
            compared += compare(test, &first.path, &second.path, games, &mut different)?;
        }
        Ok(Appeal {
            marks: [rounds.mark(&both[0]), rounds.mark(&both[1])],
            folder: place,
            compared,
            different,
        })
    }
}

fn compare(
    test: usize,
    first: &Path,
    second: &Path,
    games: Games,
    different: &mut Vec<DifferentGame>,
) -> Result<u64, GradeError> {
    let runs = [Run::open(first, games)?, Run::open(second, games)?];
    let mut rows: BTreeMap<u64, GameRow> = BTreeMap::new();
    for row in runs[0].rows()? {
        let row = row?;
        rows.insert(row.id, row);
    }
    let mut compared = 0;
    for again in runs[1].rows()? {
        let again = again?;
        let Some(row) = rows.remove(&again.id) else {
            continue;
        };
        compared += 1;
        let is_same = row.actions_digest == again.actions_digest
            && row.end.result == again.end.result
            && row.end.termination == again.end.termination;
        if is_same {
            continue;
        }
        let ends = [&row, &again].map(|row| {
            format!(
                "{}, {}",
                row.game.result_name(row.end.result),
                row.end.why(row.game)
            )
        });
        different.push(DifferentGame {
            test,
            id: row.id,
            ends,
            first_ply: first_ply(&runs, row, again)?,
        });
    }
    Ok(compared)
}

fn first_ply(
    runs: &[Run; 2],
    first: GameRow,
    second: GameRow,
) -> Result<Option<(usize, String)>, GradeError> {
    let players = first.players.clone();
    let [one, other] = [runs[0].recording_of(first)?, runs[1].recording_of(second)?];
    let first = first_difference(&one.plies, &other.plies);
    Ok(first.map(|(at, seat)| (at + 1, players[seat].clone())))
}

fn next_number(folder: &Path) -> u32 {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let numbers = names.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.max().map_or(1, |last| last + 1)
}
