//! Ratings, intervals and sequential tests from results, which are numbers alone.

use referee_game::{game, random};

pub mod rating;
