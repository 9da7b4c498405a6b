//! Other people's files of results: tables, PGN, anchors.

pub(super) mod anchors;
mod pgn;
mod table;

use std::io::{self, BufRead};
use std::path::Path;

use crate::config::{Encoding, open_text};
use crate::game::GameResult;
use crate::results::ResultRow;
use crate::runs::FileError;
use crate::text::{excerpt, quoted};

pub type ResultsError = FileError<ResultsProblem>;

#[derive(Debug, thiserror::Error)]
pub enum ResultsProblem {
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    #[error("is empty")]
    Empty,
    #[error("line {line}: {problem}")]
    Line { line: u64, problem: String },
}

/// Upper bounds on the columns named in a message, and on the characters of each name.
const NAMED: usize = 20;
const LONGEST_NAME: usize = 40;

fn header_names<T: AsRef<str>>(columns: &[T]) -> String {
    let names = columns.iter().take(NAMED);
    let names: Vec<String> = names
        .map(|name| excerpt(name.as_ref().trim(), LONGEST_NAME))
        .collect();
    let names = names.join("`, `");
    match columns.len().saturating_sub(NAMED) {
        0 => format!("`{names}`"),
        more => format!("`{names}` and {more} more"),
    }
}

/// Callback for a bad row: its line, and why it holds no result.
type Refuse<'a> = dyn FnMut(u64, String) -> Result<(), ResultsError> + 'a;

fn bad_line(path: &Path, line: u64, problem: String) -> ResultsError {
    ResultsError::new(path, ResultsProblem::Line { line, problem })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadRows {
    Refuse,
    Skip,
}

/// Reads results of any supported file one by one, in bounded memory.
///
/// A PGN file is recognised by its first character. Any other file is a
/// table separated by commas, semicolons or tabs. A table has a header that names the columns, in any order, or
/// no header and three columns: first player, second player, score of the first.
pub fn read_results(
    path: &Path,
    source: u64,
    bad: BadRows,
    each: &mut dyn FnMut(&ResultRow<'_>),
    warn: &mut dyn FnMut(&ResultsError),
) -> Result<ReadResults, ResultsError> {
    let cannot = |error| ResultsError::new(path, ResultsProblem::Read(error));
    let mut refuse = |line: u64, problem: String| {
        let error = bad_line(path, line, problem);
        match bad {
            BadRows::Refuse => Err(error),
            BadRows::Skip => {
                warn(&error);
                Ok(())
            }
        }
    };
    let file = open_text(path).map_err(cannot)?;
    text_results(path, file, source, each, &mut refuse)
}

fn text_results(
    path: &Path,
    mut file: impl BufRead,
    source: u64,
    each: &mut dyn FnMut(&ResultRow<'_>),
    refuse: &mut Refuse<'_>,
) -> Result<ReadResults, ResultsError> {
    let begin = file
        .fill_buf()
        .map_err(|error| ResultsError::new(path, ResultsProblem::Read(error)))?;
    let first = begin
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(begin)
        .iter()
        .find(|byte| !byte.is_ascii_whitespace())
        .copied();
    match first {
        None => Err(ResultsError::new(path, ResultsProblem::Empty)),
        // A tag, or one of three kinds of comment.
        Some(b'[' | b'%' | b';' | b'{') => pgn::read(path, file, source, each, refuse),
        Some(_) => {
            let unfinished = table::read(path, file, source, each, refuse)?;
            Ok(ReadResults {
                unfinished,
                ..ReadResults::default()
            })
        }
    }
}

fn one_player(name: &str) -> String {
    format!("`{}` cannot play itself", quoted(name))
}

const UNFINISHED: &str = "*";

fn of_points(points: [f64; 2]) -> Option<GameResult> {
    let mut results = GameResult::OF_TWO.into_iter();
    results.find(|result| result.points_of_two() == points)
}

/// The result with these points of the first seat, and the rest for its opponent.
fn of_first(points: f64) -> Option<GameResult> {
    of_points([points, 1.0 - points])
}

/// Parses the points of the first player from the usual spellings of a score; `None` for an unfinished
/// game.
fn points(text: &str) -> Result<Option<f64>, String> {
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
        _ => Err(format!(
            "`{}` is not a score: expected 1-0, 1/2-1/2, 0-1 or 1, 0.5, 0",
            quoted(text)
        )),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadResults {
    pub encoding: Encoding,
    /// Number of unfinished games, with the result `*`.
    pub unfinished: u64,
    /// Whether it is PGN whose rounds look like game pairs, and no game says its opening.
    pub lacks_openings: bool,
}
