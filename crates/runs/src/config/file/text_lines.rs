//! Reads a text line by line, so that a large one is never in memory as a whole.

use std::io::{self, BufRead, ErrorKind};

use super::bounded::LONGEST_ROW;
use crate::units::bytes_text;

/// The lines of a text in UTF-8. A line ends with a line feed, a carriage return, or both. A byte order mark is skipped.
#[derive(Debug)]
pub struct TextLines<R> {
    input: R,
    number: usize,
    line: Vec<u8>,
    /// Whether the last byte was a carriage return: a line feed after it ends no other line.
    after_return: bool,
}

impl<R: BufRead> TextLines<R> {
    /// The lines of an input.
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
    /// The input cannot be read, or the line is not UTF-8 or has more than [`LONGEST_ROW`] bytes.
    pub fn next_line(&mut self) -> io::Result<Option<(usize, &str)>> {
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
                return Err(bad(self.number + 1, &format!("has more than {most}")));
            }
        }
        if !has_begun {
            return Ok(None);
        }
        self.number += 1;
        let number = self.number;
        match std::str::from_utf8(&self.line) {
            Ok(line) if number == 1 => Ok(Some((number, line.trim_start_matches('\u{feff}')))),
            Ok(line) => Ok(Some((number, line))),
            Err(_) => Err(bad(number, "is not UTF-8")),
        }
    }

    /// The input. Its own count tells how far it was read.
    pub fn input(&self) -> &R {
        &self.input
    }
}

fn bad(line: usize, problem: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("line {line} {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn lines(text: &[u8], buffer: usize) -> Vec<(usize, String)> {
        let mut lines = TextLines::new(BufReader::with_capacity(buffer, text));
        let mut all = Vec::new();
        while let Some((number, line)) = lines.next_line().expect("text") {
            all.push((number, line.to_owned()));
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
    fn a_line_without_an_end_and_bytes_that_are_no_text_are_refused_with_their_line() {
        let endless = (&b"a\n"[..]).chain(io::repeat(b'x'));
        let mut lines = TextLines::new(BufReader::new(endless));
        lines.next_line().expect("a line");
        let error = lines.next_line().expect_err("endless").to_string();
        assert_eq!(error, "line 2 has more than 1 MiB");
        let mut lines = TextLines::new(&b"a\nb\xff\n"[..]);
        lines.next_line().expect("a line");
        let error = lines.next_line().expect_err("no text").to_string();
        assert_eq!(error, "line 2 is not UTF-8");
    }
}
