//! Fills marks into a sheet that a learning-management system exported: one column by one key. Every other byte
//! stays.

use std::collections::{BTreeMap, HashSet};

mod error;
mod header;
mod rows;

use crate::grade::intake::{in_any_case, value};
use crate::text::{excerpt, visible};
use error::line_of;
pub use error::{SheetError, WORDS};
use header::Header;
use rows::{LONGEST, Rows, is_number};

const BOM: &[u8] = b"\xef\xbb\xbf";
const UTF_16: &[u8] = b"\xff\xfe";
const UTF_16_BIG: &[u8] = b"\xfe\xff";

/// A filled sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// Bytes of the sheet, in its original encoding.
    pub bytes: Vec<u8>,
    /// Number of cells with a mark now.
    pub filled: u64,
    /// Keys of the sheet without a mark, in its order. Their cells are unchanged.
    pub without_mark: Vec<String>,
    /// Keys with an unchanged cell because it holds no number, with its contents.
    pub kept: Vec<(String, String)>,
    /// Keys of marks that the sheet lacks.
    pub not_in_sheet: Vec<String>,
}

/// Kind of values filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filling {
    /// Marks; they replace numbers.
    Marks,
    /// Comments with the prefix [`COMMENT`]; they replace earlier ones.
    Comments,
}

/// Prefix of comments filled in.
pub const COMMENT: &str = "referee: ";

/// Fills `marks` into `column`, by the keys in `key_column`. Keys match in any case if only one can be meant.
/// Column names match without the number that Canvas appends in brackets. Rows without a key stay as they are,
/// and so do cells with something other than a number. If most numbers of the column have a decimal comma,
/// marks get one too.
///
/// # Errors
/// The sheet cannot be read, a column is missing, or a mark is invalid.
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

/// Fills comments with the prefix [`COMMENT`], by the rules of [`fill`]. They replace an empty cell or an
/// earlier comment.
///
/// # Errors
/// The sheet cannot be read, or a column is missing.
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
    // The bytes were assembled from text, so they are UTF-8.
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
    /// Contents of the cell, between its quotes.
    fn written(self, new: &str, has_commas: bool) -> String {
        match (self, has_commas) {
            (Self::Marks, true) => new.replace('.', ","),
            (Self::Marks, false) => new.to_owned(),
            (Self::Comments, _) => new.replace('"', "\"\""),
        }
    }

    /// Whether a cell already has this value.
    fn is_same(self, cell: &str, new: &str) -> bool {
        match self {
            Self::Marks => cell.replace(',', ".") == new.replace(',', "."),
            Self::Comments => cell == new,
        }
    }

    /// Whether a cell may be replaced: it is empty, has the `-` that some systems write for nothing, a number,
    /// or an earlier comment.
    fn may_replace(self, cell: &str) -> bool {
        let cell = cell.trim();
        let is_earlier = match self {
            Self::Marks => is_number(cell),
            Self::Comments => cell.starts_with(COMMENT),
        };
        cell.is_empty() || cell == "-" || is_earlier
    }
}

/// Whether a text is a decimal number, with point or comma, or one of [`WORDS`].
fn is_mark(text: &str) -> bool {
    is_number(text) || WORDS.contains(&text)
}

#[cfg(test)]
mod tests;
