//! One bot: its process or function, its protocol, its clock and its isolation.

#![warn(clippy::print_stdout, clippy::print_stderr)]

use referee_game::{game, named};

pub mod text;
pub mod units;
pub mod clock;
pub mod protocol;
pub mod bot;
