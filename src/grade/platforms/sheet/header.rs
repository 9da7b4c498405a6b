//! Header of a sheet.

use std::borrow::Cow;

use super::error::{LONGEST_NAME, MOST_NAMES, SheetError, unreadable};
use crate::config::did_you_mean;
use crate::grade::intake::{DELIMITERS, Fields, value};
use crate::text::{excerpt, visible};

/// Delimiter and columns of a sheet.
pub(super) struct Header {
    pub delimiter: u8,
    /// Number of columns.
    pub fields: usize,
    pub key: usize,
    pub column: usize,
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
        if key_at == column_at {
            Err(SheetError::SameColumn {
                name: column.to_owned(),
            })
        } else {
            Ok(Self {
                delimiter,
                fields: names.len(),
                key: key_at,
                column: column_at,
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

/// Names of columns, shortened for a message.
fn named(names: &[Cow<'_, str>]) -> Vec<String> {
    let shown = names.iter().map(|name| excerpt(name.trim(), LONGEST_NAME));
    let more = names.get(MOST_NAMES).map(|_| "…".to_owned());
    shown.take(MOST_NAMES).chain(more).collect()
}
