//! Problems with the log of a game.

use std::io;

use crate::runs::error::file::FileError;

/// A log that cannot be read.
pub type LogError = FileError<LogProblem>;

/// Problem with a log.
#[derive(Debug, thiserror::Error)]
pub enum LogProblem {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It is not a log of a game.
    #[error("line 1 is not the header of a game's log")]
    NotALog,
    /// A line of a log is not a ply of the game.
    #[error("line {line}: {problem}")]
    Line {
        line: u64,
        #[source]
        problem: PlyProblem,
    },
}

/// Problem with a line of a log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlyProblem {
    /// It does not have the form of a ply.
    #[error("{0}")]
    Malformed(String),
    /// A line is missing, or there twice.
    #[error("it has ply {found}, expected {expected}")]
    Number { found: u32, expected: u32 },
    /// It names no seat of the game.
    #[error("it has `{found}` as `seat`: expected {} or {}", seats[0], seats[1])]
    NotASeat {
        found: String,
        seats: &'static [&'static str],
    },
    /// A time is not a number of microseconds.
    #[error("it has `{found}` as `{column}`: expected a whole number")]
    NotATime { column: &'static str, found: String },
    /// The bot's values are not written as they should be.
    #[error("it has `{found}` as `values`: expected names with numbers, such as score=31 depth=14")]
    NotValues { found: String },
    /// A number of bytes is no number.
    #[error("it has `{found}` as `output_bytes`: expected a whole number")]
    NotBytes { found: String },
    /// A ply has all of its times, or none in the opening.
    #[error("it has some of its times, and not all")]
    SomeTimes,
}
