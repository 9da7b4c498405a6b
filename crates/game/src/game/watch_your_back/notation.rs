//! Actions and public results as text.

use std::fmt;
use std::str::FromStr;

use super::board::Square;
use crate::game::ParseError;
use crate::game::position::{coordinate, write_tokens};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    Place(Square),
    Move {
        from: Square,
        to: Square,
    },
    /// Moves nothing, because nothing can move.
    Pass,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(square) => square.fmt(f),
            Self::Move { from, to } => write!(f, "{from}-{to}"),
            Self::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseError;

    fn from_str(token: &str) -> Result<Self, ParseError> {
        if token == "pass" {
            return Ok(Self::Pass);
        }
        let (from, rest) = square(token)?;
        if rest.is_empty() {
            return from.map(Self::Place).ok_or(ParseError::OffBoard);
        }
        let rest = rest.strip_prefix('-').ok_or(ParseError::Malformed)?;
        let (to, rest) = square(rest)?;
        if !rest.is_empty() {
            return Err(ParseError::Malformed);
        }
        from.zip(to)
            .map(|(from, to)| Self::Move { from, to })
            .ok_or(ParseError::OffBoard)
    }
}

/// Reads `x,y` from the start of `text`. A pair of whole numbers that is not a square is `None`.
fn square(text: &str) -> Result<(Option<Square>, &str), ParseError> {
    let (x, rest) = coordinate(text)?;
    let rest = rest.strip_prefix(',').ok_or(ParseError::Malformed)?;
    let (y, rest) = coordinate(rest)?;
    Ok((x.zip(y).and_then(|(x, y)| Square::new(x, y)), rest))
}

/// The squares of the pieces that an action removed: enemies in square order, then the mover's own
/// piece, then those killed by a shrink in square order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Removed {
    // Squares past `count` are all the first one, so that equal lists are equal values.
    squares: [Square; 64],
    count: u8,
}

impl Removed {
    pub const NONE: Self = Self {
        squares: [Square::TOP_LEFT; 64],
        count: 0,
    };

    pub fn squares(&self) -> &[Square] {
        &self.squares[..usize::from(self.count)]
    }

    /// Adds a set in square order. Squares already in the list are left out: 64 are enough.
    pub(super) fn add(&mut self, set: u64) {
        for square in Square::of(set) {
            if !self.squares().contains(&square) {
                self.squares[usize::from(self.count)] = square;
                self.count += 1;
            }
        }
    }
}

impl fmt::Display for Removed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tokens(f, self.squares().iter())
    }
}

impl fmt::Debug for Removed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.squares()).finish()
    }
}

impl FromStr for Removed {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut removed = Self::NONE;
        if text.is_empty() {
            return Ok(removed);
        }
        for token in text.split(' ') {
            let (named, rest) = square(token)?;
            if !rest.is_empty() {
                return Err(ParseError::Malformed);
            }
            let named = named.ok_or(ParseError::OffBoard)?;
            if removed.squares().contains(&named) {
                return Err(ParseError::Malformed);
            }
            removed.add(named.bit());
        }
        Ok(removed)
    }
}
