//! One submission alone, as an autograder's container has it: there is no roster, and only processor time says the
//! same on each machine.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use jiff::Timestamp;
use serde::Deserialize;

use super::class::candidate;
use super::{Class, Entrant, Found, Grading, Mark, Student};
use crate::clock::Measure;
use crate::text::counted;

/// What the submission and its player are called.
const KEY: &str = "submission";

/// What Gradescope says of a submission, in a file beside it, and how large that may be: it has all that was
/// handed in before.
const METADATA: &str = "submission_metadata.json";
const MOST_METADATA: u64 = 16 << 20;

/// A submission that is graded alone.
#[derive(Debug)]
pub struct Alone {
    /// The class that it is.
    pub class: Class,
    /// What is not as the configuration has it, in sentences for the student.
    pub notes: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Metadata {
    created_at: Option<String>,
    #[serde(default)]
    assignment: Assignment,
    #[serde(default)]
    users: Vec<User>,
}

#[derive(Debug, Default, Deserialize)]
struct Assignment {
    due_date: Option<String>,
}

#[derive(Debug, Deserialize)]
struct User {
    name: Option<String>,
    email: Option<String>,
    #[serde(default)]
    assignment: Assignment,
}

impl Grading {
    /// Lets only processor time count. Gives whether another time did.
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
    /// The submission in a folder, with what Gradescope says of it. The grading becomes what it can be here.
    pub fn new(grading: &mut Grading, folder: &Path) -> Self {
        let mut notes = Vec::new();
        if grading.measure_processor_time() {
            notes.push(
                "Here only processor time counts, since other programs run on the same processor."
                    .to_owned(),
            );
        }
        let metadata = metadata(folder);
        let submitted = metadata
            .as_ref()
            .and_then(|it| it.created_at.as_deref()?.parse::<Timestamp>().ok());
        if grading.late.is_some() && submitted.is_none() {
            notes.push(
                "It is not known here when this was handed in, so nothing is taken off for that."
                    .to_owned(),
            );
        }
        let entrant = Entrant {
            key: KEY.to_owned(),
            team: None,
            members: Vec::new(),
            submitted,
            extension_until: metadata.as_ref().and_then(Metadata::due),
        };
        let found = Found {
            path: folder.to_owned(),
            submitted,
            by_roster: None,
            others: Vec::new(),
        };
        let users = metadata.into_iter().flat_map(|metadata| metadata.users);
        let members = users.map(|user| Student {
            id: user.email.clone().unwrap_or_default(),
            key: KEY.to_owned(),
            team: None,
            name: user.name.unwrap_or_default(),
            email: user.email.unwrap_or_default(),
            submitted,
            extension_until: None,
            line: 0,
        });
        let members = members.collect();
        Self {
            class: Class {
                candidates: vec![candidate(
                    grading,
                    &entrant,
                    KEY.to_owned(),
                    members,
                    Some(found),
                )],
                problems: Vec::new(),
            },
            notes,
        }
    }
}

/// Says that fewer games were played than the configuration has.
pub fn shortfall(grading: &Grading, mark: &Mark) -> Option<String> {
    let [planned, _] = grading.games();
    let played: u64 = mark.tests.iter().map(|test| test.games).sum();
    (!mark.tests.is_empty() && played < planned).then(|| {
        format!(
            "There was time for {} of {planned}, so the interval of the mark is wider than it could be.",
            counted(played, "game", "games")
        )
    })
}

impl Metadata {
    /// When the submission was due, with the extensions of those who handed it in.
    fn due(&self) -> Option<Timestamp> {
        let users = self.users.iter().map(|user| &user.assignment);
        let dates = users.chain([&self.assignment]);
        let dates = dates.filter_map(|it| it.due_date.as_deref()?.parse().ok());
        dates.max()
    }
}

/// What lies beside a submission. A file that is none of Gradescope's tells nothing.
fn metadata(folder: &Path) -> Option<Metadata> {
    let mut text = String::new();
    let folder = folder.canonicalize().ok()?;
    let file = File::open(folder.parent()?.join(METADATA)).ok()?;
    file.take(MOST_METADATA).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}
