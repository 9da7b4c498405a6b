//! Problems with results.

use std::fmt;
use std::io;
use std::path::Path;

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
    Line {
        line: u64,
        #[source]
        problem: ResultProblem,
    },
}

/// Why a line holds no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ResultProblem {
    #[error(
        "neither a header with the columns `first`, `second`, `first_points` (or `white`, `black`, \
         `score`) nor a row of these three; it has {0}"
    )]
    NotATable(HeaderNames),
    #[error("the header has no column `{missing}`; it has {found}")]
    NoColumn { missing: String, found: HeaderNames },
    #[error(
        "columns {} (`{}`) and {} (`{}`) of the header stand for the same: remove or rename one",
        .numbers[0], .names[0], .numbers[1], .names[1]
    )]
    SameColumn {
        numbers: [usize; 2],
        names: [String; 2],
    },
    #[error("{found} fields, expected {expected}")]
    Fields { found: usize, expected: usize },
    #[error("column {number} (`{names}`): {problem}")]
    Cell {
        number: usize,
        names: String,
        #[source]
        problem: CellProblem,
    },
    #[error("header `{name}`: {problem}")]
    Header {
        name: &'static str,
        #[source]
        problem: CellProblem,
    },
    #[error("the game that begins here has no header `{0}`, or one that says nothing")]
    NoHeader(&'static str),
    #[error(
        "the game that begins here has no header `{missing}`, because a second `{again}` in line {line} begins another \
         game: leave one of the two out"
    )]
    HeaderAgain {
        missing: &'static str,
        again: &'static str,
        line: u64,
    },
    #[error("the header `{0}` is cut off: expected `[{0} \"…\"]` on one line")]
    CutHeader(&'static str),
    #[error(
        "the comment that begins here with `{{` has no `}}`{0}: close it, or leave the `{{` out"
    )]
    OpenComment(UnclosedComment),
    #[error("longer than {0} bytes: break the line")]
    LongLine(usize),
    #[error(
        "no game begins in this file: expected `[White \"NAME\"]`, `[Black \"NAME\"]` and `[Result \"1-0\"]`"
    )]
    NoGame,
    #[error(transparent)]
    Players(CellProblem),
}

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
    ToTheEnd,
    /// Another comment, after a game has begun.
    Again {
        game: u64,
        line: u64,
    },
    /// More text than is kept in memory, after a game has begun.
    TooLong {
        game: u64,
    },
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

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CellProblem {
    #[error("is not UTF-8")]
    NotText,
    #[error("no player")]
    NoPlayer,
    #[error("`{}` cannot play itself", quoted(.0))]
    OnePlayer(String),
    #[error("`{}` is not a score: expected 1, 0.5 or 0", quoted(.0))]
    NotAScore(String),
    #[error("the game has no result")]
    NoResult,
    #[error("{0} and {1} points are not a result")]
    NotAResult(f64, f64),
    #[error("`{}` is neither player: expected one of them, `both`, or nothing", quoted(.0))]
    NotAPlayer(String),
    #[error("`{}` forfeited and has not lost by the points: correct one of them", quoted(.0))]
    NotLost(String),
    #[error("`{}` is no player of the game: expected one, several joined by `+`, or nothing", quoted(.0))]
    NotOfTheGame(String),
    #[error("{0} are not the places of a game: expected places such as 1, 2, 2 for all seats")]
    NotPlaces(String),
    #[error("`{}` is not a number of points", quoted(.0))]
    NotPoints(String),
    #[error("`{}` is not a whole number", quoted(.0))]
    NotANumber(String),
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

pub(super) fn bad_line(path: &Path, line: u64, problem: ResultProblem) -> ResultsError {
    ResultsError::new(path, ResultsProblem::Line { line, problem })
}
