//! The files of a whole class: marks and problems. Files of single students are in `feedback`.

use std::fs;

use crate::grade::Graded;
use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::grade::intake::IntakeIssue;
use crate::grade::marks::{dropped_marks, write_marks};
use crate::runs::{RunFileError, RunFileProblem, write_whole};

/// Writes marks and problems, and keeps the marks for comparisons. Adds a problem for each mark that dropped since the
/// grading before although the submission is the same, and returns these problems.
pub fn write_graded(
    grading: &Grading,
    folder: &GradeFolder,
    graded: &mut Graded,
) -> Result<Vec<IntakeIssue>, GradeError> {
    let history = folder.history();
    fs::create_dir_all(&history).map_err(RunFileError::at(&history, RunFileProblem::Make))?;
    let now = crate::runs::utc_millis(std::time::SystemTime::now());
    let kept = history.join(format!("{}.csv", now.replace(':', "-")));
    write_marks(&kept, grading, graded.marks())?;
    let dropped = dropped_marks(&folder.marks(), &kept);
    write_marks(&folder.marks(), grading, graded.marks())?;
    graded.problems.extend(dropped.iter().cloned());
    let lines = graded.problems.iter();
    let lines: String = lines.map(|problem| format!("{problem}\n")).collect();
    write_whole(&folder.problems(), &mut |file| {
        file.write_all(lines.as_bytes())
    })?;
    Ok(dropped)
}
