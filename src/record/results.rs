//! Results of games from files of several kinds: a run's journal, a plain table, PGN.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::{RecordError, pgn};
use crate::game::{Blame, GameResult};

/// One game, as far as ratings go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResultRow<'a> {
    /// Tells the sources of results apart, so that their pairs are not mixed up.
    pub source: u64,
    /// The name of the game played; empty where the file does not say.
    pub game: &'a str,
    /// Its options as `key=value`, separated by spaces.
    pub options: &'a str,
    /// The number of the game pair within the source.
    pub pair: Option<u64>,
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

/// What becomes of a row that is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadRows {
    /// Reading ends with an error.
    Refuse,
    /// It is told and left out.
    Skip,
}

/// Reads results one by one, whatever kind of file they are in, and never holds more than one.
///
/// PGN is told by its first character; any other file is a table separated by commas. It has a
/// header that names the columns, in any order, or no header and the three columns first player,
/// second player, score of the first.
pub fn read_results(
    path: &Path,
    source: u64,
    bad: BadRows,
    each: &mut dyn FnMut(&ResultRow<'_>),
    warn: &mut dyn FnMut(String),
) -> Result<(), RecordError> {
    let cannot = |error: std::io::Error| RecordError::new(path, format!("cannot be read: {error}"));
    let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(cannot)?);
    let begin = file.fill_buf().map_err(cannot)?;
    let first = begin
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(begin)
        .iter()
        .find(|byte| !byte.is_ascii_whitespace());
    let mut problem = |line: u64, problem: &dyn Display| {
        let error = RecordError::new(path, format!("line {line}: {problem}"));
        match bad {
            BadRows::Refuse => Err(error),
            BadRows::Skip => {
                warn(format!("{error}; left out"));
                Ok(())
            }
        }
    };
    match first {
        None => Err(RecordError::new(path, "is empty")),
        Some(b'[') => {
            pgn::read(file, source, each, &mut problem).map_err(|error| error.into_record(path))
        }
        Some(_) => {
            let reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .from_reader(file);
            table(path, reader, source, each, &mut problem)
        }
    }
}

/// Reading stopped.
pub(super) enum Stop {
    Io(std::io::Error),
    Record(RecordError),
}

impl Stop {
    fn into_record(self, path: &Path) -> RecordError {
        match self {
            Stop::Io(error) => RecordError::new(path, format!("cannot be read: {error}")),
            Stop::Record(error) => error,
        }
    }
}

/// Tells of a bad row by its line.
pub(super) type Problem<'a> = dyn FnMut(u64, &dyn Display) -> Result<(), RecordError> + 'a;

/// A column of a table of results, and where it stands in this file.
#[derive(Debug, Clone, Copy)]
struct Column {
    /// The names that it may have.
    names: &'static [&'static str],
    place: Option<usize>,
}

/// The columns that are read.
#[derive(Debug, Clone, Copy)]
struct Columns {
    first: Column,
    second: Column,
    score: Column,
    second_score: Column,
    game: Column,
    options: Column,
    pair: Column,
    termination: Column,
    forfeited_by: Column,
    digest: Column,
    date: Column,
    /// How many fields a row has.
    width: usize,
}

impl Columns {
    /// The columns as the first line of a file has them, and whether that line is a header.
    fn find(record: &csv::ByteRecord) -> Result<(Self, bool), String> {
        let header: Vec<String> = record
            .iter()
            .map(|name| String::from_utf8_lossy(name.trim_ascii()).to_ascii_lowercase())
            .collect();
        let find = |names: &'static [&'static str]| Column {
            names,
            place: header
                .iter()
                .position(|name| names.contains(&name.as_str())),
        };
        let mut columns = Self {
            first: find(&["first", "white"]),
            second: find(&["second", "black"]),
            score: find(&["first_points", "score", "result", "points"]),
            second_score: find(&["second_points"]),
            game: find(&["game"]),
            options: find(&["options"]),
            pair: find(&["pair"]),
            termination: find(&["termination"]),
            forfeited_by: find(&["forfeited_by"]),
            digest: find(&["actions_digest"]),
            date: find(&["date"]),
            width: record.len(),
        };
        let needed = [columns.first, columns.second, columns.score];
        if needed.iter().all(|column| column.place.is_none()) {
            return match header.as_slice() {
                [_, _, score] if points(score).is_ok() => {
                    columns.first.place = Some(0);
                    columns.second.place = Some(1);
                    columns.score.place = Some(2);
                    Ok((columns, false))
                }
                _ => Err(
                    "neither a header with the columns `first`, `second`, `first_points` (or \
                     `white`, `black`, `score`) nor a row of these three"
                        .to_owned(),
                ),
            };
        }
        match needed.iter().find(|column| column.place.is_none()) {
            Some(missing) => Err(format!(
                "the header has no column `{}`",
                missing.names.join("` or `")
            )),
            None => Ok((columns, true)),
        }
    }
}

