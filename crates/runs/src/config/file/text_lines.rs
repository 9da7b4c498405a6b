//! Reads a text line by line, so that a large one is never in memory as a whole.

use std::borrow::Cow;
use std::io::{self, BufRead, ErrorKind};

use super::bounded::LONGEST_ROW;
use crate::units::bytes_text;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    #[default]
    Utf8,
    /// Some of it is not UTF-8, and was read as Windows-1252, a superset of printable Latin-1.
    Windows1252,
}

/// Characters of the bytes from 0x80 to 0x9f. The five undefined bytes map to themselves, as in browsers.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

impl Encoding {
    /// Decodes bytes, and sets `self` to Windows-1252 if they are not UTF-8.
    pub fn text<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, str> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return text.into();
        }
        *self = Self::Windows1252;
        let character = |byte: &u8| match byte {
            0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
            _ => char::from(*byte),
        };
        bytes.iter().map(character).collect::<String>().into()
    }
}

/// The lines of a text in UTF-8; a line that is not is read as Windows-1252. A line ends with a line feed, a carriage
/// return, or both. A byte order mark is skipped.
#[derive(Debug)]
pub struct TextLines<R> {
    input: R,
    number: usize,
    line: Vec<u8>,
    /// Whether the last byte was a carriage return: a line feed after it ends no other line.
    after_return: bool,
}

impl<R: BufRead> TextLines<R> {
    pub fn new(input: R) -> Self {
        Self {
            input,
            number: 0,
            line: Vec::new(),
            after_return: false,
        }
    }

    /// The next line with its number, from 1.
    ///
    /// # Errors
    /// The input cannot be read, or the line has more than [`LONGEST_ROW`] bytes.
    pub fn next_line(&mut self) -> io::Result<Option<(usize, Cow<'_, str>)>> {
        self.line.clear();
        let (mut has_begun, mut has_ended) = (false, false);
        while !has_ended {
            let bytes = match self.input.fill_buf() {
                Ok([]) => break,
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if std::mem::take(&mut self.after_return) && bytes[0] == b'\n' {
                self.input.consume(1);
                continue;
            }
            has_begun = true;
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            has_ended = end.is_some();
            self.after_return = end.is_some_and(|at| bytes[at] == b'\r');
            let length = end.unwrap_or(bytes.len());
            self.line.extend_from_slice(&bytes[..length]);
            self.input.consume(length + usize::from(has_ended));
            if self.line.len() > LONGEST_ROW {
                let most = bytes_text(LONGEST_ROW as u64);
                let problem = format!("line {} has more than {most}", self.number + 1);
                return Err(io::Error::new(ErrorKind::InvalidData, problem));
            }
        }
        if !has_begun {
            return Ok(None);
        }
        self.number += 1;
        let number = self.number;
        let begin = match number {
            1 => self.line.strip_prefix(BYTE_ORDER_MARK),
            _ => None,
        };
        let text = Encoding::default().text(begin.unwrap_or(&self.line));
        Ok(Some((number, text)))
    }

    /// The input. Its own count tells how far it was read.
    pub fn input(&mut self) -> &mut R {
        &mut self.input
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn lines(text: &[u8], buffer: usize) -> Vec<(usize, String)> {
        let mut lines = TextLines::new(BufReader::with_capacity(buffer, text));
        let mut all = Vec::new();
        while let Some((number, line)) = lines.next_line().expect("text") {
            all.push((number, line.into_owned()));
        }
        all
    }

    #[test]
    fn any_end_of_a_line_is_one_end_wherever_the_buffer_ends() {
        let expected = [(1, "a"), (2, ""), (3, "b"), (4, "c")].map(|(n, it)| (n, it.to_owned()));
        for text in ["a\n\nb\nc", "a\r\n\r\nb\r\nc\r\n", "\u{feff}a\r\rb\rc\r"] {
            for buffer in 1..6 {
                assert_eq!(lines(text.as_bytes(), buffer), expected, "{text:?}");
            }
        }
        assert!(lines(b"", 4).is_empty());
    }

    #[test]
    fn a_line_without_an_end_is_refused_and_other_encodings_are_read() {
        let endless = (&b"a\n"[..]).chain(io::repeat(b'x'));
        let mut endless = TextLines::new(BufReader::new(endless));
        endless.next_line().expect("a line");
        let error = endless.next_line().expect_err("endless").to_string();
        assert_eq!(error, "line 2 has more than 1 MiB");
        let expected = [(1, "a".to_owned()), (2, "Bj\u{f6}rn \u{20ac}".to_owned())];
        assert_eq!(lines(b"a\nBj\xf6rn \x80\n", 100), expected);
    }
}
