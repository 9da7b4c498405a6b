//! The rules, the notation and the drawing of games, and reproducible random numbers.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod game;
pub mod random;
