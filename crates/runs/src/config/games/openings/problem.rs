//! Why a file of openings cannot be used.

use std::io;
use std::path::PathBuf;

use super::LONGEST_OPENING;
use crate::config::file::LARGEST_BOOK;
use crate::game::{BookFormat, BookProblem, OptionError, Refusal, RulesFault};

/// Why a file of openings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {problem}", path.display(), problem.place())]
pub struct OpeningsError {
    /// The file.
    pub path: PathBuf,
    /// The problem.
    #[source]
    pub problem: OpeningsProblem,
}

/// An error in a file of openings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsProblem {
    /// It is a folder, a pipe or a device.
    #[error("is not a file")]
    NotAFile,
    /// It is too large, or its openings are.
    #[error("is larger than {} MiB", LARGEST_BOOK >> 20)]
    TooLarge,
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Read(String),
    /// The game has no books of this format.
    #[error("is a book in {format}, and the rules of {game} read none: expected a line of actions per opening, in a file of another ending", format = format.name())]
    NoBooks {
        /// The format.
        format: BookFormat,
        /// Name of the game.
        game: &'static str,
    },
    /// The game's rules cannot read it.
    #[error(transparent)]
    Book(#[from] BookProblem),
    /// It has no opening.
    #[error("has no opening: expected a line of actions, such as `b2 c3`")]
    Empty,
    /// It has fewer openings.
    #[error("has {count} openings: `opening-first` is {first}")]
    TooFew {
        /// Number of openings.
        count: usize,
        /// The opening to begin with.
        first: usize,
    },
    /// A line is not an opening.
    #[error("{problem}")]
    Line {
        /// Its number.
        line: usize,
        /// The problem.
        #[source]
        problem: OpeningProblem,
    },
}

impl From<io::Error> for OpeningsProblem {
    fn from(error: io::Error) -> Self {
        Self::Read(error.to_string())
    }
}

impl OpeningsProblem {
    /// The line of the problem, if it has one.
    pub(super) fn line(&self) -> Option<usize> {
        match self {
            Self::NotAFile
            | Self::TooLarge
            | Self::Read(_)
            | Self::NoBooks { .. }
            | Self::TooFew { .. } => None,
            Self::Empty => Some(1),
            Self::Line { line, .. } | Self::Book(BookProblem { line, .. }) => Some(*line),
        }
    }

    /// The line after a colon; empty without one.
    pub(super) fn place(&self) -> String {
        self.line()
            .map_or_else(String::new, |line| format!(":{line}"))
    }
}

/// An error in an opening.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningProblem {
    /// It is too long.
    #[error("has {0} plies: expected at most {LONGEST_OPENING}, as `opening-length` sets it")]
    TooLong(usize),
    /// It ends the game.
    #[error("ends the game: nothing is left to play")]
    EndsTheGame,
    /// Its start is none.
    #[error("has a start that cannot be: {0}")]
    Start(#[source] OptionError),
    /// Its start is one of another game.
    #[error("has a start that needs the option `{key}` to be {needed}: expected it in `[game]`")]
    OtherOption {
        /// The option.
        key: &'static str,
        /// The value that the start needs.
        needed: String,
    },
    /// The rules failed before its first ply.
    #[error("cannot be checked: {0}")]
    Rules(#[source] RulesFault),
    /// One of its plies.
    #[error("ply {ply}, `{action}`, {problem}")]
    Ply {
        /// Its number.
        ply: usize,
        /// The action.
        action: String,
        /// The problem.
        #[source]
        problem: PlyProblem,
    },
}

/// An error in a ply of an opening.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlyProblem {
    /// Its result depends on chance.
    #[error("{0}")]
    LeftToChance(&'static str),
    /// The game is over before it.
    #[error("comes after the end of the game")]
    AfterTheEnd,
    /// The rules refuse it.
    #[error("is {0}")]
    Refused(#[source] Refusal),
    /// The rules failed.
    #[error("cannot be checked: {0}")]
    Rules(#[source] RulesFault),
}
