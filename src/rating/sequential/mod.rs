//! Ratings and tests that follow the games one by one.

mod block_scores;
mod elo;
mod sprt;
mod unit;

pub use block_scores::BlockScores;
pub use elo::Elo;
pub use sprt::{EloModel, Sprt, SprtEstimate, SprtVerdict};
