//! Results of games from files of several kinds: a run's journal, a plain table, PGN.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::{RecordError, pgn};

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
    /// Their points.
    pub points: [f64; 2],
    /// Who of them forfeited.
    pub forfeited: [bool; 2],
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

/// The columns that are read, with the other names they may have.
const NAMES: [&[&str]; 11] = [
    &["first", "white"],
    &["second", "black"],
    &["first_points", "score", "result", "points"],
    &["second_points"],
    &["game"],
    &["options"],
    &["pair"],
    &["termination"],
    &["forfeited_by"],
    &["actions_digest"],
    &["date"],
];

const FIRST: usize = 0;
const SECOND: usize = 1;
const SCORE: usize = 2;
const OTHER: usize = 3;
const GAME: usize = 4;
const OPTIONS: usize = 5;
const PAIR: usize = 6;
const TERMINATION: usize = 7;
const FORFEIT: usize = 8;
const DIGEST: usize = 9;
const DATE: usize = 10;

/// Where each column stands in this file.
type Places = [Option<usize>; NAMES.len()];

fn table(
    path: &Path,
    mut reader: csv::Reader<BufReader<File>>,
    source: u64,
    each: &mut dyn FnMut(&ResultRow<'_>),
    problem: &mut Problem<'_>,
) -> Result<(), RecordError> {
    let mut record = csv::ByteRecord::new();
    let mut layout: Option<(Places, usize)> = None;
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => return Err(RecordError::new(path, format!("cannot be read: {error}"))),
        }
        let line = record.position().map_or(0, csv::Position::line);
        let (places, width) = match layout {
            Some(layout) => layout,
            None => {
                let (places, is_header) = places(&record)
                    .map_err(|problem| RecordError::new(path, format!("line {line}: {problem}")))?;
                layout = Some((places, record.len()));
                if is_header {
                    continue;
                }
                (places, record.len())
            }
        };
        match row(&record, &places, width, source) {
            Ok(row) => each(&row),
            Err(bad) => problem(line, &bad)?,
        }
    }
}

/// Where the columns stand, from the first line, and whether that is a header.
fn places(record: &csv::ByteRecord) -> Result<(Places, bool), String> {
    let header: Vec<String> = record
        .iter()
        .map(|name| String::from_utf8_lossy(name.trim_ascii()).to_ascii_lowercase())
        .collect();
    let mut places = [None; NAMES.len()];
    for (place, names) in places.iter_mut().zip(NAMES) {
        *place = header
            .iter()
            .position(|name| names.contains(&name.as_str()));
    }
    let needed = [FIRST, SECOND, SCORE];
    if needed.iter().all(|column| places[*column].is_none()) {
        if let [_, _, score] = header.as_slice()
            && points(score).is_ok()
        {
            let mut places = [None; NAMES.len()];
            for column in needed {
                places[column] = Some(column);
            }
            return Ok((places, false));
        }
        return Err(
            "neither a header with the columns `first`, `second`, `first_points` (or `white`, \
             `black`, `score`) nor a row of these three"
                .to_owned(),
        );
    }
    for column in needed {
        if places[column].is_none() {
            return Err(format!(
                "the header has no column `{}`",
                NAMES[column].join("` or `")
            ));
        }
    }
    Ok((places, true))
}

fn row<'a>(
    record: &'a csv::ByteRecord,
    places: &Places,
    width: usize,
    source: u64,
) -> Result<ResultRow<'a>, String> {
    if record.len() != width {
        return Err(format!("{} fields, expected {width}", record.len()));
    }
    let text = |column: usize| -> Result<&str, String> {
        let bytes = places[column].and_then(|place| record.get(place));
        std::str::from_utf8(bytes.unwrap_or_default().trim_ascii())
            .map_err(|_| format!("{}: is not UTF-8", named(column, places)))
    };
    let at = |column: usize, problem: String| format!("{}: {problem}", named(column, places));
    let names = [text(FIRST)?, text(SECOND)?];
    for (name, column) in names.into_iter().zip([FIRST, SECOND]) {
        if name.is_empty() {
            return Err(at(column, "no player".to_owned()));
        }
    }
    if names[0] == names[1] {
        return Err(at(
            SECOND,
            format!("{} cannot play itself", quoted(names[0])),
        ));
    }
    let score = points(text(SCORE)?).map_err(|problem| at(SCORE, problem))?;
    let score = score.ok_or_else(|| at(SCORE, "the game has no result".to_owned()))?;
    let other = match places[OTHER] {
        Some(_) => points(text(OTHER)?)
            .map_err(|problem| at(OTHER, problem))?
            .unwrap_or(1.0 - score),
        None => 1.0 - score,
    };
    if score + other != 1.0 && score + other != 0.0 {
        return Err(at(
            OTHER,
            format!("{score} and {other} points are no result"),
        ));
    }
    let pair = match text(PAIR)? {
        "" => None,
        pair => Some(
            pair.parse()
                .map_err(|_| at(PAIR, format!("{} is not a whole number", quoted(pair))))?,
        ),
    };
    Ok(ResultRow {
        source,
        game: text(GAME)?,
        options: text(OPTIONS)?,
        pair,
        names,
        points: [score, other],
        forfeited: forfeits(names, text(FORFEIT)?),
        termination: text(TERMINATION)?,
        digest: text(DIGEST)?,
        date: text(DATE)?,
    })
}

fn named(column: usize, places: &Places) -> String {
    let number = places[column].unwrap_or_default() + 1;
    format!("column {number} (`{}`)", NAMES[column].join("` or `"))
}

/// Who forfeited: `forfeited_by` is a name, `both`, or empty.
pub(super) fn forfeits(names: [&str; 2], forfeited_by: &str) -> [bool; 2] {
    names.map(|name| forfeited_by == name || forfeited_by == "both")
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
