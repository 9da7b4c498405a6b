//! The rules program to check, and the conditions.

use std::path::PathBuf;
use std::time::Duration;

use crate::bot::{Confinement, Launch, Supervisor};
use crate::rules::Deadlines;

/// The rules program to check, and the conditions.
#[derive(Debug, Clone)]
pub struct CheckPlan {
    /// The program.
    pub rules: Launch,
    /// A copy of the program's folder, for a process that is started elsewhere; `None` where there is none.
    pub copy: Option<PathBuf>,
    /// The program that supervises it.
    pub supervisor: Supervisor,
    /// Time limits of answers.
    pub deadlines: Deadlines,
    /// Its limits on the machine.
    pub confinement: Confinement,
    /// Time limit for exiting after `quit`, and after the end of the input.
    pub quit: Duration,
    /// Values of options that are not the default ones.
    pub options: Vec<(String, String)>,
    /// Maximum number of random games.
    pub games: u32,
    /// Maximum number of plies of a game.
    pub plies: usize,
    /// Time after which no further random game begins; other steps that sample have as much each.
    pub time: Duration,
    /// Seed for everything random: the games' seeds, and the choices of actions and positions.
    pub seed: u64,
    /// Depth to which sequences of actions are counted; 0 for none.
    pub perft: u32,
}

/// Why a check cannot begin. Never a fault of the rules.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum OptionError {
    /// The game has no such option.
    #[error("option `{key}`: the game has no such option: expected {known}")]
    Unknown {
        /// The option.
        key: String,
        /// The options of the game, in words.
        known: String,
    },
    /// The option does not take the value.
    #[error("option `{key}`: `{value}` is no value of it: expected {expected}")]
    Value {
        /// The option.
        key: String,
        /// The value.
        value: String,
        /// The values that it takes, in words.
        expected: String,
    },
}

/// A step of a check, for reports of progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The random game with this number, from 1.
    Game(u32),
    /// Each option at its bounds.
    Options,
    /// Games again, in other processes.
    Replays,
    /// Actions at sampled positions.
    Positions,
    /// Positions that a seat cannot tell apart.
    Secrets,
    /// Counts of sequences of actions.
    Perft,
}
