//! The end of a game by its rules.

use crate::game::{Reason, Seat};

/// The end of a game by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Seat>,
    /// By which rule.
    pub reason: Reason,
}

impl Outcome {
    /// A win of `winner`.
    pub fn won(winner: Seat, reason: Reason) -> Self {
        Self {
            winner: Some(winner),
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
