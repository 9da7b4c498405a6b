//! Leagues: a roster that changes, matchmaking, and ratings over all runs.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

use referee_bot::{bot, text};
use referee_game::game;
use referee_grade::grade;
use referee_house_bots::opponents;
use referee_rating::{matchmaking, rating};
use referee_report::{pages, report};
use referee_runs::{check, config, results, runner, runs};

pub mod league;
