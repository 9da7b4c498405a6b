//! Submissions of a class, their tests, marks and feedback.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

use referee_bot::{bot, clock, text};
use referee_game::{game, random};
use referee_house_bots::opponents;
use referee_play::{referee, schedule};
use referee_rating::rating;
use referee_report::{pages, report};
use referee_runs::{check, config, parallel, replay, results, runner, runs};

pub mod grade;
