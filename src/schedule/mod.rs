//! Who meets whom next.
//!
//! A schedule sees player indices and results only, and is a deterministic function of its plan and
//! the results so far. So a run needs no saved state besides its journal.

use std::num::NonZeroU32;

mod round_robin;

pub use round_robin::RoundRobin;

/// One game that is to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    /// The number of the game in its run, from 0.
    pub id: u64,
    /// The number of the game pair: games with the same number begin from the same start.
    pub pair: u64,
    /// The players by seat, as indices.
    pub players: [usize; 2],
}

/// Hands out games.
pub trait Schedule {
    /// The next game, if there is one.
    fn issue(&mut self) -> Option<Ticket>;

    /// How many games there are in all.
    fn total(&self) -> u64;
}

/// How many games each two players play against each other: at least one.
pub type GamesPerPairing = NonZeroU32;
