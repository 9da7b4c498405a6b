//! From strengths to Elo.

use crate::rating::{ELO, Z95};

/// An estimated value with its standard error, in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub elo: f64,
    /// Its standard error.
    pub error: f64,
}

impl Estimate {
    /// An Elo with half the width of its 95 % interval.
    pub fn with_margin(elo: f64, margin: f64) -> Self {
        Self {
            elo,
            error: margin / Z95,
        }
    }

    /// Half the width of the 95 % interval.
    pub fn margin(&self) -> f64 {
        Z95 * self.error
    }

    /// The lower end of the 95 % interval.
    pub fn low(&self) -> f64 {
        self.elo - self.margin()
    }

    /// The upper end of the 95 % interval.
    pub fn high(&self) -> f64 {
        self.elo + self.margin()
    }
}

/// The probability of a draw between equals without an advantage.
pub fn draw_rate(nu: f64) -> f64 {
    nu / (2.0 + nu)
}

/// Elo per unit of strength. With any share of draws, one Elo changes the expected score between equals by as much
/// as on the classical Elo curve.
pub fn elo_scale(nu: f64) -> f64 {
    ELO * (1.0 - draw_rate(nu))
}
