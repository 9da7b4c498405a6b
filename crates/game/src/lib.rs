//! The rules, the notation and the drawing of games, and reproducible random numbers.

pub mod game;
pub mod random;
