//! Results of games from files of several kinds: a run's journal, a plain table, PGN.

mod gzip;
mod pair_numbers;
mod problem;
mod rows;
mod table;

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::{RecordError, RecordProblem, pgn};
use crate::game::{Blame, GameResult};
pub use problem::{CellProblem, Found, Opened, ResultProblem};
pub(super) use rows::delimiter;

/// One game, as far as ratings go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResultRow<'a> {
    /// Tells the sources of results apart, so that their pairs are not mixed up.
    pub source: u64,
    /// The number of the game within the source.
    pub id: Option<u64>,
    /// The name of the game played; empty where the file does not say.
    pub game: &'a str,
    /// Its options as `key=value`, separated by spaces.
    pub options: &'a str,
    /// The number of the game pair within the source.
    pub pair: Option<u64>,
    /// What the game has in common with others of the source, where pairs have no number: those that are two, with
    /// swapped seats, are a pair.
    pub alike: Option<u64>,
    /// The opening from which the game began; empty where there is none, or the file does not say.
    pub opening: &'a str,
    /// The players, by seat.
    pub names: [&'a str; 2],
    /// Who won.
    pub result: GameResult,
    /// Who forfeited.
    pub blame: Blame,
    /// In which way the game ended.
    pub termination: &'a str,
    /// A digest of what was played; empty where the file has none.
    pub digest: &'a str,
    /// When the game ended, year first.
    pub date: &'a str,
}

/// What becomes of a row that is not a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadRows {
    /// Reading ends with an error.
    Refuse,
    /// It is left out, with a warning.
    Skip,
}

/// In which encoding a file has its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// All of it is UTF-8.
    #[default]
    Utf8,
    /// Some of it is not UTF-8, and was read as Windows-1252, which is Latin-1 with more signs.
    Windows1252,
}

/// The characters of the bytes from 0x80 to 0x9f. The five that have none keep their number.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

impl Encoding {
    /// The text of these bytes, and remembers if they are not UTF-8.
    pub(super) fn text<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, str> {
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

/// What was found in a file beside its results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Read {
    /// In which encoding its text is.
    pub encoding: Encoding,
    /// How many games have no result, because they were not finished: `*`.
    pub unfinished: u64,
}

/// The score of a game that was not finished.
const UNFINISHED: &str = "*";

/// Reads results one by one, whatever kind of file they are in, and never holds more than one.
///
/// A file that is compressed by gzip is recognised by its first two bytes, and a PGN file by its first
/// character; any other file is a table separated by commas, semicolons or tabs. It has a header that names the columns, in any
/// order, or no header and the three columns first player, second player, score of the first.
///
/// # Errors
/// The file cannot be read, or is none of these; or a row is bad, and bad rows are refused.
pub fn read_results(
    path: &Path,
    source: u64,
    bad: BadRows,
    each: &mut dyn FnMut(&ResultRow<'_>),
    warn: &mut dyn FnMut(&RecordError),
) -> Result<Read, RecordError> {
    let cannot = |error| RecordError::new(path, RecordProblem::Read(error));
    let mut refuse = |line: u64, problem: ResultProblem| {
        let error = bad_line(path, line, problem);
        match bad {
            BadRows::Refuse => Err(error),
            BadRows::Skip => {
                warn(&error);
                Ok(())
            }
        }
    };
    let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(cannot)?);
    match file.fill_buf().map_err(cannot)?.starts_with(&gzip::MAGIC) {
        true => {
            let file = BufReader::with_capacity(1 << 16, gzip::Gunzip::new(file));
            text_results(path, file, source, each, &mut refuse)
        }
        false => text_results(path, file, source, each, &mut refuse),
    }
}

fn text_results(
    path: &Path,
    mut file: impl BufRead,
    source: u64,
    each: &mut dyn FnMut(&ResultRow<'_>),
    refuse: &mut Refuse<'_>,
) -> Result<Read, RecordError> {
    let begin = file
        .fill_buf()
        .map_err(|error| RecordError::new(path, RecordProblem::Read(error)))?;
    let first = begin
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(begin)
        .iter()
        .find(|byte| !byte.is_ascii_whitespace())
        .copied();
    match first {
        None => Err(RecordError::new(path, RecordProblem::Empty)),
        // A tag, or one of three kinds of comment.
        Some(b'[' | b'%' | b';' | b'{') => pgn::read(path, file, source, each, refuse),
        Some(_) => {
            let unfinished = table::read(path, file, source, each, refuse)?;
            Ok(Read {
                encoding: Encoding::Utf8,
                unfinished,
            })
        }
    }
}

/// What becomes of a bad row, by its line.
pub(super) type Refuse<'a> = dyn FnMut(u64, ResultProblem) -> Result<(), RecordError> + 'a;

fn bad_line(path: &Path, line: u64, problem: ResultProblem) -> RecordError {
    RecordError::new(path, RecordProblem::Result { line, problem })
}

/// The result in which both seats have these points.
fn of_points(points: [f64; 2]) -> Option<GameResult> {
    let mut results = GameResult::ALL.into_iter();
    results.find(|result| result.points() == points)
}

/// The result in which the first seat has these points, and its opponent the rest.
pub(super) fn of_first(points: f64) -> Option<GameResult> {
    of_points([points, 1.0 - points])
}

/// The points of the first player from a score as people write it; `None` for a game that was not
/// finished.
pub(super) fn points(text: &str) -> Result<Option<f64>, CellProblem> {
    match text {
        "1" | "1.0" | "1-0" => return Ok(Some(1.0)),
        "0" | "0.0" | "0-1" => return Ok(Some(0.0)),
        "0.5" | "1/2" | "½" | "1/2-1/2" | "½-½" | "0.5-0.5" | "=" => return Ok(Some(0.5)),
        UNFINISHED | "" => return Ok(None),
        _ => {}
    }
    // Where fields are separated by semicolons, a half is `0,5`.
    match text.replace(',', ".").parse::<f64>() {
        Ok(points) if [0.0, 0.5, 1.0].contains(&points) => Ok(Some(points)),
        _ => Err(CellProblem::NotAScore(text.to_owned())),
    }
}
