//! The house bots.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

use referee_bot::{bot, protocol, text};
use referee_game::{game, random};

pub mod opponents;
