//! The class: who is graded, and what they handed in.

use std::collections::BTreeSet;
use std::path::PathBuf;

use jiff::Timestamp;

use super::{Entrant, Found, GradeError, Grading, Problem, Roster, Student, submissions};

/// A student or a team, with what they handed in.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// What its folders, and its player, are called.
    pub key: String,
    /// Who belongs to it.
    pub members: Vec<Student>,
    /// Where the submission lies; `None` if there is none.
    pub path: Option<PathBuf>,
    /// When it was handed in, if anybody knows.
    pub submitted: Option<Timestamp>,
    /// How many days it was late.
    pub days_late: u32,
    /// Whether it was so late that it is not marked.
    pub is_too_late: bool,
    /// What a person should know about it.
    pub notes: Vec<String>,
}

/// A class as it stands in its roster and in the folder of submissions.
#[derive(Debug, Clone, Default)]
pub struct Class {
    /// In the order of the roster.
    pub candidates: Vec<Candidate>,
    /// What is wrong with either, a line each.
    pub problems: Vec<Problem>,
}

impl Class {
    /// Reads the roster of a grading, and finds the submissions.
    ///
    /// # Errors
    /// The roster is of no use.
    pub fn read(grading: &Grading) -> Result<Self, GradeError> {
        let offset = grading
            .deadline
            .map(|(_, offset)| offset)
            .unwrap_or(jiff::tz::Offset::UTC);
        let (roster, mut problems) = Roster::read(&grading.roster, offset)?;
        let entrants = roster.entrants();
        let matched = submissions(&grading.submissions, grading.layout, &roster, &entrants)?;
        problems.extend(matched.problems);
        let taken: BTreeSet<&str> = grading
            .references
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        let candidates = entrants.iter().zip(matched.found).map(|(entrant, found)| {
            let members: Vec<Student> = entrant
                .members
                .iter()
                .map(|at| roster.students[*at].clone())
                .collect();
            // A reference may be called like a student.
            let key = match taken.contains(entrant.key.as_str()) {
                true => format!("{}.student", entrant.key),
                false => entrant.key.clone(),
            };
            candidate(grading, entrant, key, members, found)
        });
        Ok(Self {
            candidates: candidates.collect(),
            problems,
        })
    }

    /// The candidate to whom a student with this id, or this key, belongs.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.candidates.iter().position(|candidate| {
            candidate.key == id || candidate.members.iter().any(|student| student.id == id)
        })
    }
}

/// An entrant with what was found of it.
pub(super) fn candidate(
    grading: &Grading,
    entrant: &Entrant,
    key: String,
    members: Vec<Student>,
    found: Option<Found>,
) -> Candidate {
    let submitted = entrant
        .submitted
        .or(found.as_ref().and_then(|found| found.submitted));
    let mut notes = Vec::new();
    let mut days_late = 0;
    if let (Some(late), Some(found)) = (&grading.late, &found) {
        match submitted {
            Some(submitted) => days_late = late.days_late(submitted, entrant.extension_until),
            None => notes.push(format!(
                "nobody knows when `{}` was handed in, so it counts as in time",
                found.path.file_name().unwrap_or_default().to_string_lossy()
            )),
        }
    }
    Candidate {
        key,
        members,
        submitted: found.as_ref().and(submitted),
        path: found.map(|found| found.path),
        days_late,
        is_too_late: grading
            .late
            .as_ref()
            .is_some_and(|late| !late.is_marked(days_late)),
        notes,
    }
}
