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
mod seating;
#[cfg(test)]
mod testing;
mod tuning;

use std::fmt::Debug;
use std::num::NonZeroU32;

pub use conclusion::{Conclusion, NextPlace, Place, PlacedBy, TestEnd, TestState};
pub use formats::seatings_in_turn;
use formats::{Adaptive, Gauntlet, Knockout, List, RoundRobin, SprtSchedule, Swiss, TuneSchedule};
use seating::WaveSchedule;
pub use tuning::{
    Iteration, Method, Tuning, TuningFit, TuningProgress, TuningState, Values, role, shown,
    values_of_text, values_text,
};

use crate::game::{Chance, GameResult, PerSeat};
use crate::random::Stream;
use crate::rating::{RankingTest, Sprt};

/// The format of a tournament, for any number of seats that [`Self::fits`].
#[derive(Debug, Clone, PartialEq)]
pub enum Format {
    RoundRobin(GamesPerPairing),
    /// Challengers meet everyone else, one of them in each game.
    Gauntlet {
        challengers: Vec<usize>,
        games: GamesPerPairing,
    },
    /// Who sits together in each block, as many as there are seats.
    List(Vec<Vec<usize>>),
    /// Players with similar scores meet.
    Swiss {
        rounds: u32,
        /// Number of games of a seating in a round: a multiple of the seats.
        games: GamesPerPairing,
    },
    Knockout {
        /// Maximum number of games in a match, without tie breaks: even.
        games: GamesPerPairing,
    },
    /// One challenger meets the others in turn until it is clear whether it is stronger. In a game of more than two
    /// seats, copies of one other player take the seats beside it.
    Sprt {
        challenger: usize,
        test: Sprt,
        /// Maximum number of games: a multiple of the seats.
        most_games: Option<u64>,
    },
    /// The next games are between ranking neighbours with the least certain order.
    Adaptive {
        test: RankingTest,
        /// Maximum number of games: even.
        most_games: u64,
    },
    /// A player meets itself with other values of its parameters.
    Tune(Tuning),
}

impl Format {
    pub fn depends_on_results(&self) -> bool {
        !matches!(
            self,
            Self::RoundRobin(_) | Self::Gauntlet { .. } | Self::List(_)
        )
    }

    /// The schedule of a tournament in this format among `players`, at least two, in a game of `seats`.
    pub fn schedule(&self, players: usize, seats: usize) -> Box<dyn Schedule> {
        self.schedule_ahead(players, seats, 0, 0)
    }

