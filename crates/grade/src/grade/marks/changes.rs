//! The files of a whole class, marks and problems; and marks that dropped between two gradings of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::{Status, write_marks};
use crate::grade::Graded;
use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::grade::intake::IntakeIssue;
use crate::runs::{RunFileError, RunFileProblem, utc_millis, write_bytes};
use crate::text::excerpt;

const NOTE: usize = 200;

/// Writes marks and problems, and keeps the marks for comparisons. Adds a problem for each total that dropped since the
/// last grading with other marks, and returns these problems.
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
    let dropped = last_other(&history, &kept).map_or_else(Vec::new, |it| dropped_marks(&it, &kept));
    write_marks(&folder.marks(), grading, graded.marks())?;
    graded.problems.extend(dropped.iter().cloned());
    let lines = graded.problems.iter();
    let lines: String = lines.map(|problem| format!("{problem}\n")).collect();
    write_bytes(&folder.problems(), lines)?;
    Ok(dropped)
}

/// The newest marks that differ from `kept`: a repetition without changes, as with `--fill`, tells what the grading told.
fn last_other(history: &Path, kept: &Path) -> Option<PathBuf> {
    let now = fs::read(kept).ok()?;
    let files = fs::read_dir(history).ok()?.flatten();
    let mut files: Vec<PathBuf> = files.map(|file| file.path()).collect();
    files.sort_unstable();
    let is_other = |file: &PathBuf| fs::read(file).is_ok_and(|then| then != now);
    files.into_iter().rev().find(is_other)
}

type Row = BTreeMap<String, String>;

/// A note for each student of `after` whose total is less than in `before`, and for each with marks who is not there any
/// more. Tables that cannot be read have no students.
fn dropped_marks(before: &Path, after: &Path) -> Vec<IntakeIssue> {
    let before = read(before).unwrap_or_default();
    let after = read(after).unwrap_or_default();
    let there: BTreeSet<&str> = after.iter().map(|row| &*row["id"]).collect();
    let marked = before.iter().filter(|row| number(row, "total") > 0.0);
    let left = marked.filter(|row| !there.contains(&*row["id"]));
    let left = left.map(|row| {
        let text = format!(
            "is not in the roster any more; the grading before gave {} ({})",
            row["total"], row["status"]
        );
        IntakeIssue::note(row["id"].as_str(), text)
    });
    let before: BTreeMap<&str, &Row> = before.iter().map(|row| (&*row["id"], row)).collect();
    let dropped = after.iter().filter_map(|is| {
        let was = before.get(&*is["id"])?;
        let (total, status) = (
            fell(was, is, "total")?,
            [*was, is].map(|row| &row["status"]),
        );
        let text = format!(
            "the total fell from {} ({}) to {} ({}): {}",
            total[0],
            status[0],
            total[1],
            status[1],
            causes(was, is)
        );
        Some(IntakeIssue::note(is["id"].as_str(), text))
    });
    dropped.chain(left).collect()
}

/// Why a total fell: the status, the submission, the penalty, and the parts that fell.
fn causes(was: &Row, is: &Row) -> String {
    let differs = |column: &str| was.get(column) != is.get(column);
    let mut causes = Vec::new();
    if differs("status") && !is["note"].is_empty() {
        causes.push(excerpt(&is["note"], NOTE));
    }
    let is_same = !is["digest"].is_empty() && !differs("digest");
    match (is_same, &*is["digest"]) {
        (true, _) => causes.push("the submission is the same".to_owned()),
        (false, "") if was["digest"].is_empty() || is["status"] != Status::None.name() => {}
        (false, "") => causes.push("the submission that was there is gone".to_owned()),
        (false, _) => causes.push("the submission is another one".to_owned()),
    }
    if number(is, "penalty") > number(was, "penalty") {
        causes.push(format!(
            "penalty {} to {} (days_late {} to {})",
            was["penalty"], is["penalty"], was["days_late"], is["days_late"]
        ));
    }
    let mut is_of_games = false;
    for (part, then) in was.iter().filter(|(name, _)| name.ends_with("_marks")) {
        match is.get(part) {
            None => causes.push(format!("{part} {then}, and there is no such part any more")),
            // There is no game, and the status says why.
            Some(now) if now.is_empty() => {}
            Some(_) => {
                let Some([then, now]) = fell(was, is, part) else {
                    continue;
                };
                let mut other: Vec<&str> = games_of(part, [was, is]).into_iter().collect();
                other.retain(|column| differs(column));
                let has = |ending: &str| other.iter().any(|column| column.ends_with(ending));
                let (is_other_number, are_others) = (has("_games"), has("_digest"));
                is_of_games |= are_others && !is_other_number;
                let told = other.iter().filter(|column| !column.ends_with("_digest"));
                let told = told.map(|column| {
                    format!("{column} {} to {}", cell(was, column), cell(is, column))
                });
                let told: Vec<String> = told.collect();
                let why = match (is_other_number || are_others, told.is_empty()) {
                    (false, _) => "by the scheme, for the same games".to_owned(),
                    (true, true) => "by the scheme".to_owned(),
                    (true, false) => told.join(", "),
                };
                causes.push(format!("{part} {then} to {now} ({why})"));
            }
        }
    }
    if is_same && is_of_games {
        causes.push(
            "look before you give it out; `--only` with `--again` plays the games once more"
                .to_owned(),
        );
    } else if is_same && causes.len() == 1 {
        causes.push("no part fell, so the scheme rounds otherwise or has fewer marks".to_owned());
    }
    causes.join("; ")
}

/// The columns that tell of the games of a part: a test's own, or for reliability all forfeits and games.
fn games_of<'a>(part: &str, rows: [&'a Row; 2]) -> BTreeSet<&'a str> {
    let of_test = part.strip_suffix("_marks").unwrap_or(part);
    let is_of_all = part == "reliability_marks";
    let columns = rows.into_iter().flat_map(|row| row.keys());
    let is_of_part = |name: &&str| match name.rsplit_once('_') {
        Some((of, "games" | "digest")) => is_of_all || of == of_test,
        Some((of, "share")) => of == of_test,
        _ => is_of_all && name.starts_with("forfeits_"),
    };
    columns.map(String::as_str).filter(is_of_part).collect()
}

fn fell(was: &Row, is: &Row, column: &str) -> Option<[String; 2]> {
    let then = was.get(column)?;
    let fell = number(is, column) < then.parse::<f64>().ok()?;
    fell.then(|| [then.clone(), cell(is, column).to_owned()])
}

fn cell<'a>(row: &'a Row, column: &str) -> &'a str {
    match row.get(column).map(String::as_str) {
        None | Some("") => "nothing",
        Some(cell) => cell,
    }
}

fn number(row: &Row, column: &str) -> f64 {
    let cell = row.get(column).and_then(|cell| cell.parse().ok());
    cell.unwrap_or(0.0)
}

fn read(path: &Path) -> Option<Vec<Row>> {
    let mut reader = csv::Reader::from_path(path).ok()?;
    let columns = [
        "id",
        "status",
        "digest",
        "days_late",
        "penalty",
        "total",
        "note",
    ];
    let is_of_marks = |row: &Row| columns.iter().all(|column| row.contains_key(*column));
    let rows = reader.deserialize::<Row>().flatten();
    Some(rows.filter(is_of_marks).collect())
}
