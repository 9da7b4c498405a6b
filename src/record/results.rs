//! Results of games from files of several kinds: a run's journal, a plain table, PGN.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::row::quoted;
use super::{RecordError, RecordProblem, pgn};
use crate::game::{Blame, GameResult};

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

/// Reads results one by one, whatever kind of file they are in, and never holds more than one. Returns the
/// encoding of the file.
///
/// A file that is compressed by gzip is recognised by its first two bytes, and a PGN file by its first
/// character; any other file is a table separated by commas. It has a header that names the columns, in any
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
) -> Result<Encoding, RecordError> {
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
    match file.fill_buf().map_err(cannot)?.starts_with(&GZIP) {
        true => {
            let file = BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file));
            text_results(path, file, source, each, &mut refuse)
        }
        false => text_results(path, file, source, each, &mut refuse),
    }
}

/// The first bytes of a file that is compressed by gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

fn text_results(
    path: &Path,
    mut file: impl BufRead,
    source: u64,
    each: &mut dyn FnMut(&ResultRow<'_>),
    refuse: &mut Refuse<'_>,
) -> Result<Encoding, RecordError> {
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
            let reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .from_reader(file);
            table(path, reader, source, each, refuse)?;
            Ok(Encoding::Utf8)
        }
    }
}

/// What becomes of a bad row, by its line.
pub(super) type Refuse<'a> = dyn FnMut(u64, ResultProblem) -> Result<(), RecordError> + 'a;

fn bad_line(path: &Path, line: u64, problem: ResultProblem) -> RecordError {
    RecordError::new(path, RecordProblem::Result { line, problem })
}

/// Why a line holds no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ResultProblem {
    /// The first line of a table is not one.
    #[error(
        "neither a header with the columns `first`, `second`, `first_points` (or `white`, `black`, \
         `score`) nor a row of these three"
    )]
    NotATable,
    /// A column is missing.
    #[error("the header has no column `{0}`")]
    NoColumn(String),
    /// A row has another number of fields than the first.
    #[error("{found} fields, expected {expected}")]
    Fields { found: usize, expected: usize },
    /// A cell of a table.
    #[error("column {number} (`{names}`): {problem}")]
    Cell {
        number: usize,
        names: String,
        #[source]
        problem: CellProblem,
    },
    /// A header of a game in PGN.
    #[error("header `{name}`: {problem}")]
    Header {
        name: &'static str,
        #[source]
        problem: CellProblem,
    },
    /// A game in PGN without a header that it needs.
    #[error("the game that begins here has no header `{0}`")]
    NoHeader(&'static str),
    /// A comment in PGN has no end.
    #[error("the comment that begins here with `{{` has no `}}`")]
    OpenComment,
    /// A line in PGN is too long to be kept in memory.
    #[error("longer than {0} bytes: break the line")]
    LongLine(usize),
    /// There is no tag in PGN.
    #[error(
        "no game begins in this file: expected `[White \"NAME\"]`, `[Black \"NAME\"]` and `[Result \"1-0\"]`"
    )]
    NoGame,
    /// A game in PGN between one player.
    #[error(transparent)]
    Players(CellProblem),
}

/// What is wrong with one value.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CellProblem {
    /// It is not text.
    #[error("is not UTF-8")]
    NotText,
    /// It names nobody.
    #[error("no player")]
    NoPlayer,
    /// Both players are one.
    #[error("`{}` cannot play itself", quoted(.0))]
    OnePlayer(String),
    /// It is not a score.
    #[error("`{}` is not a score: expected 1, 0.5 or 0", quoted(.0))]
    NotAScore(String),
    /// The game was not finished.
    #[error("the game has no result")]
    NoResult,
    /// No game ends with these points.
    #[error("{0} and {1} points are not a result")]
    NotAResult(f64, f64),
    /// It is not a number.
    #[error("`{}` is not a whole number", quoted(.0))]
    NotANumber(String),
}

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
    id: Column,
    game: Column,
    options: Column,
    pair: Column,
    opening: Column,
    termination: Column,
    forfeited_by: Column,
    digest: Column,
    date: Column,
    /// How many fields a row has.
    width: usize,
}

