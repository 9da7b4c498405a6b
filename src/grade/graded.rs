//! The request of a grading, and its result.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::bots::{Cause, Fitness};
use super::folder::GradeFolder;
use super::games::Stand;
use super::integrity::{alike, write_alike};
use super::marks::{Mark, write_marks};
use super::{Candidate, GradeError, Grading, Problem};
use crate::record::{RecordError, RecordProblem, write_whole};
use crate::runner::{HostOptions, Interrupt};

/// What is asked of a grading.
#[derive(Debug, Clone)]
pub struct Asked {
    /// How games are played on this machine.
    pub host: HostOptions,
    /// Only this student or team is graded; the marks of the others stay as they are.
    pub only: Option<String>,
    /// Only games are played, those of a part of the class: its number from 0, and how many parts there are.
    pub shard: Option<(usize, usize)>,
    /// As many games are played as there is time for until then, instead of those of the configuration.
    pub until: Option<Instant>,
    /// Breaks off the checks of bots, where they may take less time than the games.
    pub checks: Option<Arc<Interrupt>>,
}

/// A class that was graded.
#[derive(Debug)]
pub struct Graded {
    /// What everybody gets, in the order of the roster.
    pub marks: Vec<Mark>,
    /// Where students stand in the class tournament, by key.
    pub stands: BTreeMap<String, Stand>,
    /// What the check of each bot found, by key.
    pub fitness: BTreeMap<String, Fitness>,
    /// Why there is no bot, by key.
    pub broken: BTreeMap<String, String>,
    /// Why bots fail, in their checks or before, by key, in the order of the roster.
    pub causes: Vec<(String, Cause)>,
    /// The folders of the runs of each student, in the order of the tests, by key.
    pub runs: BTreeMap<String, Vec<PathBuf>>,
    /// What was wrong with roster and submissions.
    pub problems: Vec<Problem>,
    /// Everybody in the class, also who was not graded now.
    pub class: Vec<Candidate>,
}

/// Writes the marks, what was wrong and whose bots act alike, and keeps the marks for later comparisons.
///
/// # Errors
/// A file cannot be written.
pub fn write_graded(
    grading: &Grading,
    folder: &GradeFolder,
    graded: &Graded,
) -> Result<(), GradeError> {
    write_marks(&folder.marks(), grading, &graded.marks)?;
    let history = folder.history();
    fs::create_dir_all(&history).map_err(RecordError::at(&history, RecordProblem::Make))?;
    let now = crate::record::utc_millis(std::time::SystemTime::now());
    let kept = history.join(format!("{}.csv", now.replace(':', "-")));
    write_marks(&kept, grading, &graded.marks)?;
    let lines = graded.problems.iter();
    let lines: String = lines.map(|problem| format!("{problem}\n")).collect();
    write_whole(&folder.problems(), &mut |file| {
        file.write_all(lines.as_bytes())
    })?;
    write_alike(folder, &alike(graded)?)
}
