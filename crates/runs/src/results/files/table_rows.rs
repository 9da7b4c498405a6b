//! Reader of tables with fields separated by commas, semicolons or tabs.

use std::io::{self, BufRead};
use std::ops::Range;

use crate::config::{LONGEST_ROW, long_row};
use csv_core::ReadRecordResult;

pub(super) struct Rows<R> {
    file: R,
    parser: csv_core::Reader,
    /// Number of bytes at the start of the file's buffer that belong to the last row.
    taken: usize,
    /// The line of the next row, from 1.
    line: u64,
    begun: bool,
    /// End offsets of the fields of a plain row.
    ends: Vec<usize>,
    /// Buffers for the parser: fields without quotes, and their end offsets.
    unquoted: Vec<u8>,
    unquoted_ends: Vec<usize>,
    delimiter: u8,
}

pub(super) struct Row<'a> {
    /// Number of its first line, from 1.
    pub line: u64,
    bytes: &'a [u8],
    /// `bytes` as text, if all of it is UTF-8: then no field has to be checked.
    text: Option<&'a str>,
    ends: &'a [usize],
    /// Number of bytes between two fields.
    gap: usize,
}

impl<R: BufRead> Rows<R> {
    pub fn new(file: R) -> Self {
        Self {
            file,
            parser: csv_core::Reader::new(),
            taken: 0,
            line: 1,
            begun: false,
            ends: Vec::new(),
            unquoted: vec![0; 256],
            unquoted_ends: vec![0; 32],
            delimiter: b',',
        }
    }

    /// Detects the delimiter from the buffered part of the first row.
    fn look(&mut self) -> io::Result<()> {
        self.delimiter = delimiter(self.file.fill_buf()?);
        self.parser = csv_core::ReaderBuilder::new()
            .delimiter(self.delimiter)
            .build();
        Ok(())
    }

    /// The next row; `None` after the last one.
    pub fn read(&mut self) -> io::Result<Option<Row<'_>>> {
        self.file.consume(std::mem::take(&mut self.taken));
        let line = self.line;
        // The parser reads the first row, which may begin with a byte order mark.
        if !std::mem::replace(&mut self.begun, true) {
            self.look()?;
        } else if let Some(length) =
            plain_row(self.file.fill_buf()?, self.delimiter, &mut self.ends)
        {
            self.taken = length + 1;
            self.line += 1;
            let bytes = &self.file.fill_buf()?[..length];
            return Ok(Some(Row::new(line, bytes, &self.ends, 1)));
        }
        let Some([bytes, fields]) = self.parse()? else {
            return Ok(None);
        };
        let (bytes, ends) = (&self.unquoted[..bytes], &self.unquoted_ends[..fields]);
        Ok(Some(Row::new(line, bytes, ends, 0)))
    }

    /// Reads a row of any kind. Returns how many bytes and fields it has; `None` after the last one.
    fn parse(&mut self) -> io::Result<Option<[usize; 2]>> {
        let (mut bytes, mut fields, mut length) = (0, 0, 0);
        self.parser.set_line(self.line);
        loop {
            let (result, read, written, ended) = self.parser.read_record(
                self.file.fill_buf()?,
                &mut self.unquoted[bytes..],
                &mut self.unquoted_ends[fields..],
            );
            self.file.consume(read);
            bytes += written;
            fields += ended;
            length += read;
            if length > LONGEST_ROW {
                return Err(long_row());
            }
            self.line = self.parser.line();
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.unquoted.resize(2 * self.unquoted.len(), 0),
                ReadRecordResult::OutputEndsFull => {
                    let room = 2 * self.unquoted_ends.len();
                    self.unquoted_ends.resize(room, 0);
                }
                ReadRecordResult::Record => return Ok(Some([bytes, fields])),
                ReadRecordResult::End => return Ok(None),
            }
        }
    }
}

/// Delimiter of a table that begins with these bytes: the most frequent candidate in its first row.
pub(super) fn delimiter(begin: &[u8]) -> u8 {
    let mut quoted = false;
    let mut counts = [(b'\t', 0), (b';', 0), (b',', 0)];
    for byte in begin {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted && counts.iter().any(|(_, count)| *count > 0) => break,
            byte if !quoted => {
                for (delimiter, count) in &mut counts {
                    *count += u32::from(byte == delimiter);
                }
            }
            _ => {}
        }
    }
    // On a tie `max_by_key` returns the last, so the comma wins.
    counts
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map_or(b',', |(delimiter, _)| delimiter)
}

/// Fast path for a whole line without quotes, as most rows are: its length, with the end offsets of its fields in
/// `ends`. `None` if it needs the parser.
fn plain_row(bytes: &[u8], delimiter: u8, ends: &mut Vec<usize>) -> Option<usize> {
    ends.clear();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if *byte == delimiter => ends.push(at),
            b'\n' if at > 0 => {
                ends.push(at);
                return Some(at);
            }
            b'\n' | b'\r' | b'"' => return None,
            _ => {}
        }
    }
    None
}

