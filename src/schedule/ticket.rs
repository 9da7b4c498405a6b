//! Games to play, and the source of them.

use std::fmt::Debug;
use std::num::NonZeroU32;

use super::conclusion::{Conclusion, TestState};
use crate::game::{GameResult, PerSeat};

/// A game to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// Number of the game in its schedule, from 0 and without gaps.
    pub id: u64,
    /// Number of the block. Games of a block have equal starts.
    pub block: u64,
    /// Number of the round, from 1; `None` if the format has no rounds.
    pub round: Option<u64>,
    /// Indices of the players, by seat.
    pub players: PerSeat<usize>,
}

/// Answer of a schedule when asked for a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextGame {
    /// Play this game.
    Issue(Ticket),
    /// No game can be issued before another result arrives.
    Wait,
    /// No further games.
    Done,
}

/// Issues games, and takes in their results.
pub trait Schedule: Debug + Send + Sync {
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

/// How often two players who meet sit together, at least once: exactly in games of two seats, on average in games of more.
pub type GamesPerPairing = NonZeroU32;
