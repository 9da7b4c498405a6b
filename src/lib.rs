//! A tournament harness for game-playing programs.
//!
//! Modules stand in reading order, from the rules of a game outwards.

pub mod game;
pub mod random;
pub mod protocol;
pub mod opponents;
