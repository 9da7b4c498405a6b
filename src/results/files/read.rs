//! Results of games from files of several kinds: a run's journal, a plain table, PGN.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::problem::{Refuse, ResultProblem, bad_line};
use super::summary::{Encoding, ReadResults};
use super::{gzip, pgn, table};
use crate::results::files::problem::{ResultsError, ResultsProblem};
use crate::results::row::ResultRow;

/// Treatment of a row that is not a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadRows {
    /// Reading ends with an error.
    Refuse,
    /// It is left out, with a warning.
    Skip,
}

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
    warn: &mut dyn FnMut(&ResultsError),
) -> Result<ReadResults, ResultsError> {
    let cannot = |error| ResultsError::new(path, ResultsProblem::Read(error));
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
                encoding: Encoding::Utf8,
                unfinished,
            })
        }
    }
}
