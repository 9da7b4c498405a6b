//! Reads marks given by hand.

use std::collections::{BTreeMap, BTreeSet};

use csv::StringRecord;

use crate::grade::class::{Candidate, Class};
use crate::grade::config::{ByHand, Grading};
use crate::grade::intake::{DELIMITERS, IntakeIssue, in_any_case, read_text};
use crate::text::{counted, excerpt, visible};

/// Maximum characters shown of an id or a mark.
const LONGEST: usize = 80;

/// Marks of each part marked by hand, by the student's id.
pub type GivenMarks = Vec<BTreeMap<String, f64>>;

/// Reads the mark files of a class. A bad row, or a bad file, is a problem, and grading goes on.
pub fn given_marks(grading: &Grading, class: &Class) -> (GivenMarks, Vec<IntakeIssue>) {
    let mut problems = Vec::new();
    let mut missing = Vec::new();
    let given = grading
        .by_hand
        .iter()
        .map(|part| match read(part, &mut problems) {
            Ok(mut marks) => {
                take_in_any_case(&mut marks, class);
                missing.extend(without(part, &marks, class));
                marks
            }
            Err(text) => {
                let of = part.file.display().to_string();
                problems.push(IntakeIssue::new(of, text));
                BTreeMap::new()
            }
        });
    let given: GivenMarks = given.collect();
    problems.extend(unequal_teams(grading, class, &given));
    problems.extend(strangers(grading, class, &given));
    problems.extend(missing);
    (given, problems)
}

/// Assigns marks with ids in another case to the ids of the roster.
fn take_in_any_case(marks: &mut BTreeMap<String, f64>, class: &Class) {
    let members = class.candidates.iter().flat_map(|it| &it.members);
    let ids = members.map(|student| student.id.as_str());
    let meant = in_any_case(ids, marks.keys().map(String::as_str)).into_iter();
    let meant: Vec<(String, &str)> = meant.map(|(there, id)| (there.to_owned(), id)).collect();
    for (there, id) in meant {
        if let Some(mark) = marks.remove(&there) {
            marks.insert(id.to_owned(), mark);
        }
    }
}

/// Problems for ids that are not in the roster, one per part.
fn strangers(grading: &Grading, class: &Class, given: &GivenMarks) -> Vec<IntakeIssue> {
    let members = class.candidates.iter().flat_map(|it| &it.members);
    let known: BTreeSet<&str> = members.map(|student| student.id.as_str()).collect();
    let parts = grading.by_hand.iter().zip(given);
    let unknown = parts.filter_map(|(part, marks)| {
        let ids = marks.keys().filter(|id| !known.contains(id.as_str()));
        let ids: Vec<String> = ids.map(|id| visible(id)).collect();
        (!ids.is_empty()).then(|| {
            let text = format!(
                "has {} for {} without a student in the roster: {}",
                counted(ids.len() as u64, "mark", "marks"),
                part.name,
                excerpt(&ids.join(", "), 200)
            );
            IntakeIssue::new(part.file.display().to_string(), text)
        })
    });
    unknown.collect()
}

/// Problem for candidates who await marks and have none in a part: perhaps they are not marked yet.
fn without(part: &ByHand, marks: &BTreeMap<String, f64>, class: &Class) -> Option<IntakeIssue> {
    let candidates = class.candidates.iter();
    let without = candidates.filter(|it| awaits_marks(it) && given_to(marks, it).is_none());
    let names: Vec<String> = without.map(|it| visible(name(it))).collect();
    (!names.is_empty()).then(|| {
        let text = format!(
            "has no mark for {} for {} who handed in: {}",
            part.name,
            counted(names.len() as u64, "student or team", "students or teams"),
            excerpt(&names.join(", "), 200)
        );
        IntakeIssue::note(part.file.display().to_string(), text)
    })
}

/// Name of a student or a team, as known to the lecturer.
fn name(candidate: &Candidate) -> &str {
    let member = candidate.members.first();
    member.map_or(&candidate.key, |it| it.team.as_deref().unwrap_or(&it.id))
}

/// Mark of a candidate in a part: the first of its members' marks.
pub fn given_to(marks: &BTreeMap<String, f64>, candidate: &Candidate) -> Option<f64> {
    let mut members = candidate.members.iter();
    members.find_map(|student| marks.get(&student.id).copied())
}

fn awaits_marks(candidate: &Candidate) -> bool {
    candidate.path.is_some() && !candidate.is_too_late
}

/// Problems for teams with different marks of members in a part.
fn unequal_teams(grading: &Grading, class: &Class, given: &GivenMarks) -> Vec<IntakeIssue> {
    let teams = class.candidates.iter();
    let unequal = teams.flat_map(|team| {
        let told = unequal(grading, team, given).into_iter();
        told.map(|text| {
            let todo = "give them one, or add this part outside of the grading";
            IntakeIssue::new(team.key.as_str(), format!("{text}; {todo}"))
        })
    });
    unequal.collect()
}

