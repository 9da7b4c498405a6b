//! A side in one game.

/// A side in one game: the one that acts first, or the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seat {
    /// Acts first: White, Red, the first player.
    First,
    /// Acts second: Black, Blue, the second player.
    Second,
}

impl Seat {
    /// Both seats, in order of play.
    pub const BOTH: [Seat; 2] = [Seat::First, Seat::Second];

    /// The opponent's seat.
    pub fn other(self) -> Self {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    /// 0 for the first seat, 1 for the second: an index into a pair.
    pub fn index(self) -> usize {
        self as usize
    }
}
