//! Cells, actions and captures, and how they are written.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::MAX_SIZE;
use crate::game::ParseError;
use crate::game::position::{lettered_place, write_tokens};

/// A cell of the largest board: row `r` and column `q`, both from 0. The rules check whether it is
/// on the board of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cell {
    r: u8,
    q: u8,
}

impl Cell {
    /// The cell in row `r` and column `q`, if any board has one.
    pub fn new(r: u8, q: u8) -> Option<Self> {
        (r < MAX_SIZE && q < MAX_SIZE).then_some(Self { r, q })
    }

    /// The row, counted from Red's first side.
    pub fn r(self) -> u8 {
        self.r
    }

    /// The column, counted from Blue's first side.
    pub fn q(self) -> u8 {
        self.q
    }

    /// The cell on the other side of the long diagonal, where a stolen stone goes.
    pub fn mirrored(self) -> Self {
        Self {
            r: self.q,
            q: self.r,
        }
    }

    pub fn distance(self, other: Self) -> u32 {
        let rows = i32::from(self.r) - i32::from(other.r);
        let columns = i32::from(self.q) - i32::from(other.q);
        (rows.unsigned_abs() + columns.unsigned_abs() + (rows + columns).unsigned_abs()) / 2
    }

    /// The cell at the bit `q + 2` of the row word `r + 2`: see [`super::hex`].
    pub fn at(word: usize, bit: u32) -> Self {
        Self {
            r: word as u8 - 2,
            q: bit as u8 - 2,
        }
    }
}

impl Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.q), self.r + 1)
    }
}

impl FromStr for Cell {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (column, row, rest) = lettered_place(text)?;
        if !rest.is_empty() {
            return Err(ParseError::Malformed);
        }
        row.and_then(|row| Self::new(row.checked_sub(1)?, column))
            .ok_or(ParseError::OffBoard)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    Place(Cell),
    /// Takes Red's first stone over, mirrored.
    Steal,
}

impl Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(cell) => cell.fmt(f),
            Self::Steal => f.write_str("steal"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseError;

    fn from_str(token: &str) -> Result<Self, ParseError> {
        match token {
            "steal" => Ok(Self::Steal),
            _ => token.parse().map(Self::Place),
        }
    }
}

/// The cells whose stones an action captured, by row and then by column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Public {
    /// Cells fill it from the front; all others are `None`.
    cells: [Option<Cell>; Self::MOST],
}

impl Public {
    /// A stone captures among its six neighbours.
    const MOST: usize = 6;

    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells.iter().map_while(|&cell| cell)
    }

    pub fn is_empty(&self) -> bool {
        self.cells[0].is_none()
    }

    /// Moves the cells, which are in order already, to the front.
    pub(super) fn from_cells(cells: [Option<Cell>; Self::MOST]) -> Self {
        let mut public = Self::default();
        for (slot, cell) in public.cells.iter_mut().zip(cells.into_iter().flatten()) {
            *slot = Some(cell);
        }
        public
    }
}

impl Display for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tokens(f, self.iter())
    }
}

impl FromStr for Public {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut public = Self::default();
        if text.is_empty() {
            return Ok(public);
        }
        let mut last = None;
        for (i, token) in text.split(' ').enumerate() {
            let cell = Some(token.parse()?);
            let slot = public.cells.get_mut(i).ok_or(ParseError::Malformed)?;
            // One set of cells has one spelling: in order, none twice.
            if last >= cell {
                return Err(ParseError::Malformed);
            }
            *slot = cell;
            last = cell;
        }
        Ok(public)
    }
}
