//! The files of a whole class, marks and problems; and marks that dropped between two gradings of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::write_marks;
use crate::grade::Graded;
use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::grade::intake::IntakeIssue;
use crate::runs::{RunFileError, RunFileProblem, utc_millis, write_bytes};

/// Writes marks and problems, and keeps the marks for comparisons. Adds a problem for each mark that dropped since the
/// grading before although the submission is the same, and returns these problems.
pub fn write_graded(
    grading: &Grading,
    folder: &GradeFolder,
    graded: &mut Graded,
) -> Result<Vec<IntakeIssue>, GradeError> {
    let history = folder.history();
    fs::create_dir_all(&history).map_err(RunFileError::at(&history, RunFileProblem::Make))?;
    let now = utc_millis(std::time::SystemTime::now());
    let kept = history.join(format!("{}.csv", now.replace(':', "-")));
    write_marks(&kept, grading, graded.marks())?;
    let dropped = dropped_marks(&folder.marks(), &kept);
    write_marks(&folder.marks(), grading, graded.marks())?;
    graded.problems.extend(dropped.iter().cloned());
    let lines = graded.problems.iter();
    let lines: String = lines.map(|problem| format!("{problem}\n")).collect();
    write_bytes(&folder.problems(), lines)?;
    Ok(dropped)
}

/// Cells of a row of marks, by column.
type Row = BTreeMap<String, String>;

/// A note for each student of `after` whose total is less than in `before` although the submission is the same, with
/// the parts that dropped. Tables that cannot be read have no students.
fn dropped_marks(before: &Path, after: &Path) -> Vec<IntakeIssue> {
    let before = read(before).unwrap_or_default();
    let after = read(after).unwrap_or_default();
    let before: BTreeMap<&str, &Row> = before.iter().map(|row| (&*row["id"], row)).collect();
    let dropped = after.iter().filter_map(|is| {
        let was = before.get(&*is["id"])?;
        let same = is["digest"] == was["digest"] && !is["digest"].is_empty();
        let same = same && is.get("total").is_some_and(|total| !total.is_empty());
        let total = fell(was, is, "total").filter(|_| same)?;
        let parts = is.keys().filter(|name| name.ends_with("_marks"));
        let parts = parts.filter_map(|name| Some(format!("{name} {}", fell(was, is, name)?)));
        let parts: Vec<String> = parts.collect();
        let text = format!(
            "the total fell from {total}, and the submission is the same ({}): look before you give it out; `--only` with \
             `--again` plays the games once more",
            match parts.is_empty() {
                true => "no part fell".to_owned(),
                false => parts.join(", "),
            }
        );
        Some(IntakeIssue::note(is["id"].as_str(), text))
    });
    dropped.collect()
}

/// Both values of a column whose number fell, or is there no more.
fn fell(was: &Row, is: &Row, column: &str) -> Option<String> {
    let (was, is) = (was.get(column)?, is.get(column)?);
    let fell = is.parse().unwrap_or(0.0) < was.parse::<f64>().ok()?;
    let is = if is.is_empty() { "nothing" } else { is };
    fell.then(|| format!("{was} to {is}"))
}

fn read(path: &Path) -> Option<Vec<Row>> {
    let mut reader = csv::Reader::from_path(path).ok()?;
    let is_of_marks = |row: &Row| row.contains_key("id") && row.contains_key("digest");
    let rows = reader.deserialize::<Row>().flatten();
    Some(rows.filter(is_of_marks).collect())
}
