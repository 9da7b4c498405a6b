//! Marks in a sheet that a learning-management system exported: one column is filled in by one key, and every
//! other byte stays.

use std::collections::{BTreeMap, HashSet};

mod error;
mod header;
mod rows;

use crate::grade::intake::{Unreadable, in_any_case, value};
use crate::text::{excerpt, visible};
pub use error::SheetError;
use header::Header;
use rows::Rows;

/// The words that may stand in the place of a mark: the states of a submission.
pub const WORDS: [&str; 5] = ["graded", "none", "late", "broken", "held"];

/// The most digits and signs of a number.
const LONGEST: usize = 32;

/// The most names of columns that a message has, and the most characters of each.
const MOST_NAMES: usize = 60;
const LONGEST_NAME: usize = 80;

const BOM: &[u8] = b"\xef\xbb\xbf";
const UTF_16: &[u8] = b"\xff\xfe";
const UTF_16_BIG: &[u8] = b"\xfe\xff";

/// A sheet that was filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// The sheet, in the encoding that it had.
    pub bytes: Vec<u8>,
    /// How many cells have a mark now.
    pub filled: u64,
    /// The keys of the sheet that have no mark, in its order. Their cells are as they were.
    pub without_mark: Vec<String>,
    /// The keys whose cells are as they were since there is something else than a number in them, and what.
    pub kept: Vec<(String, String)>,
    /// The keys of the marks that the sheet does not have.
    pub not_in_sheet: Vec<String>,
}

/// What is filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filling {
    /// Marks, in the place of numbers.
    Marks,
    /// Comments that begin with [`COMMENT`], in the place of earlier ones.
    Comments,
}

/// How a comment begins that was filled in.
pub const COMMENT: &str = "referee: ";

/// Fills marks into a sheet: into `column`, in the rows whose `key_column` is a key of `marks` that has one, in any case
/// where only one can be meant. A column may be named without the number that Canvas puts behind it in brackets. Rows
/// without a key stay as they are, and so do cells with something else than a number. Where most numbers of the column
/// have a decimal comma, what is filled in has one.
///
/// # Errors
/// The sheet cannot be read, a column is not there, or a mark is no mark.
pub fn fill(
    sheet: &[u8],
    key_column: &str,
    column: &str,
    marks: &BTreeMap<String, Option<String>>,
) -> Result<Filled, SheetError> {
    let mut given = marks
        .iter()
        .filter_map(|(key, mark)| Some((key, mark.as_ref()?)));
    if let Some((key, found)) = given.find(|(_, mark)| !is_mark(mark)) {
        let (key, found) = (visible(key), excerpt(found, LONGEST));
        return Err(SheetError::NotAMark { key, found });
    }
    fill_in(sheet, key_column, column, marks, Filling::Marks)
}

/// Fills in comments, each of which begins with [`COMMENT`], in the same way. They take the place of nothing or of an
/// earlier one.
///
/// # Errors
/// The sheet cannot be read, or a column is not there.
pub fn fill_comments(
    sheet: &[u8],
    key_column: &str,
    column: &str,
    comments: &BTreeMap<String, Option<String>>,
) -> Result<Filled, SheetError> {
    fill_in(sheet, key_column, column, comments, Filling::Comments)
}

fn fill_in(
    sheet: &[u8],
    key_column: &str,
    column: &str,
    marks: &BTreeMap<String, Option<String>>,
    filling: Filling,
) -> Result<Filled, SheetError> {
    if sheet.starts_with(UTF_16_BIG) {
        return Err(SheetError::NotUtf16);
    }
    let Some(wide) = sheet.strip_prefix(UTF_16) else {
        let body = sheet.strip_prefix(BOM).unwrap_or(sheet);
        let text = std::str::from_utf8(body).map_err(|error| SheetError::NotText {
            line: line_of(body, error.valid_up_to()),
        })?;
        let mut filled = fill_text(text, key_column, column, marks, filling)?;
        let mark = &sheet[..sheet.len() - body.len()];
        filled.bytes.splice(0..0, mark.iter().copied());
        return Ok(filled);
    };
    let (units, rest) = wide.as_chunks::<2>();
    let units: Vec<u16> = units.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
    let text = String::from_utf16(&units).ok().filter(|_| rest.is_empty());
    let text = text.ok_or(SheetError::NotUtf16)?;
    let filled = fill_text(&text, key_column, column, marks, filling)?;
    // What was put together of text is text.
    let text = String::from_utf8_lossy(&filled.bytes);
    let units = text.encode_utf16().flat_map(u16::to_le_bytes);
    let bytes = UTF_16.iter().copied().chain(units).collect();
    Ok(Filled { bytes, ..filled })
}

