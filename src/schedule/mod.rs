//! Schedules: the order of games.
//!
//! A schedule sees only player indices and results. It is a deterministic function of its plan and the results,
//! so a run needs no saved state besides its journal: a new schedule that gets equal results continues with
//! equal games.
//!
//! Games and their numbers depend on results only, never on their order of arrival. So any number of
//! games can be played at a time.

use std::num::NonZeroU32;

mod conclusion;
mod formats;
mod hopeless;
mod pairings;
mod seat_problem;
mod sharding;
mod tables;
#[cfg(test)]
mod testing;
mod ticket;

pub use conclusion::{Conclusion, NextPlace, Place, PlacedBy, TestEnd, TestState};
use formats::{Adaptive, Gauntlet, Knockout, RoundRobin, SprtSchedule, Swiss};
pub use hopeless::{GameEvidence, HopelessRule, HopelessTerms, Standing, Streak};
use pairings::WaveSchedule;
pub use seat_problem::SeatProblem;
pub use sharding::Cut;
use tables::BlockTest;
pub use tables::{Meetings, TableFormat, TableKind, tables_in_turn};
pub use ticket::{GameCount, GamesPerPairing, NextGame, Schedule, Ticket};

use crate::rating::{RankingTest, Sprt};

/// The format of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub enum Format {
    /// Everyone meets everyone.
    RoundRobin(GamesPerPairing),
    /// Challengers meet everyone else.
    Gauntlet {
        /// The challengers.
        challengers: Vec<usize>,
        /// Number of games per pairing.
        games: GamesPerPairing,
    },
    /// Players with similar scores meet.
    Swiss {
        /// Number of rounds.
        rounds: u32,
        /// Number of game pairs per pairing in a round.
        pairs: NonZeroU32,
    },
    /// The loser of a match is out.
    Knockout {
        /// Maximum number of game pairs in a match, without tie breaks.
        pairs: NonZeroU32,
    },
    /// One challenger meets the others in turn until it is clear whether it is stronger. In a game of more than two
    /// seats, copies of one other player take the seats beside it.
    Sprt {
        /// Index of the challenger.
        challenger: usize,
        /// Hypotheses and error rates.
        test: Sprt,
        /// Maximum number of blocks: of game pairs in a game of two.
        most_pairs: Option<u64>,
        /// Number of seats.
        seats: usize,
    },
    /// The next games are between ranking neighbours with the least certain order.
    Adaptive {
        /// Test that separates two neighbours.
        test: RankingTest,
        /// Maximum number of game pairs.
        most_pairs: u64,
    },
    /// Games of more than two seats, in blocks.
    Tables(TableFormat),
}

impl Format {
    /// Whether the pairings depend on results.
    pub fn depends_on_results(&self) -> bool {
        match self {
            Self::RoundRobin(_) | Self::Gauntlet { .. } => false,
            Self::Tables(format) => format.depends_on_results(),
            Self::Swiss { .. }
            | Self::Knockout { .. }
            | Self::Sprt { .. }
            | Self::Adaptive { .. } => true,
        }
    }

    /// The schedule of a tournament in this format among `players`, at least two.
    pub fn schedule(&self, players: usize) -> Box<dyn Schedule> {
        self.schedule_ahead(players, 0)
    }

    /// Like [`Self::schedule`], but a sequential test issues at least `pairs` game pairs before their results
    /// are known. Some of them may lie beyond its end.
    pub fn schedule_ahead(&self, players: usize, pairs: u64) -> Box<dyn Schedule> {
        match self {
            Self::RoundRobin(games) => Box::new(RoundRobin::new(players, *games)),
            Self::Gauntlet { challengers, games } => {
                Box::new(Gauntlet::new(players, challengers, *games))
            }
            Self::Swiss { rounds, pairs } => {
                Box::new(WaveSchedule::new(Swiss::new(players, *rounds, *pairs)))
            }
            Self::Knockout { pairs } => Box::new(WaveSchedule::new(Knockout::new(players, *pairs))),
            Self::Sprt {
                challenger,
                test,
                most_pairs,
                seats,
            } => {
                let test = BlockTest::new(*seats, *test, *most_pairs);
                Box::new(SprtSchedule::new(players, *challenger, test.ahead(pairs)))
            }
            Self::Adaptive { test, most_pairs } => Box::new(WaveSchedule::new(Adaptive::new(
                players,
                *test,
                *most_pairs,
            ))),
            Self::Tables(format) => format.schedule(players),
        }
    }
}
