//! The strengths of all players, fitted together by penalised maximum likelihood.
//!
//! Bradley and Terry's model (Biometrika 39, 1952) with Davidson's draws (JASA 65, 1970) and an advantage of the
//! first seat (Davidson and Beaver, Biometrics 33, 1977). A game between the players `a` (first seat) and `b` has
//! the log odds `η = θa - θb + γ`. The weights of its outcomes are
//!
//! ```text
//! a wins: exp(η/2)     draw: ν = exp(δ)     b wins: exp(-η/2)
//! ```
//!
//! All of `θ`, `γ` and `δ` are fitted at once. Weak normal priors keep all of them finite.

mod anchors;
mod elo;
mod outcome;
mod problem;

pub use anchors::Anchors;
pub use elo::{Estimate, draw_rate, elo_scale};
pub use outcome::{Expected, Weights};
pub use problem::Problem;

/// Standard deviation of the prior of a strength, in Elo on the scale without draws. The prior keeps estimates
/// finite for players who won or lost all their games, and relates groups that never met.
pub const PRIOR_DEVIATION: f64 = 1000.0;

/// Standard deviation of the prior of the first seat's advantage, in Elo on the scale without draws.
pub const ADVANTAGE_DEVIATION: f64 = 400.0;

/// Standard deviation of the prior of `δ`. At its mean, a third of all games between equals are drawn.
pub const DRAWS_DEVIATION: f64 = 3.0;

/// Parameters to fit besides the strengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Model {
    /// Whether an advantage of the first seat is fitted. Draws are fitted if there are any.
    pub first_mover: bool,
}

impl Default for Model {
    fn default() -> Self {
        Self { first_mover: true }
    }
}
