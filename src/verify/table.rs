//! Compares a table of a run with the one computed from its games.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::path::PathBuf;

use super::error::VerifyError;
use crate::config::LONGEST_ROW;
use crate::report::WriteTable;

/// Compares a file with the table that `write` writes. The error names the first different line.
pub(super) fn compare(path: PathBuf, write: &mut WriteTable<'_>) -> Result<(), VerifyError> {
    let found = match File::open(&path) {
        Ok(file) => BufReader::new(file),
        Err(error) => return Err(VerifyError::TableFile { path, error }),
    };
    let mut same = Same {
        found,
        line: 1,
        table: Vec::new(),
        difference: None,
    };
    let written = write(&mut same).and_then(|()| same.end());
    match same.difference {
        Some((found, expected)) => Err(VerifyError::Table {
            path,
            line: same.line,
            found,
            expected,
        }),
        None => written.map_err(|error| VerifyError::TableFile { path, error }),
    }
}

/// Compares the bytes written to it with a file, line by line, up to the first difference.
struct Same {
    found: BufReader<File>,
    /// Number of the next line.
    line: u64,
    /// The text that was written of it.
    table: Vec<u8>,
    difference: Option<(String, String)>,
}

impl Same {
    /// The file must have the line that was written, and nothing more at the end.
    fn line(&mut self) -> io::Result<()> {
        let mut found = Vec::new();
        let most = self.table.len() as u64 + LONGEST_ROW as u64;
        (&mut self.found).take(most).read_until(b'\n', &mut found)?;
        if found != self.table {
            let text = |bytes: &[u8]| {
                String::from_utf8_lossy(bytes)
                    .trim_end_matches('\n')
                    .to_owned()
            };
            self.difference = Some((text(&found), text(&self.table)));
            return Err(io::Error::other("it is different"));
        }
        self.table.clear();
        self.line += 1;
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.line()
    }
}

impl Write for Same {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.table.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
