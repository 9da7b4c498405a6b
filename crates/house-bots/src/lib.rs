//! The house bots.

use referee_bot::protocol;
use referee_game::{game, random};

pub mod opponents;
