//! Rows of a sheet with a key.

use std::collections::HashMap;

use super::error::{LONGEST_NAME, SheetError, line_of, unreadable};
use super::header::Header;
use crate::grade::intake::{Field, Fields, POINTS_POSSIBLE, value};
use crate::text::excerpt;

/// Key of a row, and range of the cell to fill.
pub(super) struct Row {
    pub key: String,
    pub cell: Field,
}

/// All rows with a key; keys are unique.
pub(super) struct Rows {
    pub rows: Vec<Row>,
    /// Whether more numbers of the column have a decimal comma than a point.
    pub has_commas: bool,
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
        let mut number = 0_u64;
        while records
            .record(&mut fields)
            .map_err(|error| unreadable(text, error))?
        {
            number += 1;
            let at = fields.first().map_or(0, |field| field.start);
            let says = |field: &Field| value(&text[field.clone()]);
            if number == 1 || fields.iter().all(|field| says(field).trim().is_empty()) {
                continue;
            }
            if let Some(cell) = fields.get(header.column).map(says)
                && is_number(cell.trim())
            {
                commas += u64::from(cell.contains(','));
                points += u64::from(cell.contains('.'));
            }
            if number == 2 && says(&fields[0]).trim() == POINTS_POSSIBLE {
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
            rows.push(Row { key, cell });
        }
        Ok(Self {
            rows,
            has_commas: commas > points,
        })
    }
}

/// Maximum bytes of a number.
pub(super) const LONGEST: usize = 32;

/// Whether a text is a decimal number, with point or comma.
pub(super) fn is_number(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.strip_prefix('-').unwrap_or(text);
    let is_number = match number.split_once(['.', ',']) {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(number),
    };
    text.len() <= LONGEST && is_number
}
