//! The standings of a class that everybody may see.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::folder::GradeFolder;
use super::graded::Graded;
use super::leaks::{Leak, leaks};
use super::marks::{Mark, Status};
use super::pseudonyms::{Pseudonyms, Secret};
use super::standings::{ClassTable, Published};
use super::tournament::Stand;
use super::{GradeError, Grading, Student};
use crate::record::{RecordError, RecordProblem, remove_folder, write_whole};

/// The file of the secret from which pseudonyms are made.
const SECRET: &str = "secret";

/// The fewest letters of a word of the roster that no pseudonym has: the shortest of theirs has as many.
const SHORTEST_WORD: usize = 3;

/// What the students and teams in the standings are called there, by key.
///
/// # Errors
/// There is no secret from which the names are made.
pub(super) fn pseudonyms<'a>(
    folder: &GradeFolder,
    graded: &'a Graded,
) -> Result<BTreeMap<&'a str, String>, GradeError> {
    let secret = Secret::read_or_draw(&folder.work().join(SECRET))?;
    // The whole class has a part in who has which name, also where one student is graded alone.
    let keys = graded.class.iter().map(|it| it.key.as_str());
    let avoided = words(graded.class.iter().flat_map(|it| &it.members));
    let mut names = Pseudonyms::new(&secret).of_class(keys, &avoided);
    let marks = graded.marks.iter();
    let played = marks.filter(|mark| mark.status == Status::Graded);
    let named = played.filter_map(|mark| names.remove_entry(mark.key.as_str()));
    Ok(named.collect())
}

/// Writes the standings under pseudonyms: shares of points and bands. Marks are nobody else's business. Nothing is
/// published in which the search finds an id, a name or an address of the roster.
///
/// # Errors
/// A file cannot be written, or something stands there that must not.
pub fn publish(grading: &Grading, folder: &GradeFolder, graded: &Graded) -> Result<(), GradeError> {
    let names = pseudonyms(folder, graded)?;
    let rows = graded.marks.iter().filter_map(|mark| {
        let pseudonym = names.get(mark.key.as_str())?;
        let stand = graded.stands.get(&mark.key);
        Some(published(grading, mark, pseudonym, stand))
    });
    let rows: Vec<Published> = rows.collect();
    let students = graded.marks.iter().flat_map(|mark| &mark.members);
    let secrets = students.flat_map(|student| [&student.id, &student.name, &student.email]);
    let secrets: Vec<String> = secrets.filter(|text| !text.is_empty()).cloned().collect();
    let new = folder.path().join("published.new");
    // What stands on a page about nobody tells of nobody: a student may be called as a word of it.
    write(&new, &ClassTable::new(&[]), "")?;
    let own_words = leaks(&new, &secrets)?.found;
    write(&new, &ClassTable::new(&rows), &grading.name)?;
    let is_own = |leak: &Leak| {
        let mut own = own_words.iter();
        own.any(|word| word.file == leak.file && word.secret == leak.secret)
    };
    let mut found = leaks(&new, &secrets)?.found.into_iter();
    if let Some(leak) = found.find(|leak| !is_own(leak)) {
        remove_folder(&new)?;
        return Err(GradeError::Leak {
            file: leak.file,
            secret: leak.secret,
        });
    }
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

/// The words of a roster, in small letters: what nobody's pseudonym may have in it. Signs and digits separate them, as
/// in `Lotus-Jones` and `finch@uni.example`.
fn words<'a>(students: impl Iterator<Item = &'a Student>) -> BTreeSet<String> {
    let texts = students.flat_map(|student| {
        let team = student.team.as_deref().unwrap_or_default();
        [student.id.as_str(), &student.name, &student.email, team]
    });
    let words = texts.flat_map(|text| text.split(|c: char| !c.is_alphabetic()));
    let words = words.filter(|word| word.chars().count() >= SHORTEST_WORD);
    words.map(str::to_lowercase).collect()
}

fn published(grading: &Grading, mark: &Mark, pseudonym: &str, stand: Option<&Stand>) -> Published {
    let tests = grading.tests.iter().zip(&mark.tests);
    Published {
        pseudonym: pseudonym.to_owned(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_roster_are_found_in_names_addresses_and_teams() {
        let student = |name: &str, email: &str, team: Option<&str>| Student {
            id: "s1-Elk2".to_owned(),
            key: String::new(),
            team: team.map(str::to_owned),
            name: name.to_owned(),
            email: email.to_owned(),
            submitted: None,
            extension_until: None,
            module: None,
            lms_id: None,
            line: 1,
        };
        let students = [
            student("Sycamore, Ada", "finch7@uni.example", None),
            student("Bao Lotus-Jones", "", Some("Les_Ostriches")),
            student("T. O\u{2019}Heron", "", None),
        ];
        let words = words(students.iter());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(
            words,
            [
                "ada",
                "bao",
                "elk",
                "example",
                "finch",
                "heron",
                "jones",
                "les",
                "lotus",
                "ostriches",
                "sycamore",
                "uni"
            ]
        );
    }
}
