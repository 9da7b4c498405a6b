//! Lines of a comment that may be no comment.
//!
//! A `{` without a `}` would make a comment of all games after it, up to the end of one of their comments. A comment can
//! also quote a game. So the lines of a comment are held from one on that begins with a tag: if a `}` comes before another
//! `{`, all of it was a comment; else the comment has no end, and these lines are games. Many lines without either are
//! games too, so that memory stays bounded.

use super::{LONGEST_LINE, scan};
use crate::record::results::Opened;

/// Status of a line within an open comment.
pub(super) enum InComment {
    /// It is one.
    Comment,
    /// It is held until that is known.
    Held,
    /// The comment has no end, and the lines that are held are none.
    NoEnd(Opened),
}

#[derive(Debug, Default)]
pub(super) struct Held {
    /// The line that begins with a tag, and the last one.
    lines: Option<[u64; 2]>,
    bytes: Vec<u8>,
}

impl Held {
    /// The line from which on lines are held.
    pub fn game(&self) -> Option<u64> {
        self.lines.map(|[game, _]| game)
    }

    /// Takes in a line of an open comment.
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
            Some(_) => InComment::NoEnd(Opened::Again { game, line: number }),
            None if self.bytes.len() > LONGEST_LINE => InComment::NoEnd(Opened::TooLong { game }),
            None => InComment::Held,
        }
    }

    /// Calls `each` with the lines that are held.
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
