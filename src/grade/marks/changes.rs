//! Compares the marks of two gradings of a class.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::grade::folder::GradeFolder;
use crate::text::visible;

/// A student with changed marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedMark {
    /// Id of the student.
    pub id: String,
    /// Total before and after; empty if the student is missing.
    pub totals: [String; 2],
    /// Whether both gradings had equal files.
    pub same_submission: bool,
    /// Changed columns, each with both values.
    pub columns: Vec<(String, [String; 2])>,
}

/// Why two gradings cannot be compared.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ChangesError {
    /// A table cannot be read.
    #[error("{}: {problem}", path.display())]
    Table {
        path: PathBuf,
        #[source]
        problem: csv::Error,
    },
    /// A table has no ids.
    #[error("{}: has no column `id`: expected a marks.csv of `referee grade`", .0.display())]
    NoIds(PathBuf),
    /// There is no earlier grading.
    #[error("{}: there is no earlier grading to compare with", .0.display())]
    NoEarlier(PathBuf),
}

/// Columns that only follow from others, so their change is not reported.
const FOLLOW: [&str; 5] = ["low", "high", "change", "change_low", "change_high"];

/// Cells of a row of marks, by column.
type Row = BTreeMap<String, String>;

/// The last grading before the latest with different marks, from the history; if all are equal, the last one
/// before the latest. Repeated gradings, such as with `--fill`, write equal marks.
///
/// # Errors
/// There is no earlier grading.
pub fn earlier_marks(folder: &GradeFolder) -> Result<PathBuf, ChangesError> {
    let history = folder.history();
    let entries = std::fs::read_dir(&history).into_iter().flatten().flatten();
    let mut names: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    names.sort();
    let latest = names.pop().and_then(|latest| std::fs::read(latest).ok());
    let differs = |name: &&PathBuf| std::fs::read(name).ok() != latest;
    let other = names.iter().rev().find(differs).or(names.last());
    other.cloned().ok_or(ChangesError::NoEarlier(history))
}

/// Students with different marks in two tables, in the order of the second.
///
/// # Errors
/// A table cannot be read.
pub fn changed_marks(before: &Path, after: &Path) -> Result<Vec<ChangedMark>, ChangesError> {
    let mut before = read(before)?;
    let mut changed = Vec::new();
    let after = read(after)?;
    let order: Vec<String> = after.1.clone();
    let mut rows = after.0;
    for id in &order {
        let is = rows.remove(id).unwrap_or_default();
        let was = before.0.remove(id).unwrap_or_default();
        changed.extend(compare(id, &was, &is));
    }
    for id in &before.1 {
        if let Some(was) = before.0.remove(id) {
            changed.extend(compare(id, &was, &Row::new()));
        }
    }
    Ok(changed)
}

fn compare(id: &str, was: &Row, is: &Row) -> Option<ChangedMark> {
    let cell = |row: &Row, column: &str| row.get(column).cloned().unwrap_or_default();
    let names: std::collections::BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    let columns = names.into_iter().filter_map(|name| {
        let values = [cell(was, name), cell(is, name)];
        let follows = FOLLOW.iter().any(|ending| name.ends_with(ending));
        (values[0] != values[1] && !follows).then(|| (name.clone(), values))
    });
    let columns: Vec<_> = columns.collect();
    (!columns.is_empty()).then(|| ChangedMark {
        id: visible(id),
        totals: [cell(was, "total"), cell(is, "total")],
        same_submission: cell(was, "digest") == cell(is, "digest"),
        columns,
    })
}

/// Rows by id, and the ids in order.
pub fn read(path: &Path) -> Result<(BTreeMap<String, Row>, Vec<String>), ChangesError> {
    let bad = |problem| ChangesError::Table {
        path: path.to_owned(),
        problem,
    };
    let mut reader = csv::Reader::from_path(path).map_err(bad)?;
    let header = reader.headers().map_err(bad)?.clone();
    if !header.iter().any(|name| name == "id") {
        return Err(ChangesError::NoIds(path.to_owned()));
    }
    let (mut rows, mut order) = (BTreeMap::new(), Vec::new());
    for record in reader.records() {
        let record = record.map_err(bad)?;
        let cells = header.iter().zip(&record);
        let row: Row = cells
            .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
            .collect();
        let id = row.get("id").cloned().unwrap_or_default();
        order.push(id.clone());
        rows.insert(id, row);
    }
    Ok((rows, order))
}
