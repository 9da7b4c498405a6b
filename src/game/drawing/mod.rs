//! The drawing of a position, for pages, terminals and messages: a board of letters, and what each letter looks like.

mod board;
mod lines;
mod piece;

use std::borrow::Cow;
use std::fmt::{self, Display};

pub use board::{Board, Cells, Labels, Slant};
pub use lines::DrawnCell;
pub use piece::{Colour, Piece, Shape};

/// A position as it is drawn for one seat or with everything revealed. Its [`Display`] is the board in letters, with
/// changed cells in brackets and marked ones in parentheses, and the text below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The board; `None` for a position that is text alone.
    pub board: Option<Board>,
    /// The letters that occur on the board, and possibly others.
    pub pieces: Cow<'static, [Piece]>,
    /// Indices of marked cells, such as a winning chain.
    pub marks: Vec<usize>,
    /// Indices of the cells that the last action changed; empty where nobody asked for them.
    pub changed: Vec<usize>,
    /// Lines of text below the board or in place of it.
    pub text: Vec<String>,
}

impl Drawing {
    /// A drawing of a board, without marks and text.
    pub fn new(board: Board, pieces: &'static [Piece]) -> Self {
        Self {
            board: Some(board),
            pieces: Cow::Borrowed(pieces),
            ..Self::default()
        }
    }

    /// The letters on the cells in reading order; empty without a board.
    pub fn letters(&self) -> &str {
        self.board.as_ref().map_or("", |board| &board.letters)
    }

    /// The piece of a letter.
    pub fn piece(&self, letter: char) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.letter == letter)
    }

    /// This drawing, with the cells that differ from an earlier one as its changed ones. Between boards of different
    /// sizes none are.
    #[must_use]
    pub fn changed_since(mut self, earlier: &Self) -> Self {
        let size = |drawing: &Self| drawing.board.as_ref().map(Board::size);
        self.changed.clear();
        if size(&self) == size(earlier) {
            let letters = self.letters().chars().zip(earlier.letters().chars());
            let changed = letters.enumerate().filter(|(_, (now, then))| now != then);
            self.changed = changed.map(|(cell, _)| cell).collect();
        }
        self
    }
}

impl Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.painted(&|cell| cell.letter.to_string()))
    }
}
