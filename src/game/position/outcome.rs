//! The end of a game by its rules.

use crate::game::{GameResult, PerSeat, Reason, RulesPoints, Seat};

/// The end of a game by its rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Who won.
    pub result: GameResult,
    /// By which rule.
    pub reason: Reason,
    /// The points of the seats, where the rules count some.
    pub rules_points: Option<PerSeat<RulesPoints>>,
}

impl Outcome {
    /// A win of `winner` in a game of two.
    pub fn won(winner: impl Into<Seat>, reason: Reason) -> Self {
        Self {
            result: GameResult::Won(winner.into()),
            reason,
            rules_points: None,
        }
    }

    /// A draw.
    pub fn drawn(reason: Reason) -> Self {
        Self {
            result: GameResult::Drawn,
            reason,
            rules_points: None,
        }
    }
}

/// The end of a game of two by its rules, without points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutcomeOfTwo {
    /// The winner; `None` is a draw.
    pub winner: Option<Seat>,
    /// By which rule.
    pub reason: Reason,
}

impl OutcomeOfTwo {
    /// A win of `winner`.
    pub fn won(winner: impl Into<Seat>, reason: Reason) -> Self {
        Self {
            winner: Some(winner.into()),
            reason,
        }
    }

    /// A draw.
    pub fn drawn(reason: Reason) -> Self {
        Self {
            winner: None,
            reason,
        }
    }
}

impl From<OutcomeOfTwo> for Outcome {
    fn from(outcome: OutcomeOfTwo) -> Self {
        match outcome.winner {
            Some(winner) => Self::won(winner, outcome.reason),
            None => Self::drawn(outcome.reason),
        }
    }
}
