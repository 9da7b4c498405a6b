//! Reads files of unknown origin with a size limit: a device, a pipe or a compressed file may never end.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::units::bytes_text;

/// Maximum bytes of a text that is read whole: a configuration, anchors.
pub const LARGEST_TEXT: u64 = 16 << 20;

/// Maximum bytes of a run's file that is read whole: a manifest with all files of many bots, a game log.
pub const LARGEST_RECORD: u64 = 256 << 20;

/// Maximum bytes of a file of openings, and of the openings in it as they are kept.
pub const LARGEST_BOOK: u64 = 512 << 20;

/// Maximum bytes of a row or line in a file that is read row by row.
pub const LONGEST_ROW: usize = 1 << 20;

const CHUNK: usize = 16 << 10;

pub fn read_bounded(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    bounded(File::open(path)?, most)
}

fn bounded(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    // Small files are read at once.
    let mut bytes = Vec::with_capacity(CHUNK);
    // One byte beyond the bound tells a file that is too large.
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= most {
        Ok(bytes)
    } else {
        Err(io::Error::other(format!(
            "it has more than {}",
            bytes_text(most)
        )))
    }
}

/// The text of a file of at most [`LARGEST_TEXT`] bytes, without a byte order mark.
pub fn read_text(path: &Path) -> io::Result<String> {
    text_from(File::open(path)?)
}

pub fn text_from(input: impl Read) -> io::Result<String> {
    as_text(bounded(input, LARGEST_TEXT)?)
}

/// The text of a file's bytes, without a byte order mark. An error names the first line that is none.
pub fn as_text(bytes: Vec<u8>) -> io::Result<String> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let whole = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + whole.iter().filter(|byte| **byte == b'\n').count();
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("line {line} is not UTF-8"),
        )
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Reader that fails at a CSV row longer than [`LONGEST_ROW`]. A line end inside quotes does not end a row.
#[derive(Debug)]
pub struct BoundedRows<R> {
    inner: R,
    length: usize,
    quoted: bool,
}

impl<R> BoundedRows<R> {
    pub fn new(inner: R) -> Self {
        Self {
            inner,
            length: 0,
            quoted: false,
        }
    }
}

impl<R: Read> Read for BoundedRows<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        for byte in &buffer[..count] {
            self.length += 1;
            match byte {
                b'"' => self.quoted = !self.quoted,
                b'\n' if !self.quoted => self.length = 0,
                _ => {}
            }
            if self.length > LONGEST_ROW {
                return Err(io::Error::other(format!(
                    "a row has more than {}: expected a line for each row, and an end to each quote",
                    bytes_text(LONGEST_ROW as u64)
                )));
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_refused_with_the_limit() {
        let endless = || io::repeat(b'x');
        let error = text_from(endless()).expect_err("endless");
        assert_eq!(error.to_string(), "it has more than 16 MiB");
        let error = read_bounded(Path::new("/dev/zero"), 1 << 10).expect_err("endless");
        assert_eq!(error.to_string(), "it has more than 1 KiB");
        let quoted = (&b"a\n\""[..]).chain(io::repeat(b'\n'));
        for input in [&mut endless() as &mut dyn Read, &mut { quoted }] {
            let read = io::copy(&mut BoundedRows::new(input), &mut io::sink());
            let error = read.expect_err("endless").to_string();
            assert!(error.starts_with("a row has more than 1 MiB"), "{error}");
        }
    }
}
