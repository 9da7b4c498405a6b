//! Learning platforms: marks for a sheet that they exported, and one submission alone in an autograder's container.
//!
//! It is handed a sheet or a submission, and gives the filled sheet or a class of one. The pages and files for a student
//! are in `feedback`.

pub mod sheet;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use jiff::Timestamp;
use serde_json::Value;

use crate::clock::Measure;
use crate::grade::bots::Fitness;
use crate::grade::class::{Class, candidate};
use crate::grade::config::Grading;
use crate::grade::intake::{Entrant, Lateness, MatchedSubmission, Student};
use crate::grade::marks::Mark;
use crate::text::counted;

const KEY: &str = "submission";

/// File name of Gradescope's metadata beside a submission, and its maximum bytes. It includes all earlier
/// submissions.
const METADATA: &str = "submission_metadata.json";
const MOST_METADATA: u64 = 16 << 20;

#[derive(Debug)]
pub struct Alone {
    pub class: Class,
    pub notes: Vec<String>,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Metadata {
    created_at: Option<Timestamp>,
    /// Due time, with the submitters' extensions.
    due: Option<Timestamp>,
    members: Vec<Student>,
}

impl Grading {
    /// Switches all clocks to processor time. Returns whether any changed.
    fn measure_processor_time(&mut self) -> bool {
        let tests = self.tests.iter_mut().map(|test| &mut test.time);
        let references = self.references.iter_mut();
        let own = references.filter_map(|entry| entry.terms.time.as_mut());
        let mut changed = false;
        for time in tests.chain(own).chain([&mut self.time]) {
            changed |= time.measure != Measure::Cpu;
            time.measure = Measure::Cpu;
        }
        changed
    }
}

impl Alone {
    /// The submission in a folder, with Gradescope's metadata. Adapts the grading to the container.
    pub fn new(grading: &mut Grading, folder: &Path) -> Self {
        let mut notes = Vec::new();
        if grading.measure_processor_time() {
            notes.push(
                "Here only processor time counts, since other programs run on the same processor."
                    .to_owned(),
            );
        }
        let metadata = metadata(folder).map_or_else(Metadata::default, |it| Metadata::of(&it));
        let submitted = metadata.created_at;
        if grading.late.as_ref().is_some_and(Lateness::has_cost) && submitted.is_none() {
            notes.push(
                "It is not known here when this was handed in, so nothing is taken off for that."
                    .to_owned(),
            );
        }
        let entrant = Entrant {
            submitted,
            extension_until: metadata.due,
            ..Entrant::default()
        };
        let found = MatchedSubmission {
            path: folder.to_owned(),
            submitted,
            ..MatchedSubmission::default()
        };
        Self {
            class: Class {
                candidates: vec![candidate(
                    grading,
                    &entrant,
                    KEY.to_owned(),
                    metadata.members,
                    Some(found),
                )],
                problems: Vec::new(),
            },
            notes,
        }
    }
}

/// Note on a shortfall of games against the configuration; it names the program's silence if that was the
/// cause.
pub fn shortfall(grading: &Grading, mark: &Mark, fitness: Option<&Fitness>) -> Option<String> {
    let planned = grading.games();
    let played: u64 = mark.tests.iter().map(|test| test.games).sum();
    if mark.tests.is_empty() || played >= planned {
        return None;
    }
    let games = counted(played, "game", "games");
    Some(match fitness.is_some_and(|found| found.was_silent) {
        true if played == 0 => format!(
            "Your program had not answered the handshake, its first message, within that time, so {games} of {planned} \
             were played."
        ),
        _ => format!(
            "There was time for {games} of {planned}, so the interval of the mark is wider than it could be."
        ),
    })
}

impl Metadata {
    /// Reads each field by itself: a malformed one counts as missing.
    fn of(value: &Value) -> Self {
        let time = |value: &Value, place: &str| value.pointer(place)?.as_str()?.parse().ok();
        let users = value.get("users").and_then(Value::as_array);
        let users = || users.into_iter().flatten().filter(|user| user.is_object());
        let due = users().chain([value]);
        Self {
            created_at: time(value, "/created_at"),
            due: due.filter_map(|it| time(it, "/assignment/due_date")).max(),
            members: users()
                .map(|user| {
                    let text = |field: &str| user[field].as_str().unwrap_or_default().to_owned();
                    Student {
                        id: text("email"),
                        key: KEY.to_owned(),
                        name: text("name"),
                        email: text("email"),
                        ..Student::default()
                    }
                })
                .collect(),
        }
    }
}

fn metadata(folder: &Path) -> Option<Value> {
    let mut text = String::new();
    let folder = folder.canonicalize().ok()?;
    let file = File::open(folder.parent()?.join(METADATA)).ok()?;
    file.take(MOST_METADATA).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_another_shape_takes_no_other_with_it() {
        let time = |text: &str| Some(text.parse::<Timestamp>().expect("a time"));
        let (handed_in, due) = ("2026-05-12T00:00:00+10:00", "2026-05-11T00:00:00+10:00");
        let ann = r#"{"name": "Ann", "email": 7, "assignment": null}"#;
        let cases = [
            (String::new(), None, 0),
            (r#", "assignment": null, "users": []"#.to_owned(), None, 0),
            (
                format!(r#", "assignment": 3, "users": [null, {ann}, 5]"#),
                None,
                1,
            ),
            (
                format!(r#", "assignment": {{"due_date": "{due}"}}, "users": {ann}"#),
                time(due),
                0,
            ),
            (
                format!(
                    r#", "assignment": {{"due_date": 1}}, "users": [{{"assignment": {{"due_date": "{due}"}}}}, {ann}]"#
                ),
                time(due),
                2,
            ),
        ];
        for (rest, expected_due, users) in cases {
            let text = format!(r#"{{"created_at": "{handed_in}"{rest}}}"#);
            let metadata = Metadata::of(&serde_json::from_str(&text).expect("JSON"));
            assert_eq!(metadata.created_at, time(handed_in), "{text}");
            assert_eq!(metadata.due, expected_due, "{text}");
            assert_eq!(metadata.members.len(), users, "{text}");
        }
        let other = serde_json::from_str(r#"[{"created_at": 4}]"#).expect("JSON");
        assert_eq!(Metadata::of(&other), Metadata::default());
    }

    #[test]
    fn without_a_seed_every_submission_has_that_of_the_configuration() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("class.toml");
        let seed = |more: &str| {
            let text = format!(
                "{more}[class]\nroster = \"r.csv\"\nsubmissions = \"in\"\n[submission]\ncommand = [\"./bot\"]\n\
                 [game]\nname = \"cachex\"\nsize = 4\n[[test]]\nagainst = [\"random\"]\nmarks = 8\n"
            );
            std::fs::write(&path, text).expect("written");
            Grading::load_alone(&path, crate::game::BUILT_IN)
                .expect("a grading")
                .seed
        };
        let first = seed("");
        assert!(first.is_some_and(|it| it > 0 && it < 1 << 63), "{first:?}");
        assert_eq!(seed(""), first);
        assert_ne!(seed("name = \"other\"\n"), first);
        assert_eq!(seed("seed = 7\n"), Some(7));
    }
}
