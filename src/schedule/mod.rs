//! Schedules: the order of games.
//!
//! A schedule sees only player indices and results. It is a deterministic function of its plan and the results,
//! so a run needs no saved state besides its journal: a new schedule that gets equal results continues with
//! equal games.
//!
//! Games and their numbers depend on results only, never on their order of arrival. So any number of
//! games can be played at a time.

use std::fmt::Debug;
use std::num::NonZeroU32;

mod formats;
mod hopeless;
mod pairings;
mod sharding;
#[cfg(test)]
mod testing;

use formats::{Adaptive, Gauntlet, Knockout, Ladder, RoundRobin, SprtSchedule, Swiss};
pub use hopeless::{GameEvidence, HopelessRule, HopelessTerms, Standing, Streak};
use pairings::WaveSchedule;
pub use sharding::Cut;

use crate::game::GameResult;
use crate::rating::{Interval, MatchScore, OrderVerdict, RankingTest, Sprt, SprtVerdict, Tally};

/// A game to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    /// Number of the game in its schedule, from 0 and without gaps.
    pub id: u64,
    /// Number of the game pair. Games of a pair have equal starts.
    pub pair: u64,
    /// Number of the round, from 1; `None` if the format has no rounds.
    pub round: Option<u64>,
    /// Indices of the players, by seat.
    pub players: [usize; 2],
}

/// Answer of a schedule when asked for a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextGame {
    /// Play this game.
    Issue(Ticket),
    /// No game can be issued before another result arrives.
    Wait,
    /// No further games.
    Done,
}

/// Issues games, and takes in their results.
pub trait Schedule: Debug {
    /// The next game.
    fn next(&mut self) -> NextGame;

    /// Takes in the result of game `id`, which was issued and has no result yet.
    fn record(&mut self, id: u64, result: GameResult);

    /// Number of games.
    fn count(&self) -> GameCount;

    /// Conclusion of the format, beyond points; `None` if there is none, or not yet.
    fn conclusion(&self) -> Option<Conclusion> {
        None
    }

    /// State of the sequential test, if the format is one.
    fn test(&self) -> Option<TestState> {
        None
    }
}

/// Number of games in a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameCount {
    /// Exact number, independent of results.
    Exactly(u64),
    /// Depends on results, with this upper bound.
    AtMost(u64),
    /// Depends on results, without an upper bound.
    Unknown,
}

impl GameCount {
    /// The number of games, if it is independent of results.
    pub fn exactly(self) -> Option<u64> {
        match self {
            Self::Exactly(games) => Some(games),
            Self::AtMost(_) | Self::Unknown => None,
        }
    }

    /// Sum of the games of two tournaments.
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

/// The place of a player in the final order of a format.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Index of the player.
    pub player: usize,
    /// Place, from 1. Players that the format does not separate share one.
    pub place: usize,
    /// Criterion that decided the place.
    pub by: PlacedBy,
}

/// Criterion that decided a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlacedBy {
    /// Points, then Buchholz.
    Points {
        /// Points, including byes.
        all: f64,
        /// Points from byes.
        byes: f64,
        /// Sum of the opponents' points. A bye counts as an opponent with the player's own points.
        buchholz: f64,
    },
    /// Last round that the player played, or had a bye in.
    LastRound(u64),
    /// Rung of the player at the end.
    Rung,
    /// The rating.
    Rating {
        /// Distance to the next player; `None` for the last one.
        next: Option<NextPlace>,
    },
}

/// Distance between a player and the next in a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NextPlace {
    /// Verdict of the test on the two players.
    pub apart: OrderVerdict,
    /// Elo difference with a 95 % interval, corrected for the stopping time of the test.
    pub difference: Interval,
}