/// Parts where a team's members have different marks, although a team has one mark, as text.
pub fn unequal(grading: &Grading, team: &Candidate, given: &GivenMarks) -> Vec<String> {
    let parts = grading.by_hand.iter().zip(given);
    let unequal = parts.filter_map(|(part, marks)| {
        let known = team.members.iter().filter_map(|student| marks.get(&student.id));
        let known: Vec<f64> = known.copied().collect();
        let differ = known.iter().any(|mark| *mark != known[0]);
        differ.then(|| {
            format!(
                "its members have different marks for {}, and a team has one mark: its total has the first one, {}",
                part.name, known[0]
            )
        })
    });
    unequal.collect()
}

/// Marks of a part, or the reason why there are none.
fn read(part: &ByHand, problems: &mut Vec<IntakeIssue>) -> Result<BTreeMap<String, f64>, String> {
    let text = read_text(&part.file).map_err(|error| error.to_string())?;
    let columns = MarkColumns::find(&text, part)?;
    let of = part.file.display();
    if text.matches('"').count() % 2 == 1 {
        let what = "a quote is not closed, so lines after it may be missing: add the other `\"`, or double one that is \
                    meant";
        problems.push(IntakeIssue::new(of.to_string(), what));
    }
    let mut marks = BTreeMap::new();
    for row in reader(&text, columns.delimiter).records() {
        let row = row.map_err(|error| format!("is no CSV file: {error}"))?;
        let line = row.position().map_or(1, csv::Position::line);
        let flaw = match columns.mark_of(&row, part) {
            Ok(None) => continue,
            Ok(Some((id, mark))) => match marks.insert(id.to_owned(), mark) {
                None => continue,
                Some(_) => format!(
                    "`{}` has a mark for {} in another line: the last one counts",
                    excerpt(id, LONGEST),
                    part.name
                ),
            },
            Err(flaw) => format!("{flaw}; the line is left out for {}", part.name),
        };
        problems.push(IntakeIssue::new(format!("{of}:{line}"), flaw));
    }
    Ok(marks)
}

/// CSV reader. Comments may have line breaks in quotes.
fn reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes())
}

struct MarkColumns {
    delimiter: u8,
    count: usize,
    key: usize,
    mark: usize,
}

impl MarkColumns {
    /// Finds the delimiter with which the file has both columns, in any case.
    fn find(text: &str, part: &ByHand) -> Result<Self, String> {
        let mut lacks = &part.key;
        for delimiter in DELIMITERS {
            let mut reader = reader(text, delimiter);
            let headers = reader.headers();
            let headers = headers.map_err(|error| format!("is no CSV file: {error}"))?;
            let place = |name: &str| {
                let name = name.trim().to_lowercase();
                headers
                    .iter()
                    .position(|it| it.trim().to_lowercase() == name)
            };
            match (place(&part.key), place(&part.column)) {
                (Some(key), Some(mark)) => {
                    return Ok(Self {
                        delimiter,
                        count: headers.len(),
                        key,
                        mark,
                    });
                }
                (Some(_), None) => lacks = &part.column,
                (None, _) => {}
            }
        }
        Err(format!(
            "has no column `{lacks}`, so no marks are taken from it: name one with `key` or `column`"
        ))
    }

    /// Id and mark of a row, if it has a mark.
    fn mark_of<'r>(
        &self,
        row: &'r StringRecord,
        part: &ByHand,
    ) -> Result<Option<(&'r str, f64)>, String> {
        if row.iter().skip(self.count).any(|it| !it.trim().is_empty()) {
            return Err(format!(
                "{} fields, and the header has {}: put quotes around a field with a delimiter in it",
                row.len(),
                self.count
            ));
        }
        let field = |at| row.get(at).unwrap_or_default().trim();
        let (id, text) = (field(self.key), field(self.mark));
        if text.is_empty() {
            return Ok(None);
        }
        if id.is_empty() {
            return Err(format!("no `{}`: give the line one", part.key));
        }
        // With another delimiter than a comma, spreadsheets of many locales use a decimal comma.
        let number = match self.delimiter {
            b',' => text.to_owned(),
            _ => text.replacen(',', ".", 1),
        };
        let mark = number.parse::<f64>().ok();
        let mark = mark.filter(|mark| (0.0..=part.marks).contains(mark));
        let mark = mark.ok_or_else(|| {
            format!(
                "`{}` is no mark: expected a number from 0 to {}",
                excerpt(text, LONGEST),
                part.marks
            )
        })?;
        Ok(Some((id, mark)))
    }
}

#[cfg(test)]
mod tests;
