//! A tournament harness for game-playing programs.
//!
//! Modules stand in reading order, from the rules of a game outwards.

pub mod game;
pub mod random;
pub mod protocol;
pub mod clock;
pub mod player;
pub mod referee;
pub mod schedule;
pub mod runner;
pub mod record;
pub mod rating;
pub mod report;
pub mod opponents;
pub mod config;
pub mod check;
pub mod cli;
