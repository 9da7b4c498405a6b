//! The parameters of the model, and their priors.

/// Standard deviation of the prior of a strength, in Elo on the scale without draws. The prior keeps estimates
/// finite for players who won or lost all their games, and relates groups that never met.
pub const PRIOR_DEVIATION: f64 = 1000.0;

/// Standard deviation of the prior of the first seat's advantage over another one, in Elo on the scale without draws.
pub const ADVANTAGE_DEVIATION: f64 = 400.0;

/// Standard deviation of the prior of `ln δ`. At its mean, a third of all games between two equals are drawn.
pub const DRAWS_DEVIATION: f64 = 3.0;

/// Parameters to fit besides the strengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Model {
    /// Whether the worth of seats is fitted. Ties are fitted if there are any.
    pub first_mover: bool,
}

impl Default for Model {
    fn default() -> Self {
        Self { first_mover: true }
    }
}
