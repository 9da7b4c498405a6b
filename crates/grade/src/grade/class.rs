//! The class: candidates and their submissions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::intake::{Lateness, Layout, LooseFiles, by_folded, shown};
use super::{
    Entrant, GradeError, Grading, IntakeIssue, MatchedSubmission, Roster, Student, submissions,
};
use crate::config::Entry;
use crate::text;

#[derive(Debug, Clone, Default)]
pub struct Candidate {
    /// Name of its folders and its player.
    pub key: String,
    pub members: Vec<Student>,
    pub path: Option<PathBuf>,
    /// Other entries of its members in the folder of submissions.
    pub others: Vec<PathBuf>,
    /// Files of the submission that came one by one.
    pub loose: LooseFiles,
    pub submitted: Option<Timestamp>,
    pub days_late: u32,
    pub is_too_late: bool,
    pub undecided: Option<String>,
    /// Nothing is taken off where the time is not known.
    pub unknown_time: Option<UnknownTime>,
    /// Which of several submissions is graded, in words for the student.
    pub chosen: Option<String>,
    pub notes: Vec<String>,
}

/// Whether a submission without a time is late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownTime {
    Late,
    MayBeLate,
}

impl UnknownTime {
    /// The predicate of a sentence about the submission.
    pub fn words(self) -> &'static str {
        match self {
            Self::Late => "is late, nobody knows by how much: nothing is taken off yet",
            Self::MayBeLate => "has no time and may be late: nothing is taken off",
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Class {
    pub candidates: Vec<Candidate>,
    pub problems: Vec<IntakeIssue>,
}

impl Candidate {
    pub fn playable(&self) -> Option<&Path> {
        let is_played = !self.is_too_late && self.undecided.is_none();
        self.path.as_deref().filter(|_| is_played)
    }

    /// Names by which a person may refer to it: its key, the ids of its members, and their team.
    fn names(&self) -> impl Iterator<Item = &str> {
        let members = self.members.iter();
        let members = members.flat_map(|it| [Some(it.id.as_str()), it.team.as_deref()]);
        members.flatten().chain([self.key.as_str()])
    }
}

impl Class {
    pub fn read(grading: &Grading) -> Result<Self, GradeError> {
        let deadline = grading.deadline.as_ref();
        let zone = deadline.map_or(TimeZone::UTC, |it| it.zone.clone());
        let (mut roster, mut problems) = Roster::read(&grading.roster, &zone, &grading.columns)?;
        problems.extend(alike_in_any_case(&roster));
        problems.extend(readable_references(grading));
        let matched = submissions(&grading.submissions, grading.layout, &mut roster)?;
        let entrants = matched.entrants;
        problems.extend(matched.problems);
        let taken: BTreeSet<&str> = grading
            .references
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        let found = entrants.iter().zip(&matched.found);
        let two_times =
            found.filter_map(|(entrant, found)| two_times(entrant, found.as_ref()?, &zone));
        problems.extend(two_times);
        let candidates = entrants.iter().zip(matched.found).map(|(entrant, found)| {
            let members: Vec<Student> = entrant
                .members
                .iter()
                .map(|at| roster.students[*at].clone())
                .collect();
            // A reference bot may have the name of a student.
            let key = if taken.contains(entrant.key.as_str()) {
                format!("{}.student", entrant.key)
            } else {
                entrant.key.clone()
            };
            candidate(grading, entrant, key, members, found)
        });
        let candidates: Vec<Candidate> = candidates.collect();
        let is_late = candidates.iter().any(|it| it.days_late > 0);
        if is_late && deadline.is_some_and(|it| !it.is_of_a_place) {
            let text = "it has an offset and no `zone`, so days late are counted as if clocks were never changed: write \
                        `zone = \"Australia/Melbourne\"`, or yours, into [class]";
            problems.push(IntakeIssue::note("deadline", text));
        }
        Ok(Self {
            candidates,
            problems,
        })
    }

    /// The candidate with this key, student or team; a match in another case must be unique.
    pub fn find(&self, name: &str) -> Option<usize> {
        let of_key = self.candidates.iter().position(|it| it.key == name);
        let alone = |is_it: &dyn Fn(&str) -> bool| {
            let candidates = self.candidates.iter().enumerate();
            let mut named = candidates.filter(|(_, it)| it.names().any(is_it));
            let (at, _) = named.next()?;
            named.next().is_none().then_some(at)
        };
        let folded = text::folded(name);
        of_key
            .or_else(|| alone(&|it| it == name))
            .or_else(|| alone(&|it| text::folded(it) == folded))
    }
}

/// Problems for ids, or teams, that differ in case only: probably a mistake.
fn alike_in_any_case(roster: &Roster) -> Vec<IntakeIssue> {
    let ids = roster.students.iter().map(|it| it.id.as_str());
    let teams = roster.students.iter().filter_map(|it| it.team.as_deref());
    let kinds = [("ids", by_folded(ids)), ("teams", by_folded(teams))];
    let alike = kinds.into_iter().flat_map(|(kind, names)| {
        let alike = names.into_values().filter(|names| names.len() > 1);
        alike.map(move |names| {
            let names: Vec<String> = names.iter().map(|it| format!("`{}`", shown(it))).collect();
            let text = format!(
                "the {kind} {} differ in capital and small letters alone, and each is one of its own: write them alike \
                 if they are one, else rename them",
                names.join(", ")
            );
            IntakeIssue::new("roster", text)
        })
    });
    alike.collect()
}

/// A problem for each reference whose folder lies in `course-files`, which all bots can read.
fn readable_references(grading: &Grading) -> Vec<IntakeIssue> {
    let full = |path: &PathBuf| path.canonicalize().ok();
    let Some(course) = grading.course_files.as_ref().and_then(full) else {
        return Vec::new();
    };
    let is_below = |it: &&Entry| {
        let dir = it.launch.dir.as_ref().and_then(full);
        dir.is_some_and(|dir| dir.starts_with(&course))
    };
    let references = grading.references.iter().filter(is_below);
    let problems = references.map(|it| {
        let text = "its `dir` lies in `course-files`, so the bots of all students can read its program: put it into a \
                    folder of its own";
        IntakeIssue::new(format!("reference {}", it.name), text)
    });
    problems.collect()
}

fn two_times(entrant: &Entrant, found: &MatchedSubmission, zone: &TimeZone) -> Option<IntakeIssue> {
    let (roster, export) = (found.by_roster?, found.submitted?);
    // Times in rosters are accurate to the minute.
    let differ = roster.duration_since(export).abs() > SignedDuration::from_mins(1);
    differ.then(|| {
        let name = found.path.file_name().unwrap_or_default();
        let text = format!(
            "the roster has `submitted` {:.0}, and `{}` is of {:.0}: the roster counts; leave its cell empty to let the \
             other time count",
            roster.display_with_offset(zone.to_offset(roster)),
            shown(&name.to_string_lossy()),
            export.display_with_offset(zone.to_offset(export)),
        );
        IntakeIssue::note(entrant.key.as_str(), text)
    })
}

pub(super) fn candidate(
    grading: &Grading,
    entrant: &Entrant,
    key: String,
    members: Vec<Student>,
    found: Option<MatchedSubmission>,
) -> Candidate {
    // A member's time applies to the member's own submission; the entrant's latest is the fallback.
    let decided = found.as_ref().filter(|it| it.undecided.is_none());
    let own = decided.and_then(|it| it.by_roster.or(it.submitted));
    let submitted = own.or(entrant.submitted);
    let mut notes = Vec::new();
    let mut days_late = 0;
    let mut unknown_time = None;
    // Without `[late]`, Canvas' word alone says that it was late.
    let late = grading.late.as_ref();
    let asks = late.is_some_and(Lateness::has_cost) || grading.layout == Layout::Canvas;
    match (decided, submitted) {
        (Some(_), Some(submitted)) => {
            let days = late.map(|late| late.days_late(submitted, entrant.extension_until));
            days_late = days.unwrap_or_default();
        }
        (Some(found), None) if asks && found.is_late != Some(false) => {
            let unknown = match found.is_late {
                Some(_) => UnknownTime::Late,
                None => UnknownTime::MayBeLate,
            };
            let name = found.path.file_name().unwrap_or_default();
            let name = shown(&name.to_string_lossy());
            notes.push(format!("`{name}` {}", unknown.words()));
            unknown_time = Some(unknown);
        }
        _ => {}
    }
    let submitted = decided.and(submitted);
    let undecided = found.as_ref().and_then(|it| it.undecided.clone());
    let chosen = found.as_ref().and_then(|it| it.chosen.clone());
    let others = found.as_ref().map_or_else(Vec::new, |it| it.others.clone());
    let (path, loose) = found.map(|it| (it.path, it.loose)).unzip();
    Candidate {
        key,
        members,
        submitted,
        path,
        others,
        unknown_time,
        chosen,
        loose: loose.unwrap_or_default(),
        undecided,
        days_late,
        is_too_late: grading
            .late
            .as_ref()
            .is_some_and(|late| !late.is_marked(days_late)),
        notes,
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::Offset;

    use super::*;

    #[test]
    fn a_candidate_is_found_by_any_name_that_only_it_has() {
        let candidate = |key: &str, team: Option<&str>, ids: &[&str]| Candidate {
            key: key.to_owned(),
            members: ids.iter().map(|id| student(id, team)).collect(),
            ..Candidate::default()
        };
        let class = Class {
            candidates: vec![
                candidate("Team-Rocket-631dfbd4", Some("Team Rocket"), &["s1", "s2"]),
                candidate("s3", None, &["s3"]),
                candidate("S3-7f2b", None, &["S3"]),
                candidate("crows", Some("crows"), &["s4"]),
                candidate("owls", Some("owls"), &["Crows", "s5"]),
            ],
            problems: Vec::new(),
        };
        for (name, at) in [
            ("Team Rocket", Some(0)),
            ("team rocket", Some(0)),
            ("TEAM-ROCKET-631DFBD4", Some(0)),
            ("S2", Some(0)),
            ("s3", Some(1)),
            ("S3", Some(2)),
            ("crows", Some(3)),
            ("Crows", Some(4)),
            // The name of both a team and a student.
            ("CROWS", None),
            ("s6", None),
            ("", None),
        ] {
            assert_eq!(class.find(name), at, "{name}");
        }
    }

    fn student(id: &str, team: Option<&str>) -> Student {
        Student {
            id: id.to_owned(),
            team: team.map(str::to_owned),
            ..Student::default()
        }
    }

    #[test]
    fn a_time_of_the_roster_that_differs_from_that_of_the_export_is_told() {
        let said = |roster: Option<&str>, export: Option<&str>| {
            let time = |text: Option<&str>| text.map(|it| it.parse().expect("a time"));
            let entrant = Entrant {
                key: "g1".to_owned(),
                ..Entrant::default()
            };
            let found = MatchedSubmission {
                path: PathBuf::from("in/submission_2"),
                submitted: time(export),
                by_roster: time(roster),
                ..MatchedSubmission::default()
            };
            two_times(&entrant, &found, &Offset::constant(10).to_time_zone())
                .map(|it| (it.to_string(), it.is_note))
        };
        let roster = Some("2026-05-10T00:00:00Z");
        let text = "g1: the roster has `submitted` 2026-05-10T10:00:00+10:00, and `submission_2` is of \
                    2026-06-20T11:30:01+10:00: the roster counts; leave its cell empty to let the other time count";
        assert_eq!(
            said(roster, Some("2026-06-20T01:30:01.75Z")),
            Some((text.to_owned(), true))
        );
        assert_eq!(said(roster, Some("2026-05-10T00:00:59.9Z")), None);
        assert_eq!(said(roster, None), None);
        assert_eq!(said(None, Some("2026-06-20T01:30:00Z")), None);
        assert!(said(roster, Some("2026-05-09T23:58:00Z")).is_some());
    }
}