/// State of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestState {
    /// Index of the tested player.
    pub challenger: usize,
    /// Hypotheses and error rates.
    pub test: Sprt,
    /// Number of counted game pairs with 0, ½, 1, 1½ and 2 points for the challenger.
    pub pairs: [u64; 5],
    /// Number of game pairs left out, because both players forfeited a game.
    pub left_out: u64,
    /// Log-likelihood ratio of the counted pairs.
    pub llr: f64,
    /// Decision of the test.
    pub verdict: SprtVerdict,
    /// Reason for the end of the test, if it ended.
    pub end: Option<TestEnd>,
}

impl TestState {
    /// Score of the counted game pairs.
    pub fn games(&self) -> MatchScore {
        MatchScore {
            pairs: self.pairs,
            singles: Tally::default(),
        }
    }

    /// Lower and upper bound of the log-likelihood ratio after these pairs.
    pub fn bounds(&self) -> [f64; 2] {
        self.test.bounds(&self.games())
    }
}

/// Why a sequential test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestEnd {
    /// The log-likelihood ratio reached a bound.
    Bound,
    /// All pairs were 1-1, and enough to place the difference between both hypotheses.
    EqualPairs,
    /// The maximum number of pairs was played.
    MostPairs,
    /// Both players forfeited games of many pairs in a row.
    Forfeits,
}

impl TestEnd {
    /// Name of this end in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bound => "bound",
            Self::EqualPairs => "equal-pairs",
            Self::MostPairs => "max-games",
            Self::Forfeits => "forfeits",
        }
    }
}

/// The conclusion of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub enum Conclusion {
    /// Places after a knockout, winner first.
    Winner(Vec<Place>),
    /// Places of the players, best first.
    FinalOrder(Vec<Place>),
    /// A ranking, with the test of its neighbours.
    Ranking {
        /// Indices of the players, best first.
        order: Vec<usize>,
        /// The test.
        test: RankingTest,
        /// Distance of each player but the last to the next.
        next: Vec<NextPlace>,
    },
    /// State of a finished or stopped sequential test.
    Test(TestState),
}

impl Conclusion {
    /// Places of the players, best first; empty for a test.
    pub fn places(&self) -> Vec<Place> {
        match self {
            Self::Winner(places) | Self::FinalOrder(places) => places.clone(),
            Self::Ranking { order, next, .. } => {
                let place = |(at, player): (usize, &usize)| Place {
                    player: *player,
                    place: at + 1,
                    by: PlacedBy::Rating {
                        next: next.get(at).copied(),
                    },
                };
                order.iter().enumerate().map(place).collect()
            }
            Self::Test(_) => Vec::new(),
        }
    }
}

/// Number of games between two players who meet; at least one.
pub type GamesPerPairing = NonZeroU32;

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
    /// Neighbours meet, and the lower one moves up by winning.
    Ladder {
        /// Number of rounds.
        rounds: u32,
        /// Number of game pairs per pairing in a round.
        pairs: NonZeroU32,
    },
    /// One challenger meets the others until it is clear whether it is stronger.
    Sprt {
        /// Index of the challenger.
        challenger: usize,
        /// Hypotheses and error rates.
        test: Sprt,
        /// Maximum number of game pairs.
        most_pairs: Option<u64>,
    },
    /// The next games are between ranking neighbours with the least certain order.
    Adaptive {
        /// Test that separates two neighbours.
        test: RankingTest,
        /// Maximum number of game pairs.
        most_pairs: u64,
    },
}

impl Format {
    /// Whether the pairings depend on results.
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
            Self::Ladder { rounds, pairs } => {
                Box::new(WaveSchedule::new(Ladder::new(players, *rounds, *pairs)))
            }
            Self::Sprt {
                challenger,
                test,
                most_pairs,
            } => {
                let schedule = SprtSchedule::new(players, *challenger, *test, *most_pairs);
                Box::new(schedule.ahead(pairs))
            }
            Self::Adaptive { test, most_pairs } => Box::new(WaveSchedule::new(Adaptive::new(
                players,
                *test,
                *most_pairs,
            ))),
        }
    }
}
