//! Problems with results.

use std::fmt;
use std::io;
use std::path::Path;

use crate::runs::FileError;
use crate::text::{excerpt, quoted};

/// A file of results that cannot be read.
pub type ResultsError = FileError<ResultsProblem>;

/// Problem with a file of results.
#[derive(Debug, thiserror::Error)]
pub enum ResultsProblem {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It is empty.
    #[error("is empty")]
    Empty,
    /// A line of a file of results holds no result.
    #[error("line {line}: {problem}")]
    Line {
        line: u64,
        #[source]
        problem: ResultProblem,
    },
}

/// Why a line holds no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ResultProblem {
    /// The first line is neither a header nor a row of a table.
    #[error(
        "neither a header with the columns `first`, `second`, `first_points` (or `white`, `black`, \
         `score`) nor a row of these three; it has {0}"
    )]
    NotATable(HeaderNames),
    /// A column is missing.
    #[error("the header has no column `{missing}`; it has {found}")]
    NoColumn { missing: String, found: HeaderNames },
    /// Two columns have one meaning, and could contradict each other.
    #[error(
        "columns {} (`{}`) and {} (`{}`) of the header stand for the same: remove or rename one",
        .numbers[0], .names[0], .numbers[1], .names[1]
    )]
    SameColumn {
        numbers: [usize; 2],
        names: [String; 2],
    },
    /// A row has another number of fields than the first.
    #[error("{found} fields, expected {expected}")]
    Fields { found: usize, expected: usize },
    /// A problem with a cell of a table.
    #[error("column {number} (`{names}`): {problem}")]
    Cell {
        number: usize,
        names: String,
        #[source]
        problem: CellProblem,
    },
    /// A problem with a header of a game in PGN.
    #[error("header `{name}`: {problem}")]
    Header {
        name: &'static str,
        #[source]
        problem: CellProblem,
    },
    /// A game in PGN without a header that it needs.
    #[error("the game that begins here has no header `{0}`, or one that says nothing")]
    NoHeader(&'static str),
    /// A header is missing because a repeated header splits the game in two.
    #[error(
        "the game that begins here has no header `{missing}`, because a second `{again}` in line {line} begins another \
         game: leave one of the two out"
    )]
    HeaderAgain {
        missing: &'static str,
        again: &'static str,
        line: u64,
    },
    /// A header in PGN without an end.
    #[error("the header `{0}` is cut off: expected `[{0} \"…\"]` on one line")]
    CutHeader(&'static str),
    /// A comment in PGN has no end.
    #[error(
        "the comment that begins here with `{{` has no `}}`{0}: close it, or leave the `{{` out"
    )]
    OpenComment(UnclosedComment),
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

/// The columns of a header, for a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderNames {
    names: Vec<String>,
    more: usize,
}

/// Upper bounds on the columns named in a message, and on the characters of each name.
const NAMED: usize = 20;
const LONGEST_NAME: usize = 40;

impl HeaderNames {
    /// The first of these columns.
    pub fn of<T: AsRef<str>>(columns: &[T]) -> Self {
        let names = columns.iter().take(NAMED);
        Self {
            names: names
                .map(|name| excerpt(name.as_ref().trim(), LONGEST_NAME))
                .collect(),
            more: columns.len().saturating_sub(NAMED),
        }
    }
}

impl fmt::Display for HeaderNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.names.join("`, `"))?;
        match self.more {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Reason why a comment has no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnclosedComment {
    /// The end of the file.
    ToTheEnd,
    /// Another comment, after a game has begun.
    Again { game: u64, line: u64 },
    /// More text than is kept in memory, after a game has begun.
    TooLong { game: u64 },
}

impl fmt::Display for UnclosedComment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ToTheEnd => Ok(()),
            Self::Again { game, line } => write!(
                f,
                " before a game begins in line {game} and another comment in line {line}"
            ),
            Self::TooLong { game } => write!(f, " within a MiB after a game begins in line {game}"),
        }
    }
}

/// Problem with one value.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CellProblem {
    /// It is not text.
    #[error("is not UTF-8")]
    NotText,
    /// It names nobody.
    #[error("no player")]
    NoPlayer,
    /// Both players have one name.
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
    /// It names a player of another game.
    #[error("`{}` is neither player: expected one of them, `both`, or nothing", quoted(.0))]
    NotAPlayer(String),
    /// It names a player that did not lose.
    #[error("`{}` forfeited and has not lost by the points: correct one of them", quoted(.0))]
    NotLost(String),
    /// It names nobody in a game of more than two seats.
    #[error("`{}` is no player of the game: expected one, several joined by `+`, or nothing", quoted(.0))]
    NotOfTheGame(String),
    /// No game ends with these places.
    #[error("{0} are not the places of a game: expected places such as 1, 2, 2 for all seats")]
    NotPlaces(String),
    /// It is not an amount of points.
    #[error("`{}` is not a number of points", quoted(.0))]
    NotPoints(String),
    /// It is not a number.
    #[error("`{}` is not a whole number", quoted(.0))]
    NotANumber(String),
    /// A block has more games than seats.
    #[error(
        "{number} is the number of {seats} games of these players already, the first in line {line}, and a block has a game \
         for each seat: give each block, such as a game pair, a number of its own, or remove the column"
    )]
    BlockOfMore {
        number: u64,
        line: u64,
        seats: usize,
    },
}

/// Callback for a bad row: its line and problem.
pub(super) type Refuse<'a> = dyn FnMut(u64, ResultProblem) -> Result<(), ResultsError> + 'a;

/// The error of a line.
pub(super) fn bad_line(path: &Path, line: u64, problem: ResultProblem) -> ResultsError {
    ResultsError::new(path, ResultsProblem::Line { line, problem })
}
