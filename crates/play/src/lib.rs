//! One game between players, games whose rules are a program, and who meets whom.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

use referee_bot::{bot, clock, protocol, text, units};
use referee_game::{game, named, random};
use referee_rating::{rating, tuning};

pub mod referee;
pub mod rules;
pub mod schedule;
