//! Fills marks into a sheet that a learning-management system exported: one column by one key. Every other byte
//! stays.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::config::did_you_mean;
use crate::grade::intake::{
    DELIMITERS, Field, Fields, Unreadable, in_any_case, is_of_assignments, value,
};
use crate::text::{excerpt, visible};

const BOM: &[u8] = b"\xef\xbb\xbf";
const UTF_16: &[u8] = b"\xff\xfe";
const UTF_16_BIG: &[u8] = b"\xfe\xff";

#[derive(Debug, Clone, PartialEq)]
pub struct Filled {
    pub bytes: Vec<u8>,
    pub filled: u64,
    /// Keys of the sheet without a mark, in its order. Their cells are unchanged.
    pub without_mark: Vec<String>,
    /// Keys whose cell had another number, with that number and the mark now.
    pub replaced: Vec<(String, [String; 2])>,
    /// Keys with an unchanged cell because it holds no number, with its contents.
    pub kept: Vec<(String, String)>,
    pub not_in_sheet: Vec<String>,
    /// The most marks by the sheet, which Canvas has in a row and Moodle in a column.
    pub most: Option<f64>,
}

/// Fills `marks` into `column`, by the keys in `key_column`. Keys match in any case if only one can be meant.
/// Column names match without the number that Canvas appends in brackets. Rows without a key stay as they are,
/// and so do cells with something other than a number. If most numbers of the column have a decimal comma,
/// marks get one too.
pub fn fill(
    sheet: &[u8],
    key_column: &str,
    column: &str,
    marks: &BTreeMap<String, Option<String>>,
) -> Result<Filled, SheetError> {
    if sheet.starts_with(UTF_16_BIG) {
        return Err(broken_utf_16());
    }
    let Some(wide) = sheet.strip_prefix(UTF_16) else {
        let body = sheet.strip_prefix(BOM).unwrap_or(sheet);
        let text = std::str::from_utf8(body).map_err(|error| {
            let line = line_of(body, error.valid_up_to());
            flaw(format!(
                "line {line}: this is not UTF-8 text; save the sheet as `CSV UTF-8`"
            ))
        })?;
        let mut filled = fill_text(text, key_column, column, marks)?;
        let mark = &sheet[..sheet.len() - body.len()];
        filled.bytes.splice(0..0, mark.iter().copied());
        return Ok(filled);
    };
    let (units, rest) = wide.as_chunks::<2>();
    let units: Vec<u16> = units.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
    let text = String::from_utf16(&units).ok().filter(|_| rest.is_empty());
    let text = text.ok_or_else(broken_utf_16)?;
    let filled = fill_text(&text, key_column, column, marks)?;
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
        replaced: Vec::new(),
        kept: Vec::new(),
        most: rows.most,
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
        let is_there = was.replace(',', ".") == mark.replace(',', ".");
        if !is_there && !may_replace(&was) {
            filled.kept.push((key.to_owned(), was.into_owned()));
            continue;
        }
        filled.filled += 1;
        if !is_there {
            let before = &text.as_bytes()[copied..row.cell.start];
            filled.bytes.extend_from_slice(before);
            let new = match rows.has_commas {
                true => mark.replace('.', ","),
                false => mark.to_owned(),
            };
            if number(&was).is_some_and(|was| Some(was) != number(mark)) {
                let both = [was.into_owned(), new.clone()];
                filled.replaced.push((key.to_owned(), both));
            }
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

/// Whether a cell may be replaced: it is empty, has the `-` that some systems write for nothing, or a number.
fn may_replace(cell: &str) -> bool {
    let cell = cell.trim();
    cell.is_empty() || cell == "-" || is_number(cell)
}

struct Header {
    pub delimiter: u8,
    pub fields: usize,
    pub key: usize,
    pub column: usize,
    /// Moodle's column with the most marks.
    pub most: Option<usize>,
}

impl Header {
    /// Finds the delimiter with which the sheet has both columns. The error is from the delimiter with the most
    /// columns.
    pub fn find(text: &str, key: &str, column: &str) -> Result<Self, SheetError> {
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
                Ok(false) => Err(empty()),
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
        Err(best.map_or_else(empty, |(_, error)| error))
    }

    fn of(
        delimiter: u8,
        names: &[Cow<'_, str>],
        key: &str,
        column: &str,
    ) -> Result<Self, SheetError> {
        let (key_at, column_at) = (find_column(names, key)?, find_column(names, column)?);
        if key_at == column_at {
            Err(SheetError::Column(format!(
                "`{column}` is the column of the keys: marks need another one"
            )))
        } else {
            Ok(Self {
                delimiter,
                fields: names.len(),
                key: key_at,
                column: column_at,
                most: names
                    .iter()
                    .position(|it| it.trim().eq_ignore_ascii_case(MOST_OF_MOODLE)),
            })
        }
    }
}

/// Index of the column with this name. Canvas appends a number: `Project 1 (48151)`.
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
        [] => {
            let hint = did_you_mean(name, names.iter().map(|it| it.trim()));
            let hint = hint.map_or_else(String::new, |hint| format!(" ({})", visible(&hint)));
            Err(SheetError::Column(format!(
                "the sheet has no column `{name}`{hint}: expected one of {}",
                named(names).join(", ")
            )))
        }
        _ => Err(SheetError::Column(format!(
            "the sheet has {} columns that `{name}` may mean: rename all but one, or give its whole name",
            found.len()
        ))),
    }
}

fn named(names: &[Cow<'_, str>]) -> Vec<String> {
    let shown = names.iter().map(|name| excerpt(name.trim(), LONGEST_NAME));
    let more = names.get(MOST_NAMES).map(|_| "…".to_owned());
    shown.take(MOST_NAMES).chain(more).collect()
}

struct Row {
    pub key: String,
    pub cell: Field,
}

struct Rows {
    pub rows: Vec<Row>,
    /// Whether more numbers of the column have a decimal comma than a point.
    pub has_commas: bool,
    pub most: Option<f64>,
}

impl Rows {
    pub fn read(
        text: &str,
        header: &Header,
        [key_column, column]: [&str; 2],
    ) -> Result<Self, SheetError> {
        let mut records = Fields::new(text.as_bytes(), header.delimiter);
        let mut fields = Vec::new();
        let line = |at: usize| line_of(text.as_bytes(), at);
        let mut seen: HashMap<String, usize> = HashMap::new();
        let mut rows = Vec::new();
        let (mut commas, mut points) = (0_u64, 0_u64);
        let (mut count, mut most) = (0_u64, None);
        while records
            .record(&mut fields)
            .map_err(|error| unreadable(text, error))?
        {
            count += 1;
            let at = fields.first().map_or(0, |field| field.start);
            let says = |field: &Field| value(&text[field.clone()]);
            if count == 1 || fields.iter().all(|field| says(field).trim().is_empty()) {
                continue;
            }
            if let Some(cell) = fields.get(header.column).map(says)
                && is_number(cell.trim())
            {
                commas += u64::from(cell.contains(','));
                points += u64::from(cell.contains('.'));
            }
            let values: Vec<Cow<'_, str>> = fields.iter().map(says).collect();
            let number_at = |at: usize| number(values.get(at)?);
            if rows.is_empty() && is_of_assignments(values.iter().map(AsRef::as_ref)) {
                most = most.or(number_at(header.column));
                continue;
            }
            most = most.or(header.most.and_then(number_at));
            if fields.len() > header.fields {
                return Err(flaw(format!(
                    "line {}: this row has {} fields, and the first line names {}: put quotes around a field with a \
                     separator in it",
                    line(at),
                    fields.len(),
                    header.fields
                )));
            }
            let field = |(index, name): (usize, &str)| {
                fields.get(index).cloned().ok_or_else(|| {
                    flaw(format!(
                        "line {}: this row has {} fields, and `{name}` is field {}",
                        line(at),
                        fields.len(),
                        index + 1
                    ))
                })
            };
            let key = field((header.key, key_column))?;
            let key = value(&text[key]).trim().to_owned();
            if key.is_empty() {
                continue;
            }
            let cell = field((header.column, column))?;
            if let Some(first) = seen.insert(key.clone(), at) {
                return Err(flaw(format!(
                    "line {}: `{}` is in line {} already: remove one of the two rows",
                    line(at),
                    excerpt(&key, LONGEST_NAME),
                    line(first)
                )));
            }
            rows.push(Row { key, cell });
        }
        Ok(Self {
            rows,
            has_commas: commas > points,
            most,
        })
    }
}

const LONGEST: usize = 32;

fn number(text: &str) -> Option<f64> {
    text.trim().replace(',', ".").parse().ok()
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

const MOST_OF_MOODLE: &str = "Maximum grade";

const MOST_NAMES: usize = 60;
const LONGEST_NAME: usize = 80;

/// Why a sheet is not filled, in words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// No column, or several, have the name that was asked for.
    #[error("{0}")]
    Column(String),
    #[error("{0}")]
    Flaw(String),
}

fn flaw(words: impl Into<String>) -> SheetError {
    SheetError::Flaw(words.into())
}

fn empty() -> SheetError {
    flaw("the sheet is empty: expected a line with the names of its columns")
}

/// It is UTF-16 in big-endian order, or torn.
fn broken_utf_16() -> SheetError {
    flaw("the sheet is broken UTF-16 text; save it as `CSV UTF-8`")
}

fn unreadable(text: &str, error: Unreadable) -> SheetError {
    let (at, why) = match error {
        Unreadable::NeverClosed(at) => (at, "a quote that opens here is never closed"),
        Unreadable::AfterQuote(at) => (
            at,
            "after a field in quotes there is text: expected a separator or the end of the line",
        ),
    };
    flaw(format!("line {}: {why}", line_of(text.as_bytes(), at)))
}

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
