//! The rules program to check, and the conditions.

use std::path::PathBuf;
use std::time::Duration;

use super::RecordedGame;
use crate::bot::{Confinement, Launch, Supervisor};
use crate::rules::Deadlines;

#[derive(Debug, Clone)]
pub struct CheckPlan {
    pub rules: Launch,
    /// A copy of the program's folder, for a process that is started elsewhere; `None` where there is none.
    pub copy: Option<PathBuf>,
    pub supervisor: Supervisor,
    pub deadlines: Deadlines,
    pub confinement: Confinement,
    /// Values of options that are not the default ones.
    pub options: Vec<(String, String)>,
    /// Games that take the place of random ones, if there are any.
    pub recorded: Vec<RecordedGame>,
    pub games: u32,
    pub plies: usize,
    /// Time after which no further random game begins; other steps that sample have as much each.
    pub time: Duration,
    /// Seed for everything random: the games' seeds, and the choices of actions and positions.
    pub seed: u64,
}

/// An option of the plan that the game does not take. Never a fault of the rules.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("option `{option}`: expected {expected}")]
pub struct WrongOption {
    pub option: String,
    pub expected: String,
}