impl<'a> Row<'a> {
    fn new(line: u64, bytes: &'a [u8], ends: &'a [usize], gap: usize) -> Self {
        Self {
            line,
            bytes,
            text: std::str::from_utf8(bytes).ok(),
            ends,
            gap,
        }
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn fields(&self) -> impl Iterator<Item = &'a [u8]> {
        (0..self.len()).map(|at| &self.bytes[self.range(at)])
    }

    /// A field without the spaces around it; `None` if it is not text.
    pub fn text(&self, at: usize) -> Option<&'a str> {
        let range = self.range(at);
        let known = self.text.and_then(|text| text.get(range.clone()));
        let text = known.or_else(|| std::str::from_utf8(&self.bytes[range]).ok());
        text.map(str::trim_ascii)
    }

    fn range(&self, at: usize) -> Range<usize> {
        let begin = match at {
            0 => 0,
            _ => self.ends[at - 1] + self.gap,
        };
        begin..self.ends[at]
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    type Found = Vec<(u64, Vec<Vec<u8>>)>;

    fn found(table: &[u8], buffer: usize) -> Found {
        let mut rows = Rows::new(BufReader::with_capacity(buffer, table));
        let mut found = Vec::new();
        while let Some(row) = rows.read().expect("read") {
            let fields: Vec<Vec<u8>> = row.fields().map(<[u8]>::to_vec).collect();
            for (at, field) in fields.iter().enumerate() {
                let text = std::str::from_utf8(field).ok();
                assert_eq!(row.text(at), text.map(str::trim_ascii));
            }
            found.push((row.line, fields));
        }
        found
    }

    fn expected(table: &[u8]) -> Found {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(table);
        let records = reader.byte_records().map(|record| {
            let record = record.expect("read");
            let line = record.position().map_or(0, csv::Position::line);
            (line, record.iter().map(<[u8]>::to_vec).collect())
        });
        records.collect()
    }

    #[test]
    fn every_short_table_is_read_as_by_the_library() {
        // The last two are a letter together, and no text apart.
        let pieces: [&[u8]; 7] = [b"a", b",", b"\"", b"\r", b"\n", b"\xc3", b"\xa9"];
        for number in 0..7_usize.pow(4) {
            let digits = (0..4).map(|at| number / 7_usize.pow(at) % 7);
            let row = digits
                .map(|digit| pieces[digit])
                .collect::<Vec<_>>()
                .concat();
            for table in [[b"x,y\n", &row[..], b""], [b"x\r\n", &row, b"\nb,c\n"]] {
                let table = table.concat();
                let expected = expected(&table);
                for buffer in [4, 64] {
                    let text = String::from_utf8_lossy(&table);
                    assert_eq!(found(&table, buffer), expected, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn what_the_first_row_has_most_of_separates_fields() {
        for (begin, found) in [
            ("", b','),
            ("a\nb;c", b';'),
            ("a;b;0,5\n,,,,", b';'),
            ("\u{feff}first\tsecond\tscore\r\n", b'\t'),
            ("\"a;b;c;d\",e", b','),
            ("a,b;c", b','),
        ] {
            assert_eq!(delimiter(begin.as_bytes()), found, "{begin:?}");
        }
        let rows = |table: &str| found(table.as_bytes(), 8);
        let words = |words: [&str; 3]| words.map(|word| word.as_bytes().to_vec()).to_vec();
        let expected = vec![
            (1, words(["a", "b", "0,5"])),
            (2, words(["c;d", "", "1"])),
            (3, words(["e", "f", "0"])),
        ];
        assert_eq!(rows("a;b;0,5\n\"c;d\";;1\ne;f;0\n"), expected);
        assert_eq!(rows("a\tb\t0,5\nc;d\t\t1\ne\tf\t0\n"), expected);
    }

    #[test]
    fn a_row_without_an_end_is_refused() {
        for endless in [b'x', b',', b'"'] {
            let mut rows = Rows::new(BufReader::new(io::repeat(endless)));
            let error = rows.read().map(|_| ()).expect_err("endless").to_string();
            assert!(error.starts_with("a row has more than 1 MiB"), "{error}");
        }
    }

    #[test]
    fn long_rows_and_marks_of_the_byte_order_are_read_as_by_the_library() {
        let long = format!("{}\n\"{}\"\n", "ab,".repeat(1000), "cd".repeat(1000));
        for table in [
            &long,
            "\u{feff}a,b\n\u{feff}c,d\n",
            "\u{feff}\n",
            "a, b \n c,d",
        ] {
            let expected = expected(table.as_bytes());
            for buffer in [5, 64, 10_000] {
                assert_eq!(found(table.as_bytes(), buffer), expected, "{table:?}");
            }
        }
    }
}
