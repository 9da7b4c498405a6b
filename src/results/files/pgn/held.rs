//! Recovery from an unclosed comment in PGN.
//!
//! A `{` without a `}` would swallow all games up to the end of a later comment. But a comment can also quote a game.
//! So lines of a comment are buffered from the first one that begins with a tag. If a `}` comes before another `{`,
//! they were a comment. Otherwise the comment is unclosed, and the lines are games. So are they if the buffer grows
//! too long, which bounds memory.

use super::scan::{self, LONGEST_LINE};
use crate::results::files::problem::UnclosedComment;

/// Status of a line within an open comment.
pub(super) enum InComment {
    /// Part of the comment.
    Comment,
    /// Buffered: a comment or a game.
    Held,
    /// The comment has no end, and the buffered lines are games.
    NoEnd(UnclosedComment),
}

#[derive(Debug, Default)]
pub(super) struct Held {
    /// Numbers of the first buffered line, which begins with a tag, and of the last one.
    lines: Option<[u64; 2]>,
    bytes: Vec<u8>,
}

impl Held {
    /// Number of the first buffered line.
    pub fn game(&self) -> Option<u64> {
        self.lines.map(|[game, _]| game)
    }

    /// Adds a line of an open comment.
    pub fn add(&mut self, number: u64, line: &[u8]) -> InComment {
        let game = match &mut self.lines {
            None if !scan::begins_with_tag(line) => return InComment::Comment,
            None => {
                self.lines = Some([number; 2]);
                number
            }
            Some([game, last]) => {
                let is_same = std::mem::replace(last, number) == number;
                self.bytes.push(if is_same { b'\r' } else { b'\n' });
                *game
            }
        };
        self.bytes.extend(line);
        match line.iter().find(|byte| b"{}".contains(byte)) {
            Some(b'}') => {
                *self = Self::default();
                InComment::Comment
            }
            Some(_) => InComment::NoEnd(UnclosedComment::Again { game, line: number }),
            None if self.bytes.len() > LONGEST_LINE => {
                InComment::NoEnd(UnclosedComment::TooLong { game })
            }
            None => InComment::Held,
        }
    }

    /// Calls `each` with the buffered lines.
    pub fn replay<E>(&self, mut each: impl FnMut(u64, &[u8]) -> Result<(), E>) -> Result<(), E> {
        let Some(game) = self.game() else {
            return Ok(());
        };
        for (number, lines) in (game..).zip(self.bytes.split(|byte| *byte == b'\n')) {
            for line in lines.split(|byte| *byte == b'\r') {
                each(number, line)?;
            }
        }
        Ok(())
    }
}
