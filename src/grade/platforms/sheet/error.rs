//! Errors in sheets.

use super::WORDS;

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
