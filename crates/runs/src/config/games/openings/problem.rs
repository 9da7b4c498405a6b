//! Why a file of openings cannot be used.

use std::io;
use std::path::PathBuf;

use crate::config::file::LARGEST_BOOK;
use crate::game::BookProblem;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {problem}", path.display(), problem.place())]
pub struct OpeningsError {
    pub path: PathBuf,
    #[source]
    pub problem: OpeningsProblem,
}

/// The line, if one is to blame, and words that follow the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{words}")]
pub struct OpeningsProblem {
    pub line: Option<usize>,
    pub words: String,
}

impl From<String> for OpeningsProblem {
    fn from(words: String) -> Self {
        Self { line: None, words }
    }
}

impl From<io::Error> for OpeningsProblem {
    fn from(error: io::Error) -> Self {
        format!("cannot be read: {error}").into()
    }
}

impl From<BookProblem> for OpeningsProblem {
    fn from(BookProblem { line, problem }: BookProblem) -> Self {
        Self {
            line: Some(line),
            words: problem,
        }
    }
}

impl OpeningsProblem {
    pub(super) fn too_large() -> Self {
        format!("is larger than {} MiB", LARGEST_BOOK >> 20).into()
    }

    /// The line of the problem after a colon; empty without a line.
    pub(super) fn place(&self) -> String {
        self.line
            .map_or_else(String::new, |line| format!(":{line}"))
    }
}
