//! Ratings, intervals, sequential tests, matchmaking and tuning from results, which are numbers alone.

#![deny(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use referee_game::{game, named, random};

pub mod matchmaking;
pub mod rating;
pub mod tuning;
