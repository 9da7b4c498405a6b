//! Who meets whom next.
//!
//! A schedule sees player indices and results only, and is a deterministic function of its plan and
//! the results so far. So a run needs no saved state besides its journal: issuing the same games
//! and feeding back the same results leads to the same place.
//!
//! Which games there are, under which numbers, depends on the results alone and never on the order
//! in which they come in. So any number of games can be played at a time.

use std::fmt::Debug;
use std::num::NonZeroU32;

mod adaptive;
mod cycles;
mod gauntlet;
mod knockout;
mod ladder;
mod matching;
#[cfg(test)]
mod properties;
mod round_robin;
mod sprt;
mod swiss;
#[cfg(test)]
mod testing;
mod waves;

use adaptive::Adaptive;
use gauntlet::Gauntlet;
use knockout::Knockout;
use ladder::Ladder;
use round_robin::RoundRobin;
use sprt::SprtSchedule;
use swiss::Swiss;
use waves::InWaves;

use crate::game::GameResult;
use crate::rating::{Sprt, SprtVerdict};

/// One game that is to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    /// The number of the game in its schedule, from 0 and without gaps.
    pub id: u64,
    /// The number of the game pair: games with the same number begin from the same start.
    pub pair: u64,
    /// The players by seat, as indices.
    pub players: [usize; 2],
}

/// What a schedule wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// This game is to be played.
    Issue(Ticket),
    /// Nothing more before another result comes in.
    Wait,
    /// No further game.
    Done,
}

/// Hands out games, and takes in their results.
pub trait Schedule: Debug {
    /// What is to be done next.
    fn next(&mut self) -> Next;

    /// Takes in the result of game `id`, which was issued and not recorded yet.
    fn record(&mut self, id: u64, result: GameResult);

    /// How many games there are in all, where that does not depend on results.
    fn total(&self) -> Option<u64>;

    /// What the format itself says in the end, beyond points; `None` where that is nothing, or not
    /// known yet.
    fn conclusion(&self) -> Option<Conclusion> {
        None
    }
}

/// What a format says in the end.
#[derive(Debug, Clone, PartialEq)]
pub enum Conclusion {
    /// This player won the tournament.
    Winner(usize),
    /// The players stand in this order, best first.
    Order(Vec<usize>),
    /// How far a ranking became clear.
    Ranking {
        /// The players, best first.
        order: Vec<usize>,
        /// How sure the order of neighbours was to be.
        confidence: f64,
        /// The neighbours of whom it is not so sure, better first.
        unclear: Vec<[usize; 2]>,
    },
    /// How a sequential test ended.
    Test {
        /// Who was tested.
        challenger: usize,
        /// What the test decides.
        test: Sprt,
        /// How many game pairs brought the challenger 0, ½, 1, 1½ and 2 points, as far as they
        /// were taken into account.
        pairs: [u64; 5],
        /// The log-likelihood ratio after them.
        llr: f64,
        /// What was decided before the games ended.
        verdict: SprtVerdict,
    },
}

/// How many games each two players who meet play against each other: at least one.
pub type GamesPerPairing = NonZeroU32;

/// The form of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub enum Format {
    /// Everyone meets everyone.
    RoundRobin(GamesPerPairing),
    /// Challengers meet everyone else.
    Gauntlet {
        /// The challengers.
        challengers: Vec<usize>,
        /// How often two players who meet do so.
        games: GamesPerPairing,
    },
    /// Players with like scores meet.
    Swiss {
        /// How many rounds.
        rounds: u32,
        /// How many game pairs two players play in a round.
        pairs: NonZeroU32,
    },
    /// Who loses is out.
    Knockout {
        /// How many game pairs a match has at most, apart from those that break a tie.
        pairs: NonZeroU32,
    },
    /// Neighbours meet, and the lower one moves up by winning.
    Ladder {
        /// How many rounds.
        rounds: u32,
        /// How many game pairs two players play in a round.
        pairs: NonZeroU32,
    },
    /// One challenger meets the others until it is clear whether it is stronger.
    Sprt {
        /// The challenger.
        challenger: usize,
        /// What is to be decided.
        test: Sprt,
        /// How many game pairs are played at most.
        most_pairs: Option<u64>,
    },
    /// Those meet of whom most is to be learned about the ranking.
    Adaptive {
        /// How sure it is to be of every two neighbours who is the stronger.
        confidence: f64,
        /// How many game pairs are played at most.
        most_pairs: u64,
    },
}

impl Format {
    /// The name in configurations and records.
    pub fn name(&self) -> &'static str {
        match self {
            Self::RoundRobin(_) => "round-robin",
            Self::Gauntlet { .. } => "gauntlet",
            Self::Swiss { .. } => "swiss",
            Self::Knockout { .. } => "knockout",
            Self::Ladder { .. } => "ladder",
            Self::Sprt { .. } => "sprt",
            Self::Adaptive { .. } => "adaptive",
        }
    }

    /// Whether who meets whom depends on results.
    pub fn depends_on_results(&self) -> bool {
        match self {
            Self::RoundRobin(_) | Self::Gauntlet { .. } => false,
            Self::Swiss { .. }
            | Self::Knockout { .. }
            | Self::Ladder { .. }
            | Self::Sprt { .. }
            | Self::Adaptive { .. } => true,
        }
    }

    /// The schedule of a tournament of this form among `players`, at least two.
    pub fn schedule(&self, players: usize) -> Box<dyn Schedule> {
        match self {
            Self::RoundRobin(games) => Box::new(RoundRobin::new(players, *games)),
            Self::Gauntlet { challengers, games } => {
                Box::new(Gauntlet::new(players, challengers, *games))
            }
            Self::Swiss { rounds, pairs } => {
                Box::new(InWaves::new(Swiss::new(players, *rounds, *pairs)))
            }
            Self::Knockout { pairs } => Box::new(InWaves::new(Knockout::new(players, *pairs))),
            Self::Ladder { rounds, pairs } => {
                Box::new(InWaves::new(Ladder::new(players, *rounds, *pairs)))
            }
            Self::Sprt {
                challenger,
                test,
                most_pairs,
            } => Box::new(SprtSchedule::new(players, *challenger, *test, *most_pairs)),
            Self::Adaptive {
                confidence,
                most_pairs,
            } => Box::new(InWaves::new(Adaptive::new(
                players,
                *confidence,
                *most_pairs,
            ))),
        }
    }
}
