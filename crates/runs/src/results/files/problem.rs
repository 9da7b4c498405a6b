//! Problems with results.

use std::io;
use std::path::Path;

use crate::runs::FileError;
use crate::text::excerpt;

pub type ResultsError = FileError<ResultsProblem>;

#[derive(Debug, thiserror::Error)]
pub enum ResultsProblem {
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    #[error("is empty")]
    Empty,
    #[error("line {line}: {problem}")]
    Line { line: u64, problem: String },
}

/// Upper bounds on the columns named in a message, and on the characters of each name.
const NAMED: usize = 20;
const LONGEST_NAME: usize = 40;

pub(super) fn header_names<T: AsRef<str>>(columns: &[T]) -> String {
    let names = columns.iter().take(NAMED);
    let names: Vec<String> = names
        .map(|name| excerpt(name.as_ref().trim(), LONGEST_NAME))
        .collect();
    let names = names.join("`, `");
    match columns.len().saturating_sub(NAMED) {
        0 => format!("`{names}`"),
        more => format!("`{names}` and {more} more"),
    }
}

/// Callback for a bad row: its line, and why it holds no result.
pub(super) type Refuse<'a> = dyn FnMut(u64, String) -> Result<(), ResultsError> + 'a;

pub(super) fn bad_line(path: &Path, line: u64, problem: String) -> ResultsError {
    ResultsError::new(path, ResultsProblem::Line { line, problem })
}
