//! Compares a table of a run with what it should be.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

use super::VerifyError;
use crate::report::WriteTable;

/// Whether a column has intervals or probabilities, or what follows from them.
pub(super) fn is_uncertain(column: &str) -> bool {
    let ends = ["_low", "_high"];
    ends.iter().any(|end| column.ends_with(end))
        || ["margin", "superiority", "los", "corrected_elo"].contains(&column)
}

/// Names the first line that is not as it was worked out again. `uncertain` tells of a column of another
/// reckoning, whose cells are not compared.
pub(super) fn compare(
    path: PathBuf,
    uncertain: fn(&str) -> bool,
    write: &mut WriteTable<'_>,
) -> Result<(), VerifyError> {
    let found = match File::open(&path) {
        Ok(file) => BufReader::new(file),
        Err(error) => return Err(VerifyError::TableFile { path, error }),
    };
    let mut same = Same {
        found,
        line: 1,
        table: Vec::new(),
        uncertain,
        left_out: Vec::new(),
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

/// The fields of a line of CSV.
fn fields(line: &[u8]) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(line);
    let record = reader.byte_records().next().and_then(Result::ok);
    let record = record.unwrap_or_default();
    record
        .iter()
        .map(|field| String::from_utf8_lossy(field).into_owned())
        .collect()
}

/// Compares what is written to it with a file, line by line, up to the first difference.
struct Same {
    found: BufReader<File>,
    /// The number of the line that is compared next.
    line: u64,
    /// What was written of it.
    table: Vec<u8>,
    uncertain: fn(&str) -> bool,
    /// Whether each column is left out. Empty before the first line.
    left_out: Vec<bool>,
    difference: Option<(String, String)>,
}

impl Same {
    /// The file must have the line that was written, and nothing more at the end.
    fn line(&mut self) -> io::Result<()> {
        let mut found = Vec::new();
        self.found.read_until(b'\n', &mut found)?;
        if self.left_out.is_empty() {
            let names = fields(&self.table);
            self.left_out = names.iter().map(|name| (self.uncertain)(name)).collect();
        }
        if found != self.table && self.compared(&found) != self.compared(&self.table) {
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

    /// The cells of a line that are compared; of all columns, or of a line that is no row, the line.
    fn compared(&self, line: &[u8]) -> Vec<String> {
        let cells = fields(line);
        match self.left_out.contains(&true) && cells.len() == self.left_out.len() {
            true => {
                let cells = cells.into_iter().zip(&self.left_out);
                let compared = cells.filter(|(_, left_out)| !**left_out);
                compared.map(|(cell, _)| cell).collect()
            }
            false => vec![String::from_utf8_lossy(line).into_owned()],
        }
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
