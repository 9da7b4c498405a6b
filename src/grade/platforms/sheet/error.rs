//! Errors in sheets.

use crate::grade::intake::Unreadable;

/// Words accepted as a mark: the states of a submission.
pub const WORDS: [&str; 5] = ["graded", "none", "late", "broken", "held"];

/// Maximum number of column names in a message, and characters of each.
pub(super) const MOST_NAMES: usize = 60;
pub(super) const LONGEST_NAME: usize = 80;

/// Why a sheet is not filled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum SheetError {
    /// It is not UTF-8.
    #[error("line {line}: this is not UTF-8 text; save the sheet as `CSV UTF-8`")]
    NotText { line: u64 },
    /// It is UTF-16 in big-endian order, or broken.
    #[error("the sheet is broken UTF-16 text; save it as `CSV UTF-8`")]
    NotUtf16,
    /// It is empty.
    #[error("the sheet is empty: expected a line with the names of its columns")]
    Empty,
    /// A column is missing.
    #[error(
        "the sheet has no column `{name}`{}: expected one of {}",
        hint.as_ref().map_or(String::new(), |hint| format!(" ({hint})")), there.join(", ")
    )]
    NoColumn {
        name: String,
        hint: Option<String>,
        there: Vec<String>,
    },
    /// Several columns have the name.
    #[error(
        "the sheet has {count} columns that `{name}` may mean: rename all but one, or give its whole name"
    )]
    Repeated { name: String, count: usize },
    /// The key column is also the column to fill.
    #[error("`{name}` is the column of the keys: marks need another one")]
    SameColumn { name: String },
    /// A quote never closes.
    #[error("line {line}: a quote that opens here is never closed")]
    NeverClosed { line: u64 },
    /// Text follows a quoted field.
    #[error(
        "line {line}: after a field in quotes there is text: expected a separator or the end of the line"
    )]
    AfterQuote { line: u64 },
    /// A row ends before the column.
    #[error("line {line}: this row has {found} fields, and `{column}` is field {expected}")]
    TooShort {
        line: u64,
        found: usize,
        expected: usize,
        column: String,
    },
    /// A row has more fields than the header, so the columns of its fields are unknown.
    #[error(
        "line {line}: this row has {found} fields, and the first line names {expected}: put quotes around a field with \
         a separator in it"
    )]
    TooLong {
        line: u64,
        found: usize,
        expected: usize,
    },
    /// Two rows have one key.
    #[error("line {line}: `{key}` is in line {first} already: remove one of the two rows")]
    Twice { key: String, line: u64, first: u64 },
    /// A mark is neither a number nor one of the words.
    #[error(
        "the mark of `{key}` is `{found}`: expected a number such as 12.5, or one of {}",
        WORDS.join(", ")
    )]
    NotAMark { key: String, found: String },
}

/// A text that is not a table, as an error of its sheet.
pub(super) fn unreadable(text: &str, error: Unreadable) -> SheetError {
    let line = |at| line_of(text.as_bytes(), at);
    match error {
        Unreadable::NeverClosed(at) => SheetError::NeverClosed { line: line(at) },
        Unreadable::AfterQuote(at) => SheetError::AfterQuote { line: line(at) },
    }
}

/// Line of a byte, from 1.
pub(super) fn line_of(text: &[u8], at: usize) -> u64 {
    let before = &text[..at];
    let ends = before
        .iter()
        .enumerate()
        .filter(|(index, byte)| match byte {
            b'\n' => true,
            b'\r' => text.get(index + 1) != Some(&b'\n'),
            _ => false,
        });
    1 + ends.count() as u64
}
