//! Schedules: the order of games.
//!
//! A schedule sees only player indices and results. It is a deterministic function of its plan and the results,
//! so a run needs no saved state besides its journal: a new schedule that gets equal results continues with
//! equal games.
//!
//! Games and their numbers depend on results only, never on their order of arrival. So any number of
//! games can be played at a time.

mod conclusion;
mod formats;
mod seat_problem;
mod seating;
mod sharding;
#[cfg(test)]
mod testing;
mod ticket;

pub use conclusion::{Conclusion, NextPlace, Place, PlacedBy, TestEnd, TestState};
pub use formats::seatings_in_turn;
use formats::{Adaptive, Gauntlet, Knockout, RoundRobin, SprtSchedule, Swiss};
pub use seat_problem::SeatProblem;
use seating::WaveSchedule;
pub use sharding::Cut;
pub use ticket::{GameCount, GamesPerPairing, NextGame, Schedule, Ticket};

use crate::rating::{RankingTest, Sprt};

/// The format of a tournament, for any number of seats that [`Self::fits`].
#[derive(Debug, Clone, PartialEq)]
pub enum Format {
    /// Everyone meets everyone.
    RoundRobin(GamesPerPairing),
    /// Challengers meet everyone else, one of them in each game.
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
        /// Number of games of a seating in a round: a multiple of the seats.
        games: GamesPerPairing,
    },
    /// The loser of a match is out.
    Knockout {
        /// Maximum number of games in a match, without tie breaks: even.
        games: GamesPerPairing,
    },
    /// One challenger meets the others in turn until it is clear whether it is stronger. In a game of more than two
    /// seats, copies of one other player take the seats beside it.
    Sprt {
        /// Index of the challenger.
        challenger: usize,
        /// Hypotheses and error rates.
        test: Sprt,
        /// Maximum number of games: a multiple of the seats.
        most_games: Option<u64>,
    },
    /// The next games are between ranking neighbours with the least certain order.
    Adaptive {
        /// Test that separates two neighbours.
        test: RankingTest,
        /// Maximum number of games: even.
        most_games: u64,
    },
}

impl Format {
    /// Whether the seatings or their number depend on results.
    pub fn depends_on_results(&self) -> bool {
        !matches!(self, Self::RoundRobin(_) | Self::Gauntlet { .. })
    }

    /// The schedule of a tournament in this format among `players`, at least two, in a game of `seats`.
    pub fn schedule(&self, players: usize, seats: usize) -> Box<dyn Schedule> {
        self.schedule_ahead(players, seats, 0)
    }

    /// Like [`Self::schedule`], but a sequential test issues at least `ahead` blocks before their results are known.
    /// Some of them may lie beyond its end.
    pub fn schedule_ahead(&self, players: usize, seats: usize, ahead: u64) -> Box<dyn Schedule> {
        let in_blocks = |games: u64| games.div_ceil(seats as u64);
        match self {
            Self::RoundRobin(games) => Box::new(RoundRobin::blocks(players, seats, *games)),
            Self::Gauntlet { challengers, games } => {
                Box::new(Gauntlet::blocks(players, seats, challengers, *games))
            }
            Self::Swiss { rounds, games } => {
                let blocks = in_blocks(games.get().into());
                let planner = Swiss::new(players, seats, *rounds, blocks);
                Box::new(WaveSchedule::new(players, seats, planner))
            }
            Self::Knockout { games } => {
                let planner = Knockout::new(players, in_blocks(games.get().into()));
                Box::new(WaveSchedule::new(players, seats, planner))
            }
            Self::Sprt {
                challenger,
                test,
                most_games,
            } => {
                let most = most_games.map(in_blocks);
                let schedule = SprtSchedule::new(players, seats, *challenger, *test, most);
                Box::new(schedule.ahead(ahead))
            }
            Self::Adaptive { test, most_games } => {
                let planner = Adaptive::new(players, *test, in_blocks(*most_games));
                Box::new(WaveSchedule::new(players, seats, planner))
            }
        }
    }
}
