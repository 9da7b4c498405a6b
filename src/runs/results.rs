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

/// One game, with the fields that ratings and tables need.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResultRow<'a> {
    /// Number of the source: pair numbers are unique only within one.
    pub source: u64,
    /// The number of the game within the source.
    pub id: Option<u64>,
    /// The name of the game played; empty if the file has none.
    pub game: &'a str,
    /// Its options as `key=value`, separated by spaces.
    pub options: &'a str,
    /// The number of the game pair within the source.
    pub pair: Option<u64>,
    /// Key for finding pairs in a source without pair numbers: two games with equal keys and swapped seats are a
    /// pair.
    pub alike: Option<u64>,
    /// The opening of the game; empty if it or the file has none.
    pub opening: &'a str,
    /// The players, by seat.
    pub names: [&'a str; 2],
    /// Who won.
    pub result: GameResult,
    /// Who forfeited.
    pub blame: Blame,
    /// Name of the termination.
    pub termination: &'a str,
    /// A digest of the actions; empty if the file has none.
    pub digest: &'a str,
    /// Date of the game's end, year first.
    pub date: &'a str,
}

/// Treatment of a row that is not a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadRows {
    /// Reading ends with an error.
    Refuse,
    /// It is left out, with a warning.
    Skip,
}

/// Encoding of a file's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// All of it is UTF-8.
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

/// Summary of a file of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Read {
    /// Encoding of its text.
    pub encoding: Encoding,
    /// Number of unfinished games, with the result `*`.
    pub unfinished: u64,
}

/// The score of a game that was not finished.
const UNFINISHED: &str = "*";

/// Reads results of any supported file one by one, in bounded memory.
///
/// A gzip file is recognised by its first two bytes, and a PGN file by its first character. Any other file is a
/// table separated by commas, semicolons or tabs. A table has a header that names the columns, in any order, or
/// no header and three columns: first player, second player, score of the first.
///
/// # Errors
/// The file cannot be read or has no supported form, or a row is bad and bad rows are refused.
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
    if file.fill_buf().map_err(cannot)?.starts_with(&gzip::MAGIC) {
        let file = BufReader::with_capacity(1 << 16, gzip::Gunzip::new(file));
        text_results(path, file, source, each, &mut refuse)
    } else {
        text_results(path, file, source, each, &mut refuse)
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

/// Callback for a bad row: its line and problem.
pub(super) type Refuse<'a> = dyn FnMut(u64, ResultProblem) -> Result<(), RecordError> + 'a;

fn bad_line(path: &Path, line: u64, problem: ResultProblem) -> RecordError {
    RecordError::new(path, RecordProblem::Result { line, problem })
}

/// The result with these points of both seats.
fn of_points(points: [f64; 2]) -> Option<GameResult> {
    let mut results = GameResult::ALL.into_iter();
    results.find(|result| result.points() == points)
}

/// The result with these points of the first seat, and the rest for its opponent.
pub(super) fn of_first(points: f64) -> Option<GameResult> {
    of_points([points, 1.0 - points])
}

/// Parses the points of the first player from the usual spellings of a score; `None` for an unfinished
/// game.
pub(super) fn points(text: &str) -> Result<Option<f64>, CellProblem> {
    match text {
        "1" | "1.0" | "1-0" => return Ok(Some(1.0)),
        "0" | "0.0" | "0-1" => return Ok(Some(0.0)),
        "0.5" | "1/2" | "½" | "1/2-1/2" | "½-½" | "0.5-0.5" | "=" => return Ok(Some(0.5)),
        UNFINISHED | "" => return Ok(None),
        _ => {}
    }
    // A file with semicolons between fields may have decimal commas.
    match text.replace(',', ".").parse::<f64>() {
        Ok(points) if [0.0, 0.5, 1.0].contains(&points) => Ok(Some(points)),
        _ => Err(CellProblem::NotAScore(text.to_owned())),
    }
}
