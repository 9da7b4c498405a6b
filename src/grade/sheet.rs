//! Marks in a sheet that a learning-management system exported: one column is filled in by one key, and every
//! other byte stays.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

mod error;
mod fields;

use crate::config::did_you_mean;
use crate::text::{excerpt, visible};
pub use error::SheetError;
use fields::{Fields, Unreadable};

/// The words that may stand in the place of a mark: the states of a submission.
pub const WORDS: [&str; 5] = ["graded", "none", "late", "broken", "held"];

/// The most digits and signs of a number.
const LONGEST: usize = 32;

/// The most names of columns that a message has, and the most characters of each.
const MOST_NAMES: usize = 60;
const LONGEST_NAME: usize = 80;

/// What begins the second row of a sheet of Canvas, which is no student's.
const POINTS_POSSIBLE: &str = "Points Possible";

/// What separates fields, in the order in which it is tried.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

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
    /// The keys of the marks that the sheet does not have.
    pub not_in_sheet: Vec<String>,
}

/// Fills marks into a sheet: into `column`, in the rows whose `key_column` is a key of `marks`. A column may be
/// named without the number that Canvas puts behind it in brackets. Rows without a key stay as they are.
///
/// # Errors
/// The sheet cannot be read, a column is not there, or a mark is no mark.
pub fn fill(
    sheet: &[u8],
    key_column: &str,
    column: &str,
    marks: &BTreeMap<String, String>,
) -> Result<Filled, SheetError> {
    if let Some((key, found)) = marks.iter().find(|(_, mark)| !is_mark(mark)) {
        let (key, found) = (visible(key), excerpt(found, LONGEST));
        return Err(SheetError::NotAMark { key, found });
    }
    if sheet.starts_with(UTF_16_BIG) {
        return Err(SheetError::NotUtf16);
    }
    let Some(wide) = sheet.strip_prefix(UTF_16) else {
        let body = sheet.strip_prefix(BOM).unwrap_or(sheet);
        let text = std::str::from_utf8(body).map_err(|error| SheetError::NotText {
            line: line_of(body, error.valid_up_to()),
        })?;
        let mut filled = fill_text(text, key_column, column, marks)?;
        let mark = &sheet[..sheet.len() - body.len()];
        filled.bytes.splice(0..0, mark.iter().copied());
        return Ok(filled);
    };
    let (units, rest) = wide.as_chunks::<2>();
    let units: Vec<u16> = units.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
    let text = String::from_utf16(&units).ok().filter(|_| rest.is_empty());
    let text = text.ok_or(SheetError::NotUtf16)?;
    let filled = fill_text(&text, key_column, column, marks)?;
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
    marks: &BTreeMap<String, String>,
) -> Result<Filled, SheetError> {
    let header = Header::find(text, key_column, column)?;
    let mut rows = Fields::new(text.as_bytes(), header.delimiter);
    let mut fields = Vec::new();
    let line = |at: usize| line_of(text.as_bytes(), at);
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut filled = Filled {
        bytes: Vec::with_capacity(text.len()),
        filled: 0,
        without_mark: Vec::new(),
        not_in_sheet: Vec::new(),
    };
    let mut copied = 0;
    let mut number = 0_u64;
    while rows
        .record(&mut fields)
        .map_err(|error| unreadable(text, error))?
    {
        number += 1;
        let at = fields.first().map_or(0, |field| field.start);
        if number == 1
            || fields
                .iter()
                .all(|field| value(&text[field.clone()]).trim().is_empty())
        {
            continue;
        }
        if number == 2 && value(&text[fields[0].clone()]).trim() == POINTS_POSSIBLE {
            continue;
        }
        if fields.len() > header.fields {
            return Err(SheetError::TooLong {
                line: line(at),
                found: fields.len(),
                expected: header.fields,
            });
        }
        let field = |(index, name): (usize, &str)| {
            fields
                .get(index)
                .cloned()
                .ok_or_else(|| SheetError::TooShort {
                    line: line(at),
                    found: fields.len(),
                    expected: index + 1,
                    column: name.to_owned(),
                })
        };
        let key = field((header.key, key_column))?;
        let key = value(&text[key]).trim().to_owned();
        if key.is_empty() {
            continue;
        }
        let cell = field((header.column, column))?;
        if let Some(first) = seen.insert(key.clone(), at) {
            return Err(SheetError::Twice {
                key: excerpt(&key, LONGEST_NAME),
                line: line(at),
                first: line(first),
            });
        }
        let Some(mark) = marks.get(&key) else {
            filled.without_mark.push(key);
            continue;
        };
        let old = &text[cell.clone()];
        filled.filled += 1;
        if value(old) != mark.as_str() {
            let before = &text.as_bytes()[copied..cell.start];
            filled.bytes.extend_from_slice(before);
            let quoted = old.starts_with('"') || mark.as_bytes().contains(&header.delimiter);
            let quote: &[u8] = if quoted { b"\"" } else { b"" };
            filled
                .bytes
                .extend([quote, mark.as_bytes(), quote].concat());
            copied = cell.end;
        }
    }
    filled.bytes.extend_from_slice(&text.as_bytes()[copied..]);
    let missing = marks.keys().filter(|key| !seen.contains_key(*key));
    filled.not_in_sheet = missing.cloned().collect();
    Ok(filled)
}

