//! Rules programs: games whose rules are a program of their own, in any language. `docs/rules-protocol.md`
//! specifies the lines that both sides speak.
//!
//! [`Hello`] is a program's description of its game, [`Answer`] its answer to one request. Both are parsed here
//! and hold nothing that the protocol does not allow. [`RulesServer`] is the other side: it serves a game of the harness.

mod answer;
mod hello;
mod pool;
mod position;
mod program;
mod programs;
mod request;
mod serve;
mod show;
mod write;

pub use answer::{Answer, AnswerReader, Next, Refusal, Turn, parse_can};
pub use hello::{Capabilities, Hello, OptionValues, RulesOption, SeatNames};
pub use pool::{SupervisorSource, confinement, launch};
pub use position::seed_of_game;
pub use program::{Deadlines, Program};
pub use programs::Programs;
pub use request::{Actions, BadRequest, NewGame, Request};
pub use serve::{RulesServer, ServeError, Serving};
pub use show::{ShownPosition, ShownReader};

use crate::text::excerpt;

const EXCERPT: usize = 80;

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
    pub expected: String,
}

impl Malformed {
    fn new(line: &str, expected: impl Into<String>) -> Self {
        Self {
            line: excerpt(line, EXCERPT),
            expected: expected.into(),
        }
    }
}

/// The first word of `text`, and the rest without the spaces between.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word, rest.trim_matches(' '))
}
