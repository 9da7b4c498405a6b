//! The files of a whole class: marks, problems, and pairs of bots that act alike.
//!
//! It is handed a class that was graded. Files of single students are in `feedback`.

mod integrity;

use std::fs;

use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::grade::graded::Graded;
use crate::grade::marks::write_marks;
use crate::runs::{RunFileError, RunFileProblem, write_whole};
use integrity::write_alike;
pub use integrity::{Alike, alike};

/// Writes marks, problems and pairs of similar bots, and keeps the marks for comparisons. Returns the pairs.
///
/// # Errors
/// A file cannot be written.
pub fn write_graded(
    grading: &Grading,
    folder: &GradeFolder,
    graded: &Graded,
) -> Result<Vec<Alike>, GradeError> {
    write_marks(&folder.marks(), grading, &graded.marks)?;
    let history = folder.history();
    fs::create_dir_all(&history).map_err(RunFileError::at(&history, RunFileProblem::Make))?;
    let now = crate::runs::utc_millis(std::time::SystemTime::now());
    let kept = history.join(format!("{}.csv", now.replace(':', "-")));
    write_marks(&kept, grading, &graded.marks)?;
    let lines = graded.problems.iter();
    let lines: String = lines.map(|problem| format!("{problem}\n")).collect();
    write_whole(&folder.problems(), &mut |file| {
        file.write_all(lines.as_bytes())
    })?;
    let pairs = alike(graded, grading.known_games)?;
    write_alike(folder, &pairs)?;
    Ok(pairs)
}