impl Column {
    /// A problem with this column.
    fn bad(&self, problem: impl Display) -> String {
        let number = self.place.unwrap_or_default() + 1;
        format!(
            "column {number} (`{}`): {problem}",
            self.names.join("` or `")
        )
    }

    /// What a row has in this column; nothing where the file has no such column.
    fn text<'a>(&self, record: &'a csv::ByteRecord) -> Result<&'a str, String> {
        let bytes = self.place.and_then(|place| record.get(place));
        std::str::from_utf8(bytes.unwrap_or_default().trim_ascii())
            .map_err(|_| self.bad("is not UTF-8"))
    }
}

fn table(
    path: &Path,
    mut reader: csv::Reader<BufReader<File>>,
    source: u64,
    each: &mut dyn FnMut(&ResultRow<'_>),
    problem: &mut Problem<'_>,
) -> Result<(), RecordError> {
    let mut record = csv::ByteRecord::new();
    let mut columns = None;
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => return Err(RecordError::new(path, format!("cannot be read: {error}"))),
        }
        let line = record.position().map_or(0, csv::Position::line);
        let known = match columns {
            Some(known) => known,
            None => {
                let (found, is_header) = Columns::find(&record)
                    .map_err(|problem| RecordError::new(path, format!("line {line}: {problem}")))?;
                columns = Some(found);
                if is_header {
                    continue;
                }
                found
            }
        };
        match row(&record, &known, source) {
            Ok(row) => each(&row),
            Err(bad) => problem(line, &bad)?,
        }
    }
}

fn row<'a>(
    record: &'a csv::ByteRecord,
    columns: &Columns,
    source: u64,
) -> Result<ResultRow<'a>, String> {
    if record.len() != columns.width {
        return Err(format!(
            "{} fields, expected {}",
            record.len(),
            columns.width
        ));
    }
    let names = [columns.first.text(record)?, columns.second.text(record)?];
    for (name, column) in names.into_iter().zip([columns.first, columns.second]) {
        if name.is_empty() {
            return Err(column.bad("no player"));
        }
    }
    if names[0] == names[1] {
        let problem = format!("{} cannot play itself", quoted(names[0]));
        return Err(columns.second.bad(problem));
    }
    let score =
        |column: &Column| points(column.text(record)?).map_err(|problem| column.bad(problem));
    let first =
        score(&columns.score)?.ok_or_else(|| columns.score.bad("the game has no result"))?;
    let second = score(&columns.second_score)?.unwrap_or(1.0 - first);
    let result = of_points([first, second]).ok_or_else(|| {
        columns
            .second_score
            .bad(format!("{first} and {second} points are no result"))
    })?;
    let pair = match columns.pair.text(record)? {
        "" => None,
        pair => Some(pair.parse().map_err(|_| {
            columns
                .pair
                .bad(format!("{} is not a whole number", quoted(pair)))
        })?),
    };
    Ok(ResultRow {
        source,
        game: columns.game.text(record)?,
        options: columns.options.text(record)?,
        pair,
        names,
        result,
        // A file from elsewhere may name somebody who did not play.
        blame: Blame::from_name(names, columns.forfeited_by.text(record)?).unwrap_or(Blame::Nobody),
        termination: columns.termination.text(record)?,
        digest: columns.digest.text(record)?,
        date: columns.date.text(record)?,
    })
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
pub(super) fn points(text: &str) -> Result<Option<f64>, String> {
    match text {
        "1" | "1.0" | "1-0" => return Ok(Some(1.0)),
        "0" | "0.0" | "0-1" => return Ok(Some(0.0)),
        "0.5" | "1/2" | "½" | "1/2-1/2" | "½-½" | "0.5-0.5" | "=" => return Ok(Some(0.5)),
        "*" | "" => return Ok(None),
        _ => {}
    }
    match text.parse::<f64>() {
        Ok(points) if [0.0, 0.5, 1.0].contains(&points) => Ok(Some(points)),
        _ => Err(format!(
            "{} is not a score: expected 1, 0.5 or 0",
            quoted(text)
        )),
    }
}

/// What a file has, for a message of one line.
pub(super) fn quoted(text: &str) -> String {
    let begin: String = text.chars().take(40).collect();
    format!("`{}`", begin.escape_debug())
}
