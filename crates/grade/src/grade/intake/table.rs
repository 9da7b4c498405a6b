//! Reads tables that people and other systems made for a class.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::Path;

use crate::config;

pub const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

pub fn read_text(path: &Path) -> Result<String, String> {
    config::read_text(path).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => format!("{error} text: save it as \"CSV UTF-8\""),
        _ => format!("cannot be read: {error}"),
    })
}

/// Where a field is in a text, quotes included.
pub type Field = Range<usize>;

/// Whether a row of Canvas's sheets is one of the first, which belong to no student.
pub fn is_of_assignments<'a>(mut fields: impl Iterator<Item = &'a str>) -> bool {
    let first = fields.find(|field| !field.trim().is_empty());
    first.is_some_and(|it| ["Points Possible", "Manual Posting"].contains(&it.trim()))
}

pub struct Fields<'a> {
    text: &'a [u8],
    delimiter: u8,
    at: usize,
}

/// A malformed field, with its byte offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// The quote that opens here never closes.
    NeverClosed(usize),
    /// Text follows a quoted field here.
    AfterQuote(usize),
}

impl<'a> Fields<'a> {
    pub fn new(text: &'a [u8], delimiter: u8) -> Self {
        let at = 0;
        Self {
            text,
            delimiter,
            at,
        }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    /// Skips the line at which an unreadable record begins.
    pub fn skip_line(&mut self, begin: usize) {
        let rest = &self.text[begin..];
        let end = rest.iter().position(|byte| b"\r\n".contains(byte));
        self.at = begin + end.unwrap_or(rest.len());
        self.at += match self.text.get(self.at..).unwrap_or_default() {
            [] => 0,
            [b'\r', b'\n', ..] => 2,
            _ => 1,
        };
    }

    pub fn record(&mut self, fields: &mut Vec<Field>) -> Result<bool, Unreadable> {
        fields.clear();
        if self.at >= self.text.len() {
            return Ok(false);
        }
        loop {
            let start = self.at;
            match self.text.get(start) {
                Some(b'"') => self.quoted()?,
                _ => self.plain(),
            }
            fields.push(start..self.at);
            match self.text.get(self.at) {
                Some(byte) if *byte == self.delimiter => self.at += 1,
                Some(b'\r') if self.text.get(self.at + 1) == Some(&b'\n') => {
                    self.at += 2;
                    return Ok(true);
                }
                Some(_) => {
                    self.at += 1;
                    return Ok(true);
                }
                None => return Ok(true),
            }
        }
    }

    fn plain(&mut self) {
        let ends = |byte: &u8| *byte == self.delimiter || b"\r\n".contains(byte);
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(ends).unwrap_or(rest.len());
    }

    /// Advances to the end of a quoted field. A doubled quote stands for one.
    fn quoted(&mut self) -> Result<(), Unreadable> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.text.get(self.at..).unwrap_or_default() {
                [] => return Err(Unreadable::NeverClosed(start)),
                [b'"', b'"', ..] => self.at += 2,
                [b'"', after @ ..] => {
                    self.at += 1;
                    let ends = |byte: &u8| *byte == self.delimiter || b"\r\n".contains(byte);
                    return if after.first().is_none_or(ends) {
                        Ok(())
                    } else {
                        Err(Unreadable::AfterQuote(self.at))
                    };
                }
                _ => self.at += 1,
            }
        }
    }
}

pub fn value(field: &str) -> Cow<'_, str> {
    match field.strip_prefix('"').and_then(|it| it.strip_suffix('"')) {
        Some(inner) if inner.contains('"') => Cow::Owned(inner.replace("\"\"", "\"")),
        Some(inner) => Cow::Borrowed(inner),
        None => Cow::Borrowed(field),
    }
}
