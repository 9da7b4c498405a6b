//! The row of one action in a game's log.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::runs::files::csv_text::csv_header;

/// The columns of a log, in their order. An action of the opening has no times: no player chose it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct PlyColumns<S, T> {
    pub ply: u32,
    pub seat: S,
    pub action: S,
    pub public: S,
    pub wall_us: T,
    pub cpu_us: T,
    pub idle_cpu_us: T,
    pub left_us: T,
    pub answers: S,
    pub rules_us: T,
    pub values: S,
    pub output_bytes: T,
}

/// The header line of a log.
pub fn log_header() -> &'static [u8] {
    // Every game begins a log.
    static HEADER: LazyLock<Vec<u8>> =
        LazyLock::new(|| csv_header(&PlyColumns::<&str, Option<u64>>::default()));
    &HEADER
}

impl PlyColumns<&str, Option<u64>> {
    /// Adds the row to a log. A serializer would take several times as long. Names of seats, digests and values need no
    /// quotes.
    pub fn add_to(&self, log: &mut Vec<u8>) {
        let numbers = [self.wall_us, self.cpu_us, self.idle_cpu_us, self.left_us];
        add_number(Some(self.ply.into()), log);
        log.push(b',');
        log.extend_from_slice(self.seat.as_bytes());
        for text in [self.action, self.public] {
            log.push(b',');
            add_text(text, log);
        }
        for number in numbers {
            log.push(b',');
            add_number(number, log);
        }
        log.push(b',');
        log.extend_from_slice(self.answers.as_bytes());
        log.push(b',');
        add_number(self.rules_us, log);
        log.push(b',');
        log.extend_from_slice(self.values.as_bytes());
        log.push(b',');
        add_number(self.output_bytes, log);
        log.push(b'\n');
    }
}

/// Adds text, in quotes if it needs them.
fn add_text(text: &str, log: &mut Vec<u8>) {
    let is_plain = |byte: u8| !matches!(byte, b',' | b'"' | b'\r' | b'\n');
    if text.bytes().all(is_plain) {
        log.extend_from_slice(text.as_bytes());
        return;
    }
    log.push(b'"');
    for part in text.split_inclusive('"') {
        log.extend_from_slice(part.as_bytes());
        if part.ends_with('"') {
            log.push(b'"');
        }
    }
    log.push(b'"');
}

/// Adds the digits of a number, if there is one.
fn add_number(number: Option<u64>, log: &mut Vec<u8>) {
    if let Some(number) = number {
        log.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(row: &PlyColumns<&str, Option<u64>>) -> Vec<u8> {
        let mut builder = csv::WriterBuilder::new();
        let mut writer = builder.has_headers(false).from_writer(Vec::new());
        writer.serialize(row).unwrap();
        writer.into_inner().unwrap()
    }

    #[test]
    fn rows_are_those_of_a_writer_of_csv() {
        for action in ["a1", "", "a,1", "\"a\"", "\"", "a\"b", "a\r1", "a\n1", "ä"] {
            for number in [None, Some(0), Some(10), Some(1_234_567), Some(u64::MAX)] {
                let row = PlyColumns {
                    ply: 102,
                    seat: "red",
                    action,
                    public: "x y",
                    wall_us: number,
                    cpu_us: Some(7),
                    idle_cpu_us: Some(0),
                    left_us: None,
                    answers: "ab",
                    rules_us: number,
                    values: "a=1 b=2",
                    output_bytes: Some(90),
                };
                let mut log = Vec::new();
                row.add_to(&mut log);
                assert_eq!(log, written(&row), "{row:?}");
            }
        }
    }
}
