//! The rules, the notation and the drawing of games, and reproducible random numbers.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod game;
pub mod random;