/// Where the two columns are.
struct Header {
    delimiter: u8,
    /// How many columns there are.
    fields: usize,
    key: usize,
    column: usize,
}

impl Header {
    /// The delimiter is the one by which the sheet has both columns; where none is, the one that separates most.
    fn find(text: &str, key: &str, column: &str) -> Result<Self, SheetError> {
        let mut best: Option<(usize, SheetError)> = None;
        for delimiter in DELIMITERS {
            let mut fields = Vec::new();
            let read = Fields::new(text.as_bytes(), delimiter).record(&mut fields);
            let names: Vec<Cow<'_, str>> = fields
                .iter()
                .map(|field| value(&text[field.clone()]))
                .collect();
            let found = match read {
                Err(error) => Err(unreadable(text, error)),
                Ok(false) => Err(SheetError::Empty),
                Ok(true) => Self::of(delimiter, &names, key, column),
            };
            match found {
                Ok(header) => return Ok(header),
                Err(error) => {
                    if best.as_ref().is_none_or(|(most, _)| *most < names.len()) {
                        best = Some((names.len(), error));
                    }
                }
            }
        }
        Err(best.map_or(SheetError::Empty, |(_, error)| error))
    }

    fn of(
        delimiter: u8,
        names: &[Cow<'_, str>],
        key: &str,
        column: &str,
    ) -> Result<Self, SheetError> {
        let (key_at, column_at) = (find_column(names, key)?, find_column(names, column)?);
        match key_at == column_at {
            true => Err(SheetError::SameColumn {
                name: column.to_owned(),
            }),
            false => Ok(Self {
                delimiter,
                fields: names.len(),
                key: key_at,
                column: column_at,
            }),
        }
    }
}

/// The column of this name. Canvas calls that of an assignment `Project 1 (48151)`.
fn find_column(names: &[Cow<'_, str>], name: &str) -> Result<usize, SheetError> {
    let is_it = |there: &str| there.trim() == name.trim();
    let without_number = |there: &str| {
        let (title, number) = there.trim().strip_suffix(')')?.rsplit_once(" (")?;
        (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| title.to_owned())
    };
    let all = |is_it: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let fitting = names.iter().enumerate().filter(|(_, there)| is_it(there));
        fitting.map(|(index, _)| index).collect()
    };
    let mut found = all(&is_it);
    if found.is_empty() {
        found = all(&|there| without_number(there).is_some_and(|title| is_it(&title)));
    }
    match found[..] {
        [index] => Ok(index),
        [] => Err(SheetError::NoColumn {
            name: name.to_owned(),
            hint: did_you_mean(name, names.iter().map(|it| it.trim())).map(|hint| visible(&hint)),
            there: named(names),
        }),
        _ => Err(SheetError::Repeated {
            name: name.to_owned(),
            count: found.len(),
        }),
    }
}

/// The names of columns, for a message.
fn named(names: &[Cow<'_, str>]) -> Vec<String> {
    let shown = names.iter().map(|name| excerpt(name.trim(), LONGEST_NAME));
    let more = names.get(MOST_NAMES).map(|_| "…".to_owned());
    shown.take(MOST_NAMES).chain(more).collect()
}

/// What a field says, without its quotes.
fn value(field: &str) -> Cow<'_, str> {
    match field.strip_prefix('"').and_then(|it| it.strip_suffix('"')) {
        Some(inner) if inner.contains('"') => Cow::Owned(inner.replace("\"\"", "\"")),
        Some(inner) => Cow::Borrowed(inner),
        None => Cow::Borrowed(field),
    }
}

/// Whether a text is a decimal number, with a point or a comma, or one of the words.
fn is_mark(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.strip_prefix('-').unwrap_or(text);
    let is_number = match number.split_once(['.', ',']) {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(number),
    };
    text.len() <= LONGEST && is_number || WORDS.contains(&text)
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

/// Where a field is in a text, quotes included.
type Field = Range<usize>;

#[cfg(test)]
mod tests;
