//! The chance of one game pair.

use crate::game::Game;
use crate::random::Stream;

/// All chance of a game: the same for both games of a pair, and a function of the master seed, the
/// game and the number of the pair alone.
#[derive(Debug)]
pub struct Seeds {
    /// The seeds that the bots are given, by seat.
    pub bots: [u64; 2],
    /// What is left to chance in the game itself: a shuffle, then the opening.
    pub chance: Stream,
}

impl Seeds {
    /// The chance of pair `pair` of `game`.
    pub fn new(master: u64, game: Game, pair: u64) -> Self {
        // A stream per game and pair: no run has as many pairs as would reach the upper bits.
        let stream = ((game as u64 + 1) << 48) | (pair & ((1 << 48) - 1));
        let mut chance = Stream::new(master, stream);
        Self {
            bots: [chance.next_u64(), chance.next_u64()],
            chance,
        }
    }
}
