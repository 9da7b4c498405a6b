//! A tournament: its configuration, its games, its records on disk and their verification.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

use referee_bot::{bot, clock, protocol, text, units};
use referee_game::{game, random};
use referee_house_bots::opponents;
use referee_play::{referee, rules, schedule};
use referee_rating::{rating, tuning};

pub mod parallel;
pub mod config;
pub mod runs;
pub mod results;
pub mod runner;
pub mod replay;
pub mod verify;
pub mod pgn;
pub mod check;
