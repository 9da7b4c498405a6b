//! Errors of a configuration.

use std::path::{Path, PathBuf};

use toml::Spanned;

use crate::text::visible;

/// An error in a configuration, with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}:{} {problem}", file.display(), place_text(*place))]
pub struct ConfigError {
    /// Path of the configuration.
    pub file: PathBuf,
    /// Line and column, from 1; `None` if the error concerns the whole file.
    pub place: Option<(usize, usize)>,
    /// Problem, expected value and remedy.
    pub problem: String,
}

fn place_text(place: Option<(usize, usize)>) -> String {
    place.map_or_else(String::new, |(line, column)| format!("{line}:{column}:"))
}

/// A problem with the `[format]` table of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FormatError(pub(super) String);

/// A problem, with its byte offset in the text.
#[derive(Debug)]
pub(crate) struct Flaw {
    pub at: Option<usize>,
    pub problem: String,
}

impl Flaw {
    /// A problem with a value of the file.
    pub fn of<T>(value: &Spanned<T>, problem: impl Into<String>) -> Self {
        Self::at(value.span().start, problem)
    }

    pub fn at(at: usize, problem: impl Into<String>) -> Self {
        Self {
            at: Some(at),
            problem: problem.into(),
        }
    }

    /// The flaw as an error of a file, with line and column.
    pub fn in_file(self, text: &str, path: &Path) -> ConfigError {
        ConfigError {
            file: path.to_owned(),
            place: self.at.map(|at| line_and_column(text, at)),
            // The problem may quote the file: a line end in a name would break the message.
            problem: visible(&self.problem),
        }
    }
}

/// Line and column of a byte of `text`, from 1; columns count characters.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}