fn fill_text(
    text: &str,
    key_column: &str,
    column: &str,
    marks: &BTreeMap<String, Option<String>>,
    filling: Filling,
) -> Result<Filled, SheetError> {
    let header = Header::find(text, key_column, column)?;
    let rows = Rows::read(text, &header, [key_column, column])?;
    let there = rows.rows.iter().map(|row| row.key.as_str());
    let in_another_case = in_any_case(marks.keys().map(String::as_str), there);
    let mut filled = Filled {
        bytes: Vec::with_capacity(text.len()),
        filled: 0,
        without_mark: Vec::new(),
        not_in_sheet: Vec::new(),
        kept: Vec::new(),
    };
    let mut copied = 0;
    let mut seen: HashSet<&str> = HashSet::new();
    for row in &rows.rows {
        let key = row.key.as_str();
        let key = in_another_case.get(key).copied().unwrap_or(key);
        seen.insert(key);
        let Some(mark) = marks.get(key).and_then(Option::as_deref) else {
            filled.without_mark.push(key.to_owned());
            continue;
        };
        let old = &text[row.cell.clone()];
        let was = value(old);
        let is_there = filling.is_same(&was, mark);
        if !is_there && !filling.may_replace(&was) {
            filled.kept.push((key.to_owned(), was.into_owned()));
            continue;
        }
        filled.filled += 1;
        if !is_there {
            let before = &text.as_bytes()[copied..row.cell.start];
            filled.bytes.extend_from_slice(before);
            let new = filling.written(mark, rows.has_commas);
            let has = |byte| new.as_bytes().contains(&byte);
            let quoted = old.starts_with('"') || has(header.delimiter) || has(b'"');
            let quote: &[u8] = if quoted { b"\"" } else { b"" };
            filled.bytes.extend([quote, new.as_bytes(), quote].concat());
            copied = row.cell.end;
        }
    }
    filled.bytes.extend_from_slice(&text.as_bytes()[copied..]);
    let missing = marks
        .iter()
        .filter(|(key, mark)| mark.is_some() && !seen.contains(key.as_str()));
    filled.not_in_sheet = missing.map(|(key, _)| key.clone()).collect();
    Ok(filled)
}

impl Filling {
    /// What stands in a cell for this, between its quotes.
    fn written(self, new: &str, has_commas: bool) -> String {
        match (self, has_commas) {
            (Self::Marks, true) => new.replace('.', ","),
            (Self::Marks, false) => new.to_owned(),
            (Self::Comments, _) => new.replace('"', "\"\""),
        }
    }

    /// Whether a cell says the same.
    fn is_same(self, cell: &str, new: &str) -> bool {
        match self {
            Self::Marks => cell.replace(',', ".") == new.replace(',', "."),
            Self::Comments => cell == new,
        }
    }

    /// Whether it may take the place of what a cell says: of nothing, which some systems write as `-`, of a number, or of
    /// an earlier comment.
    fn may_replace(self, cell: &str) -> bool {
        let cell = cell.trim();
        let is_earlier = match self {
            Self::Marks => is_number(cell),
            Self::Comments => cell.starts_with(COMMENT),
        };
        cell.is_empty() || cell == "-" || is_earlier
    }
}

/// Whether a text is a decimal number, with a point or a comma, or one of the words.
fn is_mark(text: &str) -> bool {
    is_number(text) || WORDS.contains(&text)
}

fn is_number(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.strip_prefix('-').unwrap_or(text);
    let is_number = match number.split_once(['.', ',']) {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(number),
    };
    text.len() <= LONGEST && is_number
}

fn unreadable(text: &str, error: Unreadable) -> SheetError {
    let line = |at| line_of(text.as_bytes(), at);
    match error {
        Unreadable::NeverClosed(at) => SheetError::NeverClosed { line: line(at) },
        Unreadable::AfterQuote(at) => SheetError::AfterQuote { line: line(at) },
    }
}

/// The number of the line of a byte, from 1.
fn line_of(text: &[u8], at: usize) -> u64 {
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

#[cfg(test)]
mod tests;
