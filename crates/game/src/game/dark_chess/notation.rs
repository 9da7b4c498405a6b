//! Squares, actions and public results, as text.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::pieces::Piece;
use crate::game::ParseError;
use crate::game::position::lettered_place;

/// A square of the board: 0 is a8, 3 is d8, 31 is d1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    pub const A8: Square = Square(0);

    /// The square numbered `index`, counted from a8 row by row.
    pub const fn new(index: usize) -> Option<Self> {
        if index < 32 {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// All squares, a8 first.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..32).map(Square)
    }

    /// The squares whose bit is set in `mask`, lowest first.
    pub fn of_mask(mut mask: u32) -> impl Iterator<Item = Square> {
        std::iter::from_fn(move || {
            let square = Self::lowest(mask)?;
            mask &= mask - 1;
            Some(square)
        })
    }

    /// The square of the lowest bit set in `mask`.
    pub(super) fn lowest(mask: u32) -> Option<Self> {
        Self::new(mask.trailing_zeros() as usize)
    }

    /// A number in `0..32`.
    pub const fn index(self) -> usize {
        // The mask tells the compiler what `new` has checked.
        (self.0 & 31) as usize
    }

    /// The column: 0 for a, 3 for d.
    pub const fn column(self) -> usize {
        self.index() % 4
    }

    /// The row: 0 for rank 8, 7 for rank 1.
    pub const fn row(self) -> usize {
        self.index() / 4
    }

    pub const fn bit(self) -> u32 {
        1 << self.index()
    }

    pub const fn distance(self, other: Self) -> u32 {
        (self.column().abs_diff(other.column()) + self.row().abs_diff(other.row())) as u32
    }

    /// Reads one square from the start of `text`, and returns it with the rest.
    ///
    /// Any column letter and any rank have the form of a square: `e9` is a square off the board.
    fn read(text: &str) -> Result<(Result<Self, ParseError>, &str), ParseError> {
        let (column, rank, rest) = lettered_place(text)?;
        let square = match (column, rank) {
            (0..=3, Some(rank @ 1..=8)) => Ok(Self((8 - rank) * 4 + column)),
            _ => Err(ParseError::OffBoard),
        };
        Ok((square, rest))
    }
}

impl Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + self.column() as u8);
        write!(f, "{column}{}", 8 - self.row())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Turns the piece on a square face-up: `b3`.
    Flip(Square),
    /// Moves a piece from a square to another, capturing a piece there: `b3-b4`.
    Move(Square, Square),
}

impl Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Flip(square) => square.fmt(f),
            Action::Move(from, to) => write!(f, "{from}-{to}"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseError;

    fn from_str(token: &str) -> Result<Self, ParseError> {
        let (from, rest) = Square::read(token)?;
        if rest.is_empty() {
            return Ok(Action::Flip(from?));
        }
        let target = rest.strip_prefix('-').ok_or(ParseError::Malformed)?;
        let (to, rest) = Square::read(target)?;
        if !rest.is_empty() {
            return Err(ParseError::Malformed);
        }
        Ok(Action::Move(from?, to?))
    }
}

/// The piece that an action revealed: by a flip, or by a Cannon's capture of a face-down piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Public(pub Option<Piece>);

impl Display for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(piece) => piece.fmt(f),
            None => Ok(()),
        }
    }
}

impl FromStr for Public {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (None, _) => Ok(Public(None)),
            (Some(letter), None) => Piece::from_letter(letter)
                .map(|piece| Public(Some(piece)))
                .ok_or(ParseError::Malformed),
            (Some(_), Some(_)) => Err(ParseError::Malformed),
        }
    }
}
