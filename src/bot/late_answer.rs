//! An answer that came after its time.

use std::time::Duration;

/// An answer that came after its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateAnswer {
    /// The answer.
    pub line: String,
    /// Time from the deadline to the answer.
    pub late: Duration,
    /// Why it came so late.
    pub cause: LateCause,
}

/// Why an answer came after its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LateCause {
    /// The bot was slow.
    Slow,
    /// The bot had read its input and was idle, and the answer came only once its stdin was closed: an output buffer
    /// was not flushed.
    Buffered,
    /// The bot wrote it without the end of its line.
    Unended,
}

impl LateCause {
    /// All causes.
    pub const ALL: [LateCause; 3] = [LateCause::Slow, LateCause::Buffered, LateCause::Unended];

    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            LateCause::Slow => "slow",
            LateCause::Buffered => "buffered",
            LateCause::Unended => "unended",
        }
    }

    /// The cause with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }
}
