//! The standings of a class that everybody may see.

use std::collections::BTreeMap;
use std::fs;

use super::folder::GradeFolder;
use super::graded::Graded;
use super::leaks::leaks;
use super::marks::{Mark, Status};
use super::pseudonyms::{Pseudonyms, Secret};
use super::standings::{ClassTable, Published};
use super::tournament::Stand;
use super::{GradeError, Grading};
use crate::record::{RecordError, RecordProblem, remove_folder, write_whole};

/// The file of the secret from which pseudonyms are made.
const SECRET: &str = "secret";

/// Writes the standings under pseudonyms: shares of points and bands. Marks are nobody else's business. Nothing is
/// published in which the search finds an id, a name or an address of the roster.
///
/// # Errors
/// A file cannot be written, or something stands there that must not.
pub fn publish(grading: &Grading, folder: &GradeFolder, graded: &Graded) -> Result<(), GradeError> {
    let secret = Secret::read_or_draw(&folder.work().join(SECRET))?;
    let keys = graded.marks.iter().map(|mark| mark.key.as_str());
    let names = Pseudonyms::new(&secret).of_class(keys);
    let played = graded
        .marks
        .iter()
        .filter(|mark| mark.status == Status::Graded);
    let rows: Vec<Published> = played
        .map(|mark| published(grading, mark, &names, graded.stands.get(&mark.key)))
        .collect();
    let new = folder.path().join("published.new");
    remove_folder(&new)?;
    fs::create_dir_all(&new).map_err(RecordError::at(&new, RecordProblem::Make))?;
    let table = ClassTable::new(&rows);
    let page = table.article(&grading.name).page()?;
    for (name, text) in [
        ("standings.csv", table.csv()),
        ("index.html", page.into_bytes()),
    ] {
        write_whole(&new.join(name), &mut |file| file.write_all(&text))?;
    }
    let students = graded.marks.iter().flat_map(|mark| &mark.members);
    let secrets = students.flat_map(|student| [&student.id, &student.name, &student.email]);
    let secrets: Vec<String> = secrets.filter(|text| !text.is_empty()).cloned().collect();
    let leaks = leaks(&new, &secrets)?;
    if let Some(leak) = leaks.found.first() {
        return Err(GradeError::Leak {
            file: leak.file.clone(),
            secret: leak.secret.clone(),
        });
    }
    let published = folder.published();
    remove_folder(&published)?;
    fs::rename(&new, &published).map_err(RecordError::at(&published, RecordProblem::Write))?;
    Ok(())
}

fn published(
    grading: &Grading,
    mark: &Mark,
    names: &BTreeMap<&str, String>,
    stand: Option<&Stand>,
) -> Published {
    let tests = grading.tests.iter().zip(&mark.tests);
    Published {
        pseudonym: names.get(mark.key.as_str()).cloned().unwrap_or_default(),
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
