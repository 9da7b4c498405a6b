//! A side of a built-in game.

use super::Seat;

/// A side of a built-in game; each has two. It is a type of its own, so that a `match` on it is complete and a square of
/// a board takes one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Acts first: White, Red, the first player.
    First,
    /// Acts second: Black, Blue, the second player.
    Second,
}

impl Side {
    /// Both sides, in order of play.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent's side.
    pub fn other(self) -> Self {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first side, 1 for the second: an index into a pair.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The side of a seat.
    pub fn of(seat: Seat) -> Self {
        Side::BOTH[usize::from(seat != Seat::FIRST)]
    }
}

impl From<Side> for Seat {
    fn from(side: Side) -> Self {
        Seat::BOTH[side.index()]
    }
}
