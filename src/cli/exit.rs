//! Exit codes, as `referee --help` lists them.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It did what was asked.
    Done = 0,
    /// It failed in a way that has no code of its own; `verify` and `replay`: a record is not true;
    /// `check`: a check failed; `replay --into`: no answer.
    Failed = 1,
    /// The arguments or a configuration are wrong. Nothing was done.
    Usage = 2,
    /// `position`: an action breaks a rule; `replay --into`: the bot's does.
    Illegal = 3,
    /// `position`: a token is not an action at all; `replay --into`: the bot's answer.
    Unparsable = 4,
    /// A file or folder could not be read or written.
    File = 5,
    /// A game was void twice in a row and the run was halted.
    Halted = 6,
    /// `run`: it was told to stop before all games were played.
    Stopped = 7,
    /// The isolation that was asked for cannot hold on this machine. Nothing was played.
    Isolation = 8,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
