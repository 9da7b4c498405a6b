//! Lines that are no messages.

use thiserror::Error;

/// A line that is not a message of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct BadMessage {
    /// The problem, as a fragment that follows the line itself.
    pub problem: String,
}

impl BadMessage {
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self {
            problem: problem.into(),
        }
    }
}

/// The first token of `line` and the rest, which may be empty.
pub(super) fn split(line: &str) -> (&str, &str) {
    line.split_once(' ').unwrap_or((line, ""))
}
