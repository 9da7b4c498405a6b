//! The end of a game by its rules.

use crate::game::{PerSeat, Points, Reason, Seat};

/// The end of a game by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Seat>,
    /// By which rule.
    pub reason: Reason,
    /// The points of the seats, where the rules count some.
    pub points: Option<PerSeat<Points>>,
}

impl Outcome {
    /// A win of `winner`.
    pub fn won(winner: impl Into<Seat>, reason: Reason) -> Self {
        Self {
            winner: Some(winner.into()),
            reason,
            points: None,
        }
    }

    /// A draw.
    pub fn drawn(reason: Reason) -> Self {
        Self {
            winner: None,
            reason,
            points: None,
        }
    }
}
