//! A player's place in one game.

/// A player's place in one game, by the order of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(u8);

impl Seat {
    /// Acts first: White, Red, the first player.
    pub const FIRST: Seat = Seat(0);

    /// Acts second: Black, Blue, the second player.
    pub const SECOND: Seat = Seat(1);

    /// Both seats of a game of two, in order of play.
    pub const BOTH: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

    /// The opponent's seat in a game of two.
    pub fn other(self) -> Self {
        Seat(u8::from(self == Seat::FIRST))
    }

    /// Its place in the order of play, from 0.
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// Its number in the protocol of rules: its place, from 0.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The seat with this number.
    pub fn numbered(number: u8) -> Self {
        Self(number)
    }
}
