//! `submission_metadata.yml` in Gradescope's export.
//!
//! Only submitters and times are read, from parser events: the rest of the file is output of students'
//! programs, of any depth and size.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;

use jiff::Timestamp;
use saphyr_parser::{Event, Parser};

use super::names::Names;
use crate::grade::intake::roster::Roster;
use crate::grade::intake::{IntakeError, IntakeIssue, listed};
use crate::text;

pub(super) const METADATA: &str = "submission_metadata.yml";

const MOST_BYTES: u64 = 64 << 20;

#[derive(Debug, Default)]
pub(super) struct Export {
    pub submissions: BTreeMap<String, Submission>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Submission {
    pub submitters: Vec<Submitter>,
    pub created_at: Option<Timestamp>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Submitter {
    pub name: String,
    pub sid: String,
    pub email: String,
}

impl Export {
    pub fn read(folder: &Path) -> Result<Self, IntakeError> {
        let path = folder.join(METADATA);
        let mut text = String::new();
        let read =
            File::open(&path).and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text));
        read.map_err(|error| IntakeError::unreadable(&path, error))?;
        let parsed = if text.len() as u64 > MOST_BYTES {
            Err(format!("more than {} MiB", MOST_BYTES >> 20))
        } else {
            Self::parse(&text)
        };
        parsed.map_err(|problem| {
            let (path, problem) = (path.display(), text::excerpt(&problem, 200));
            IntakeError(format!("{path}: {problem}: download the export again"))
        })
    }

    /// Makes students who handed in together one team, with a note, unless the roster or another submission contradicts.
    pub fn make_teams(&self, roster: &mut Roster) -> Vec<IntakeIssue> {
        let names = Names::of_students(roster);
        let groups = self.submissions.iter().map(|(name, submission)| {
            let found = submission
                .submitters
                .iter()
                .map(|it| names.of_submitter(it));
            let found: Vec<BTreeSet<usize>> = found.collect();
            let is_sure = found.iter().all(|students| students.len() < 2);
            let students: BTreeSet<usize> = found.into_iter().flatten().collect();
            (name, students, is_sure)
        });
        let groups: Vec<_> = groups.collect();
        let mut notes = Vec::new();
        for (name, group, is_sure) in &groups {
            let is_in_no_team = |it: &usize| roster.students[*it].team.is_none();
            let agrees = |other: &BTreeSet<usize>| other == group || other.is_disjoint(group);
            if group.len() < 2
                || !is_sure
                || !group.iter().all(is_in_no_team)
                || !groups.iter().all(|(_, other, _)| agrees(other))
            {
                continue;
            }
            let ids = group.iter().map(|it| roster.students[*it].id.as_str());
            let ids: Vec<&str> = ids.collect();
            let text = format!(
                "{} handed it in together, so they are one team",
                listed(ids.iter().copied())
            );
            notes.push(IntakeIssue::note(*name, text));
            let team = ids.join("+");
            for student in group {
                roster.students[*student].team = Some(team.clone());
            }
        }
        notes
    }

    /// The other submissions of these entrants, at the end of a sentence.
    pub fn others_of(&self, names: &Names, name: &str, entrants: &BTreeSet<usize>) -> String {
        let others = self.submissions.iter().filter(|(other, it)| {
            let of = names.of_submitters(&it.submitters).all();
            *other != name && !of.is_disjoint(entrants)
        });
        let others: Vec<&str> = others.map(|(other, _)| other.as_str()).collect();
        match others.is_empty() {
            true => String::new(),
            false => format!("; of them, too: {}", listed(others.into_iter())),
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader::default();
        for event in Parser::new_from_str(text) {
            let (event, _) = event.map_err(|error| error.to_string())?;
            reader.take(event);
        }
        Ok(reader.export)
    }
}

/// Level of nesting in the parser's position.
#[derive(Debug)]
enum Level {
    /// A mapping, at the value of this key, or before the next key.
    Mapping(Option<String>),
    Sequence,
}

#[derive(Debug, Default)]
struct Reader {
    inside: Vec<Level>,
    export: Export,
}

impl Reader {
    fn take(&mut self, event: Event) {
        match event {
            Event::MappingStart(..) => {
                if self.is_submitter() {
                    self.submission(|it| it.submitters.push(Submitter::default()));
                }
                self.enter(Level::Mapping(None));
            }
            Event::SequenceStart(..) => self.enter(Level::Sequence),
            Event::MappingEnd | Event::SequenceEnd => {
                self.inside.pop();
                self.value_ended();
            }
            Event::Scalar(value, ..) => self.scalar(value),
            // Aliases are not resolved; none of the values read here is written as one.
            Event::Alias(_) => self.scalar(Cow::Borrowed("")),
            _ => {}
        }
    }

    fn enter(&mut self, level: Level) {
        // A mapping or sequence as a key has no meaning here.
        if let Some(Level::Mapping(key @ None)) = self.inside.last_mut() {
            *key = Some(String::new());
        }
        if let [Level::Mapping(Some(name))] = self.inside.as_slice() {
            self.export.submissions.entry(name.clone()).or_default();
        }
        self.inside.push(level);
    }

    fn value_ended(&mut self) {
        if let Some(Level::Mapping(key)) = self.inside.last_mut() {
            *key = None;
        }
    }

    fn scalar(&mut self, value: Cow<str>) {
        if let Some(Level::Mapping(key @ None)) = self.inside.last_mut() {
            *key = Some(value.into_owned());
            return;
        }
        self.value(&value);
        self.value_ended();
    }

    fn value(&mut self, value: &str) {
        let key = |level: &Level| match level {
            Level::Mapping(Some(key)) => Some(key.trim_start_matches(':').to_owned()),
            _ => None,
        };
        match self.inside.as_slice() {
            [_, level] if key(level).as_deref() == Some("created_at") => {
                self.submission(|it| it.created_at = created_at(value));
            }
            [_, submitters, Level::Sequence, level]
                if key(submitters).as_deref() == Some("submitters") =>
            {
                let field = key(level);
                self.submission(|it| {
                    let Some(submitter) = it.submitters.last_mut() else {
                        return;
                    };
                    match field.as_deref() {
                        Some("name") => submitter.name = value.to_owned(),
                        Some("sid") => submitter.sid = value.to_owned(),
                        Some("email") => submitter.email = value.to_owned(),
                        _ => {}
                    }
                });
            }
            _ => {}
        }
    }

    fn is_submitter(&self) -> bool {
        let [_, Level::Mapping(Some(key)), Level::Sequence] = self.inside.as_slice() else {
            return false;
        };
        key.trim_start_matches(':') == "submitters"
    }

    fn submission(&mut self, change: impl FnOnce(&mut Submission)) {
        if let Some(Level::Mapping(Some(name))) = self.inside.first()
            && let Some(submission) = self.export.submissions.get_mut(name)
        {
            change(submission);
        }
    }
}

/// Parses `2026-05-20 13:59:02.123456789 Z`, or with an offset, or RFC 3339.
fn created_at(text: &str) -> Option<Timestamp> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [date, time, zone] => format!("{date}T{time}{zone}").parse().ok(),
        [date, time] => format!("{date}T{time}").parse().ok(),
        _ => text.trim().parse().ok(),
    }
}
