//! Parts that all answers share: bounds, words of a line, and the error for a malformed one.

use crate::text::excerpt;

/// Maximum characters of a quoted line.
const EXCERPT: usize = 80;

/// Bounds on what a rules program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum length of a line in bytes.
    pub line: usize,
    /// Maximum length of an answer in bytes, line endings included.
    pub answer: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line: 64 << 10,
            answer: 1 << 20,
        }
    }
}

/// A line that the protocol does not allow, and what it allows there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rules program wrote `{line}`; expected {expected}")]
pub struct Malformed {
    /// The line, shortened, with control characters made visible.
    pub line: String,
    /// The form that is expected there.
    pub expected: String,
}

impl Malformed {
    pub(super) fn new(line: &str, expected: impl Into<String>) -> Self {
        Self {
            line: excerpt(line, EXCERPT),
            expected: expected.into(),
        }
    }
}

/// The first word of `text`, and the rest without the spaces between.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word, rest.trim_matches(' '))
}
