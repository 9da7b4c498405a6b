//! Marks that were given by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;

use csv::StringRecord;

use super::config::ByHand;
use super::{Class, Grading, Problem};
use crate::text::{counted, excerpt, visible};

/// The marks of each part that is marked by hand, by the student's id.
pub type GivenMarks = Vec<BTreeMap<String, f64>>;

/// Reads all files of marks for a class. What is wrong with a row, or a whole file, is a problem, and the class is
/// graded all the same.
pub fn given_marks(grading: &Grading, class: &Class) -> (GivenMarks, Vec<Problem>) {
    let mut problems = Vec::new();
    let given = grading.by_hand.iter().map(|part| {
        read(part, &mut problems).unwrap_or_else(|text| {
            let of = part.file.display().to_string();
            problems.push(Problem::new(of, text));
            BTreeMap::new()
        })
    });
    let given = given.collect();
    problems.extend(unequal_teams(grading, class, &given));
    problems.extend(strangers(grading, class, &given));
    (given, problems)
}

/// Marks of ids that are not in the roster, a line for each part.
fn strangers(grading: &Grading, class: &Class, given: &GivenMarks) -> Vec<Problem> {
    let members = class.candidates.iter().flat_map(|it| &it.members);
    let known: BTreeSet<&str> = members.map(|student| student.id.as_str()).collect();
    let parts = grading.by_hand.iter().zip(given);
    let unknown = parts.filter_map(|(part, marks)| {
        let ids = marks.keys().filter(|id| !known.contains(id.as_str()));
        let ids: Vec<String> = ids.map(|id| visible(id)).collect();
        (!ids.is_empty()).then(|| {
            let text = format!(
                "has marks of {} who are not in the roster: {}",
                counted(ids.len() as u64, "student", "students"),
                excerpt(&ids.join(", "), 200)
            );
            Problem::new(part.file.display().to_string(), text)
        })
    });
    unknown.collect()
}

/// Teams whose members have different marks in a part: they have one mark together.
fn unequal_teams(grading: &Grading, class: &Class, given: &GivenMarks) -> Vec<Problem> {
    let teams = class.candidates.iter().filter(|it| it.members.len() > 1);
    let parts = || grading.by_hand.iter().zip(given);
    let unequal = teams.flat_map(|team| {
        parts().filter_map(move |(part, marks)| {
            let known = team.members.iter().filter_map(|student| marks.get(&student.id));
            let known: Vec<f64> = known.copied().collect();
            let differ = known.iter().any(|mark| *mark != known[0]);
            differ.then(|| {
                let text = format!(
                    "its members have different marks for {}, and a team has one mark: {} counts; give them one, or \
                     add this part outside of the grading",
                    part.name, known[0]
                );
                Problem::new(team.key.as_str(), text)
            })
        })
    });
    unequal.collect()
}

/// The marks of a part, or why there are none.
fn read(part: &ByHand, problems: &mut Vec<Problem>) -> Result<BTreeMap<String, f64>, String> {
    let file = File::open(&part.file).map_err(|error| format!("cannot be read: {error}"))?;
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file);
    let headers = reader
        .headers()
        .map_err(|error| format!("is no CSV file: {error}"))?;
    let place = |name: &str| {
        let mut headers = headers
            .iter()
            .map(|header| header.trim_start_matches('\u{feff}'));
        headers.position(|header| header == name).ok_or_else(|| {
            format!("has no column `{name}`, so no marks are taken from it: name one with `key` or `column`")
        })
    };
    let (key, column) = (place(&part.key)?, place(&part.column)?);
    let mut marks = BTreeMap::new();
    for (at, row) in reader.records().enumerate() {
        let taken = row
            .map_err(|error| format!("is no row: {error}"))
            .and_then(|row| take(part, &row, key, column, &mut marks));
        if let Err(text) = taken {
            let of = format!("{}:{}", part.file.display(), at + 2);
            problems.push(Problem::new(of, text));
        }
    }
    Ok(marks)
}

/// Takes the mark of a row, which may have none.
fn take(
    part: &ByHand,
    row: &StringRecord,
    key: usize,
    column: usize,
    marks: &mut BTreeMap<String, f64>,
) -> Result<(), String> {
    let id = row.get(key).unwrap_or_default();
    let text = row.get(column).unwrap_or_default().trim();
    if text.is_empty() {
        return Ok(());
    }
    let mark = text
        .parse::<f64>()
        .ok()
        .filter(|mark| (0.0..=part.marks).contains(mark));
    let mark = mark.ok_or_else(|| {
        format!(
            "`{}` is no mark: expected a number from 0 to {}; {} has none for {}",
            visible(text),
            part.marks,
            visible(id),
            part.name
        )
    })?;
    match marks.insert(id.to_owned(), mark) {
        None => Ok(()),
        Some(_) => Err(format!(
            "`{}` is there twice: the last row counts",
            visible(id)
        )),
    }
}
