//! Schedules: which games are played next.
//!
//! A schedule sees only player indices and results. It is a deterministic function of its plan and the
//! results so far, so a run needs no saved state besides its journal: a new schedule that gets the same
//! results continues with the same games.
//!
//! The games and their numbers depend only on the results, never on the order in which these come in. So
//! any number of games can be played at a time.

use std::fmt::Debug;
use std::num::NonZeroU32;

mod adaptive;
mod fixed_pairings;
mod gauntlet;
mod hopeless;
mod knockout;
mod ladder;
mod matching;
#[cfg(test)]
mod properties;
mod round_robin;
mod share;
mod sprt;
mod swiss;
#[cfg(test)]
mod testing;
mod waves;

use adaptive::Adaptive;
use gauntlet::Gauntlet;
pub use hopeless::{HopelessRule, HopelessTerms, Shown, Standing, Streak};
use knockout::Knockout;
use ladder::Ladder;
use round_robin::RoundRobin;
pub use share::Cut;
use sprt::SprtSchedule;
use swiss::Swiss;
use waves::WaveSchedule;

use crate::game::GameResult;
use crate::rating::{Apart, Interval, MatchScore, RankingTest, Sprt, SprtVerdict, Tally};

/// A game to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    /// The number of the game in its schedule, from 0 and without gaps.
    pub id: u64,
    /// The number of the game pair. Games of the same pair have the same start.
    pub pair: u64,
    /// The number of the round, from 1; `None` if the format has no rounds.
    pub round: Option<u64>,
    /// The indices of the players, by seat.
    pub players: [usize; 2],
}

/// The next game of a schedule, if there is one now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextGame {
    /// Play this game.
    Issue(Ticket),
    /// There is no game to play before another result comes in.
    Wait,
    /// There are no further games.
    Done,
}

/// Hands out games, and takes in their results.
pub trait Schedule: Debug {
    /// The next game.
    fn next(&mut self) -> NextGame;

    /// Takes in the result of game `id`, which was issued and is not recorded yet.
    fn record(&mut self, id: u64, result: GameResult);

    /// How many games there are.
    fn count(&self) -> GameCount;

    /// The conclusion of the format, beyond points. `None` if it has none, or not yet.
    fn conclusion(&self) -> Option<Conclusion> {
        None
    }

    /// How far the sequential test is, if the format is one.
    fn test(&self) -> Option<TestState> {
        None
    }
}

/// How many games a tournament has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameCount {
    /// So many, whatever their results.
    Exactly(u64),
    /// As many as the results ask for, and not more than this.
    AtMost(u64),
    /// As many as the results ask for.
    Unknown,
}

impl GameCount {
    /// The number of games, if it does not depend on results.
    pub fn exactly(self) -> Option<u64> {
        match self {
            Self::Exactly(games) => Some(games),
            Self::AtMost(_) | Self::Unknown => None,
        }
    }

    /// The games of two tournaments.
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
    /// The player.
    pub player: usize,
    /// The place, from 1. Players that the format does not tell apart share one.
    pub place: usize,
    /// What decided the place.
    pub by: PlacedBy,
}

/// What decided a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlacedBy {
    /// Points, and among equal ones the points of the opponents.
    Points {
        /// All points, with those of byes.
        all: f64,
        /// The points of byes.
        byes: f64,
        /// The points of all opponents, where a bye is an opponent with the player's own.
        buchholz: f64,
    },
    /// The last round in which the player played or had a bye.
    LastRound(u64),
    /// The rung on which the player stands at the end.
    Rung,
    /// The rating.
    Rating {
        /// How far the next player is; `None` for the last one.
        next: Option<NextPlace>,
    },
}

/// How far a player of a ranking is from the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NextPlace {
    /// What the test says of the two.
    pub apart: Apart,
    /// By how many Elo the player is stronger, with a 95 % interval, corrected for when the test ended.
    pub difference: Interval,
}

/// How far a sequential test is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestState {
    /// Who is tested.
    pub challenger: usize,
    /// What the test decides.
    pub test: Sprt,
    /// How many of the game pairs that count brought the challenger 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// How many game pairs do not count, because both players forfeited a game.
    pub left_out: u64,
    /// The log-likelihood ratio after them.
    pub llr: f64,
    /// What the test decided.
    pub verdict: SprtVerdict,
    /// Why the test ended, if it did.
    pub end: Option<TestEnd>,
}

impl TestState {
    /// The game pairs that count.
    pub fn games(&self) -> MatchScore {
        MatchScore {
            pairs: self.pairs,
            singles: Tally::default(),
        }
    }

    /// The bounds of the ratio after these pairs.
    pub fn bounds(&self) -> [f64; 2] {
        self.test.bounds(&self.games())
    }
}

/// Why a sequential test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestEnd {
    /// The ratio reached a bound.
    Bound,
    /// All pairs were 1-1, and so many that the difference lies between both hypotheses.
    EqualPairs,
    /// The greatest number of pairs was played.
    MostPairs,
    /// Both players forfeited games of many pairs in a row.
    Forfeits,
}

impl TestEnd {
    /// Its name in files.
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
    /// The places after a knockout, the winner first.
    Winner(Vec<Place>),
    /// The places of the players, best first.
    FinalOrder(Vec<Place>),
    /// A ranking, and what a test says of its neighbours.
    Ranking {
        /// The players, best first.
        order: Vec<usize>,
        /// The test.
        test: RankingTest,
        /// How far each player but the last is from the next.
        next: Vec<NextPlace>,
    },
    /// How a sequential test ended.
    Test(TestState),
}

impl Conclusion {
    /// The places of the players, best first. A test has none.
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

/// How many games two players who meet play against each other: at least one.
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
        /// How many games two players who meet play.
        games: GamesPerPairing,
    },
    /// Players with similar scores meet.
    Swiss {
        /// How many rounds.
        rounds: u32,
        /// How many game pairs two players play in a round.
        pairs: NonZeroU32,
    },
    /// The loser of a match is out.
    Knockout {
        /// How many game pairs a match has at most, without those that break a tie.
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
    /// The next games are between the neighbours in the ranking whose order is the least clear.
    Adaptive {
        /// When two neighbours are told apart.
        test: RankingTest,
        /// How many game pairs are played at most.
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

    /// The same schedule, but a sequential test has at least so many game pairs begun before their results
    /// are known. Some of them may come after its end.
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