    /// Like [`Self::schedule`], but a tuning draws from the master seed of the run, and a sequential test issues at least
    /// `ahead` blocks before their results are known. Some of them may lie beyond its end.
    pub fn schedule_ahead(
        &self,
        players: usize,
        seats: usize,
        seed: u64,
        ahead: u64,
    ) -> Box<dyn Schedule> {
        let in_blocks = |games: u64| games.div_ceil(seats as u64);
        match self {
            Self::RoundRobin(games) => Box::new(RoundRobin::blocks(players, seats, *games)),
            Self::Gauntlet { challengers, games } => {
                Box::new(Gauntlet::blocks(players, seats, challengers, *games))
            }
            Self::List(pairings) => Box::new(List::blocks(players, seats, pairings)),
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
            Self::Tune(tuning) => Box::new(TuneSchedule::new(tuning.clone(), seed)),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// Number of the game in its schedule, from 0 and without gaps.
    pub id: u64,
    /// Number of the block. Games of a block have equal starts.
    pub block: u64,
    /// Number of the round, from 1; `None` if the format has no rounds.
    pub round: Option<u64>,
    pub players: PerSeat<usize>,
    /// The values of each player's parameters, if they are tuned.
    pub values: Option<Box<PerSeat<Values>>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextGame {
    Issue(Ticket),
    /// No game can be issued before another result arrives.
    Wait,
    Done,
}

pub trait Schedule: Debug + Send + Sync {
    fn next(&mut self) -> NextGame;

    /// Takes in the result of game `id`, which was issued and has no result yet.
    fn record(&mut self, id: u64, result: GameResult);

    fn count(&self) -> GameCount;

    /// Conclusion of the format, beyond points; `None` if there is none, or not yet.
    fn conclusion(&self) -> Option<Conclusion> {
        None
    }

    fn test(&self) -> Option<TestState> {
        None
    }

    fn tuning(&self) -> Option<TuningProgress> {
        None
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameCount {
    Exactly(u64),
    /// Depends on results, with this upper bound.
    AtMost(u64),
    /// Depends on results, without an upper bound.
    Unknown,
}

impl GameCount {
    pub fn exactly(self) -> Option<u64> {
        match self {
            Self::Exactly(games) => Some(games),
            Self::AtMost(_) | Self::Unknown => None,
        }
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Exactly(a), Self::Exactly(b)) => Self::Exactly(a.saturating_add(b)),
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Exactly(a) | Self::AtMost(a), Self::Exactly(b) | Self::AtMost(b)) => {
                Self::AtMost(a.saturating_add(b))
            }
        }
    }
}

/// How often two players who meet sit together, at least once: exactly in games of two seats, on average in games of more.
pub type GamesPerPairing = NonZeroU32;

impl Format {
    /// # Errors
    /// A problem in words.
    pub fn fits(&self, players: usize, seats: usize) -> Result<(), String> {
        let matches_of_two = |kind| match seats {
            2 => Ok(()),
            _ => Err(format!(
                "kind = \"{kind}\" is for matches of two, and the game has {seats} seats: expected \
                 \"round-robin\", \"gauntlet\", \"swiss\" or \"sprt\""
            )),
        };
        match self {
            // Of more than two, no one player is out, and no order of two neighbours is tested.
            Self::Knockout { .. } => matches_of_two("knockout"),
            Self::Adaptive { .. } => matches_of_two("adaptive"),
            Self::Tune(_) if players != role::COUNT => Err(format!(
                "a tuning is of one player, and there are {players}: expected one [[player]], with [player.tune]"
            )),
            Self::Tune(_) => matches_of_two("tune"),
            Self::RoundRobin(_) | Self::Swiss { .. } if players < seats => Err(format!(
                "the game has {seats} seats, and there are {players} players: expected at least {seats}"
            )),
            // Copies of the others fill the seats beside a challenger.
            Self::RoundRobin(_)
            | Self::Swiss { .. }
            | Self::List(_)
            | Self::Gauntlet { .. }
            | Self::Sprt { .. } => Ok(()),
        }
    }
}

/// Random streams derived from the master seed. Blocks use numbers below this bit.
const SHARES: u64 = 1 << 63;

/// Cut of a tournament into shards. The games of a block stay together. Of as many consecutive blocks as there are
/// shards, each shard has one. A random rotation of these spreads the meetings of two players over all shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    pub seed: u64,
    pub shards: NonZeroU32,
}

impl Cut {
    /// The shard that plays the games of a block, given the index of the game in the plan.
    pub fn owner(&self, game: usize, block: u64) -> u32 {
        let shards = self.shards.get();
        // Bit 63: a stream of shares; from 48 on: the game; below: the number of the share, which is one block a shard.
        let share = SHARES | (game as u64) << 48 | (block / u64::from(shards));
        let turn = Stream::new(self.seed, share).below(shards);
        // Both are less than the number of shards.
        let place = (block % u64::from(shards) + u64::from(turn)) % u64::from(shards);
        place as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_of_equal_size_and_blocks_that_come_again_change_shards() {
        let cut = Cut {
            seed: 2026,
            shards: NonZeroU32::new(17).expect("a shard"),
        };
        let mut sizes = [0; 17];
        // A cycle with as many pairings as shards: each pairing recurs every 17 blocks.
        let mut of_one_pairing = [0; 17];
        for block in 0..17 * 200 {
            sizes[cut.owner(0, block) as usize] += 1;
            if block % 17 == 5 {
                of_one_pairing[cut.owner(0, block) as usize] += 1;
            }
        }
        assert_eq!(sizes, [200; 17]);
        assert!(
            of_one_pairing.iter().all(|blocks| *blocks > 0),
            "{of_one_pairing:?}"
        );
    }
}
