//! Ratings with their uncertainty.

mod covariance;
mod dependence;
mod difference;
mod opening_effects;
mod pair_correlation;
mod posterior;
mod power;
mod ratings;
mod sampled;
mod strength_prior;

pub use covariance::MAX_EXACT_PLAYERS;
pub use difference::Difference;
pub use posterior::MAX_CORRECTED_PLAYERS;
pub use power::POWER;
pub use ratings::{Anchor, Ratings};
pub use strength_prior::StrengthPrior;
