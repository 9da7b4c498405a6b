//! Tables, screens and pages from the records of a run.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

use referee_bot::{clock, text, units};
use referee_game::game;
use referee_play::{referee, schedule};
use referee_rating::{rating, tuning};
use referee_runs::{config, parallel, results, runner, runs};

pub mod report;
pub mod pages;
pub mod shards;
