//! Ratings and tests that follow the games one by one.

mod elo;
mod sprt;

pub use elo::Elo;
pub use sprt::{EloModel, Sprt, SprtVerdict};
