//! Publishes the standings of a class.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

pub mod standings;

use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::grade::games::TournamentRank;
use crate::grade::graded::Graded;
use crate::grade::marks::{Mark, Status};
use crate::grade::pseudonyms::{self, Pseudonym, Secret};
use crate::runs::{RunFileError, RunFileProblem, remove_folder, write_whole};
use standings::{ClassTable, Published};

/// File of the secret for pseudonyms.
const SECRET: &str = "secret";

/// Pseudonyms of the students and teams in the standings, by key.
///
/// # Errors
/// The secret cannot be read or drawn.
pub(super) fn pseudonyms<'a>(
    folder: &GradeFolder,
    graded: &'a Graded,
) -> Result<BTreeMap<&'a str, Pseudonym>, GradeError> {
    let secret = Secret::read_or_draw(&folder.work().join(SECRET))?;
    // Lengths of pseudonyms depend on the whole class, so include everybody even if one student is graded
    // alone.
    let keys = graded.class.iter().map(|it| it.key.as_str());
    let mut names = pseudonyms::pseudonyms(&secret, keys);
    let marks = graded.marks.iter();
    let played = marks.filter(|mark| mark.status == Status::Graded);
    let named = played.filter_map(|mark| names.remove_entry(mark.key.as_str()));
    Ok(named.collect())
}

/// Writes the standings under pseudonyms: shares of points and bands, but no marks. A [`Published`] has no
/// other field of a student.
///
/// # Errors
/// A file cannot be written.
pub fn publish(grading: &Grading, folder: &GradeFolder, graded: &Graded) -> Result<(), GradeError> {
    let mut names = pseudonyms(folder, graded)?;
    let rows = graded.marks.iter().filter_map(|mark| {
        let pseudonym = names.remove(mark.key.as_str())?;
        let rank = graded.ranks.get(&mark.key);
        Some(published(grading, mark, pseudonym, rank))
    });
    let rows: Vec<Published> = rows.collect();
    let new = folder.path().join("published.new");
    write(&new, &ClassTable::new(&rows), &grading.name)?;
    let published = folder.published();
    remove_folder(&published)?;
    fs::rename(&new, &published).map_err(RunFileError::at(&published, RunFileProblem::Write))?;
    Ok(())
}

/// Writes the table and its page into a new folder.
fn write(folder: &Path, table: &ClassTable, course: &str) -> Result<(), GradeError> {
    remove_folder(folder)?;
    fs::create_dir_all(folder).map_err(RunFileError::at(folder, RunFileProblem::Make))?;
    let page = table.article(course).page()?;
    for (name, text) in [
        ("standings.csv", table.csv()),
        ("index.html", page.into_bytes()),
    ] {
        write_whole(&folder.join(name), &mut |file| file.write_all(&text))?;
    }
    Ok(())
}

fn published(
    grading: &Grading,
    mark: &Mark,
    pseudonym: Pseudonym,
    rank: Option<&TournamentRank>,
) -> Published {
    let tests = grading.tests.iter().zip(&mark.tests);
    Published {
        pseudonym,
        tests: tests
            .map(|(test, own)| (test.name.clone(), Some(own.share)))
            .collect(),
        band: match rank.map(|rank| rank.band) {
            None => String::new(),
            Some([first, last]) if first == last => first.to_string(),
            Some([first, last]) => format!("{first}-{last}"),
        },
    }
}
