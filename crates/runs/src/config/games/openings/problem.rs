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
    pub path: PathBuf,
    #[source]
    pub problem: OpeningsProblem,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsProblem {
    #[error("is not a file")]
    NotAFile,
    #[error("is larger than {} MiB", LARGEST_BOOK >> 20)]
    TooLarge,
    #[error("cannot be read: {0}")]
    Read(String),
    #[error("is a book in {format}, and the rules of {game} read none: expected a line of actions per opening, in a file of another ending", format = format.name())]
    NoBooks {
        format: BookFormat,
        game: &'static str,
    },
    #[error(transparent)]
    Book(#[from] BookProblem),
    #[error("has no opening: expected a line of actions, such as `b2 c3`")]
    Empty,
    #[error("has {count} openings: `opening-first` is {first}")]
    TooFew { count: usize, first: usize },
    #[error("{problem}")]
    Line {
        line: usize,
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

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningProblem {
    #[error("has {0} plies: expected at most {LONGEST_OPENING}, as `opening-length` sets it")]
    TooLong(usize),
    #[error("ends the game: nothing is left to play")]
    EndsTheGame,
    #[error("has a start that cannot be: {0}")]
    Start(#[source] OptionError),
    #[error("has a start that needs the option `{key}` to be {needed}: expected it in `[game]`")]
    OtherOption { key: &'static str, needed: String },
    #[error("cannot be checked: {0}")]
    Rules(#[source] RulesFault),
    #[error("ply {ply}, `{action}`, {problem}")]
    Ply {
        ply: usize,
        action: String,
        #[source]
        problem: PlyProblem,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlyProblem {
    #[error("{0}")]
    LeftToChance(&'static str),
    #[error("comes after the end of the game")]
    AfterTheEnd,
    #[error("is {0}")]
    Refused(#[source] Refusal),
    #[error("cannot be checked: {0}")]
    Rules(#[source] RulesFault),
}