impl Columns {
    /// The columns as the first line of a file has them, and whether that line is a header.
    fn find(record: &csv::ByteRecord) -> Result<(Self, bool), ResultProblem> {
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
            id: find(&["id"]),
            game: find(&["game"]),
            options: find(&["options"]),
            pair: find(&["pair"]),
            opening: find(&["opening"]),
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
                _ => Err(ResultProblem::NotATable),
            };
        }
        match needed.iter().find(|column| column.place.is_none()) {
            Some(missing) => Err(ResultProblem::NoColumn(missing.names.join("` or `"))),
            None => Ok((columns, true)),
        }
    }
}

impl Column {
    /// A problem with this column.
    fn bad(&self, problem: CellProblem) -> ResultProblem {
        ResultProblem::Cell {
            number: self.place.unwrap_or_default() + 1,
            names: self.names.join("` or `"),
            problem,
        }
    }

    /// What a row has in this column; nothing where the file has no such column.
    fn text<'a>(&self, record: &'a csv::ByteRecord) -> Result<&'a str, ResultProblem> {
        let bytes = self.place.and_then(|place| record.get(place));
        std::str::from_utf8(bytes.unwrap_or_default().trim_ascii())
            .map_err(|_| self.bad(CellProblem::NotText))
    }
}

fn table(
    path: &Path,
    mut reader: csv::Reader<impl Read>,
    source: u64,
    each: &mut dyn FnMut(&ResultRow<'_>),
    refuse: &mut Refuse<'_>,
) -> Result<(), RecordError> {
    let mut record = csv::ByteRecord::new();
    let mut columns = None;
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => {
                let error = std::io::Error::other(error);
                return Err(RecordError::new(path, RecordProblem::Read(error)));
            }
        }
        let line = record.position().map_or(0, csv::Position::line);
        let known = match columns {
            Some(known) => known,
            None => {
                let (found, is_header) =
                    Columns::find(&record).map_err(|problem| bad_line(path, line, problem))?;
                columns = Some(found);
                if is_header {
                    continue;
                }
                found
            }
        };
        match row(&record, &known, source) {
            Ok(row) => each(&row),
            Err(problem) => refuse(line, problem)?,
        }
    }
}

fn row<'a>(
    record: &'a csv::ByteRecord,
    columns: &Columns,
    source: u64,
) -> Result<ResultRow<'a>, ResultProblem> {
    if record.len() != columns.width {
        return Err(ResultProblem::Fields {
            found: record.len(),
            expected: columns.width,
        });
    }
    let names = [columns.first.text(record)?, columns.second.text(record)?];
    for (name, column) in names.into_iter().zip([columns.first, columns.second]) {
        if name.is_empty() {
            return Err(column.bad(CellProblem::NoPlayer));
        }
    }
    if names[0] == names[1] {
        let problem = CellProblem::OnePlayer(names[0].to_owned());
        return Err(columns.second.bad(problem));
    }
    let score =
        |column: &Column| points(column.text(record)?).map_err(|problem| column.bad(problem));
    let first = score(&columns.score)?.ok_or_else(|| columns.score.bad(CellProblem::NoResult))?;
    let second = score(&columns.second_score)?.unwrap_or(1.0 - first);
    let result = of_points([first, second]).ok_or_else(|| {
        columns
            .second_score
            .bad(CellProblem::NotAResult(first, second))
    })?;
    let pair = match columns.pair.text(record)? {
        "" => None,
        pair => Some(
            pair.parse()
                .map_err(|_| columns.pair.bad(CellProblem::NotANumber(pair.to_owned())))?,
        ),
    };
    Ok(ResultRow {
        source,
        // A table from elsewhere may have other names for its games.
        id: columns.id.text(record)?.parse().ok(),
        game: columns.game.text(record)?,
        options: columns.options.text(record)?,
        pair,
        opening: columns.opening.text(record)?,
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
pub(super) fn points(text: &str) -> Result<Option<f64>, CellProblem> {
    match text {
        "1" | "1.0" | "1-0" => return Ok(Some(1.0)),
        "0" | "0.0" | "0-1" => return Ok(Some(0.0)),
        "0.5" | "1/2" | "½" | "1/2-1/2" | "½-½" | "0.5-0.5" | "=" => return Ok(Some(0.5)),
        "*" | "" => return Ok(None),
        _ => {}
    }
    match text.parse::<f64>() {
        Ok(points) if [0.0, 0.5, 1.0].contains(&points) => Ok(Some(points)),
        _ => Err(CellProblem::NotAScore(text.to_owned())),
    }
}
