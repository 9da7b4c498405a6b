//! The standings of a class that everybody may see.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

pub mod pseudonyms;
pub mod standings;

use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::grade::games::Stand;
use crate::grade::graded::Graded;
use crate::grade::marks::{Mark, Status};
use crate::record::{RecordError, RecordProblem, remove_folder, write_whole};
use pseudonyms::Secret;
pub use pseudonyms::{Pseudonym, SecretError};
use standings::{ClassTable, Published};

/// The file of the secret from which pseudonyms are made.
const SECRET: &str = "secret";

/// What the students and teams in the standings are called there, by key.
///
/// # Errors
/// There is no secret from which the names are made.
pub(super) fn pseudonyms<'a>(
    folder: &GradeFolder,
    graded: &'a Graded,
) -> Result<BTreeMap<&'a str, Pseudonym>, GradeError> {
    let secret = Secret::read_or_draw(&folder.work().join(SECRET))?;
    // The whole class has a part in who has which name, also where one student is graded alone.
    let keys = graded.class.iter().map(|it| it.key.as_str());
    let mut names = pseudonyms::pseudonyms(&secret, keys);
    let marks = graded.marks.iter();
    let played = marks.filter(|mark| mark.status == Status::Graded);
    let named = played.filter_map(|mark| names.remove_entry(mark.key.as_str()));
    Ok(named.collect())
}

/// Writes the standings under pseudonyms: shares of points and bands. Marks are nobody else's business. A
/// [`Published`] has no other field of a student.
///
/// # Errors
/// A file cannot be written.
pub fn publish(grading: &Grading, folder: &GradeFolder, graded: &Graded) -> Result<(), GradeError> {
    let mut names = pseudonyms(folder, graded)?;
    let rows = graded.marks.iter().filter_map(|mark| {
        let pseudonym = names.remove(mark.key.as_str())?;
        let stand = graded.stands.get(&mark.key);
        Some(published(grading, mark, pseudonym, stand))
    });
    let rows: Vec<Published> = rows.collect();
    let new = folder.path().join("published.new");
    write(&new, &ClassTable::new(&rows), &grading.name)?;
    let published = folder.published();
    remove_folder(&published)?;
    fs::rename(&new, &published).map_err(RecordError::at(&published, RecordProblem::Write))?;
    Ok(())
}

/// Writes what is published into a folder of its own.
fn write(folder: &Path, table: &ClassTable, course: &str) -> Result<(), GradeError> {
    remove_folder(folder)?;
    fs::create_dir_all(folder).map_err(RecordError::at(folder, RecordProblem::Make))?;
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
    stand: Option<&Stand>,
) -> Published {
    let tests = grading.tests.iter().zip(&mark.tests);
    Published {
        pseudonym,
        tests: tests
            .map(|(test, own)| (test.name.clone(), Some(own.share)))
            .collect(),
        band: match stand.map(|stand| stand.band) {
            None => String::new(),
            Some([first, last]) if first == last => first.to_string(),
            Some([first, last]) => format!("{first}-{last}"),
        },
    }
}
