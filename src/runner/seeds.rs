//! The chance of one game pair.

use crate::config::Openings;
use crate::game::{AnyPosition, Game, Setup};
use crate::random::Stream;
use crate::referee::{Line, Opening};

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

/// How both games of a pair begin.
pub struct Start<'a> {
    /// The seeds that the bots are given, by seat.
    pub bots: [u64; 2],
    /// The position before the first ply.
    pub position: Box<dyn AnyPosition>,
    /// How many plies the opening has.
    pub opening_plies: u32,
    /// What they are.
    pub opening: Box<dyn Opening + 'a>,
}

impl<'a> Start<'a> {
    /// The start of pair `pair`: with one of the openings, where there are some, and otherwise with
    /// that many random plies.
    pub fn new(
        master: u64,
        setup: &Setup,
        pair: u64,
        openings: Option<&'a Openings>,
        random_plies: u32,
    ) -> Self {
        let Seeds { bots, mut chance } = Seeds::new(master, setup.game(), pair);
        let position = setup.start(&mut chance);
        let (opening_plies, opening): (u32, Box<dyn Opening + 'a>) = match openings {
            Some(openings) => {
                let line = openings.of_pair(pair, &mut chance);
                (line.len() as u32, Box::new(Line(line)))
            }
            None => (random_plies, Box::new(chance)),
        };
        Self {
            bots,
            position,
            opening_plies,
            opening,
        }
    }
}
