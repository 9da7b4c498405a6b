//! Ratings with their uncertainty.

mod clusters;
mod covariance;
mod leverage;
mod posterior;
mod power;
mod ratings;
mod sampled;
mod strength_prior;
mod sum;

pub use clusters::Openings;
pub use covariance::MAX_EXACT_PLAYERS;
pub use posterior::{MAX_CORRECTED_PLAYERS, Posterior};
pub use power::{GamesNeeded, blocks_needed};
pub use ratings::{Anchor, FitOptions, Ratings};
