//! Two players and their games of two.

use super::score::Tally;

/// The results of two players of a game of two, by seat and in pairs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meeting {
    /// The indices of the two, the lower one first.
    pub players: [usize; 2],
    /// The results of `players[0]` in the first seat, and in the second seat, without games that both forfeited.
    pub by_seat: [Tally; 2],
    /// Game pairs, by the score of `players[0]` in the first seat and in the second. Their games are in `by_seat`, too.
    pub pairs: [[u64; 3]; 3],
}

impl Meeting {
    /// The games of both seats.
    pub fn tally(&self) -> Tally {
        self.by_seat[0].plus(self.by_seat[1])
    }
}
