//! Exit codes, as `referee --help` lists them, and which error ends with which.

use std::fmt::Display;
use std::process::ExitCode;

use super::launch::StartError;
use super::position::ActionsError;
use super::setup::SetupError;
use crate::check::CheckError;
use crate::config::ConfigError;
use crate::opponents::ServeError;
use crate::record::{RecordError, ResumeError};
use crate::referee::Void;
use crate::replay::ReplayError;
use crate::runner::{HostError, RunError};
use crate::verify::VerifyError;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It did what was asked.
    Done = 0,
    /// It failed in a way that has no code of its own; `verify` and `replay`: a record is wrong;
    /// `check`: a check failed; `replay --into`: the bot gave no answer.
    Failed = 1,
    /// The arguments or a configuration are wrong. Nothing was done.
    Usage = 2,
    /// `position`: an action breaks a rule; `replay --into`: the bot's answer does.
    Illegal = 3,
    /// `position`: a token is not an action; `replay --into`: the bot's answer is not.
    Unparsable = 4,
    /// A file or folder could not be read or written.
    File = 5,
    /// A game was void twice in a row and the run was halted; `play` and `check`: a game was void.
    Halted = 6,
    /// `run`: a signal stopped it before all games were played.
    Stopped = 7,
    /// This machine cannot isolate the bots as asked. Nothing was played.
    Isolation = 8,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why a command failed: what to say, and with which exit code.
#[derive(Debug)]
pub(super) struct Failure {
    pub exit: Exit,
    pub message: String,
}

impl Failure {
    pub fn new(exit: Exit, message: impl Display) -> Self {
        Self {
            exit,
            message: message.to_string(),
        }
    }
}

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Self {
        Self::new(Exit::Usage, error)
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        let exit = match &error {
            StartError::NotACommand { .. } | StartError::CannotRun { .. } => Exit::Usage,
            StartError::OwnProgram(_) | StartError::Orphans(_) | StartError::Process { .. } => {
                Exit::Failed
            }
        };
        Self::new(exit, error)
    }
}

impl From<ActionsError> for Failure {
    fn from(error: ActionsError) -> Self {
        Self::new(Exit::File, error)
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        let exit = match &error {
            CheckError::Start(_) | CheckError::Opponent { .. } => Exit::Failed,
            CheckError::Void(_) => Exit::Halted,
        };
        Self::new(exit, error)
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        Self::new(Exit::Failed, error)
    }
}

impl From<Void> for Failure {
    fn from(error: Void) -> Self {
        Self::new(Exit::Halted, error)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::new(Exit::Usage, error)
    }
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        let exit = match &error {
            HostError::Isolation(_)
            | HostError::IsolationFallback { .. }
            | HostError::BuildIsolation { .. } => Exit::Isolation,
            HostError::TooFewCores { .. } => Exit::Usage,
        };
        Self::new(exit, error)
    }
}

impl From<&RecordError> for Exit {
    fn from(_: &RecordError) -> Self {
        Exit::File
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        Self::new(Exit::from(&error), error)
    }
}

impl From<ResumeError> for Failure {
    fn from(error: ResumeError) -> Self {
        let exit = match &error {
            ResumeError::Record(error) => Exit::from(error),
            ResumeError::OtherTournament(_) | ResumeError::Changed(_) => Exit::Usage,
        };
        Self::new(exit, error)
    }
}

impl From<&RunError> for Exit {
    fn from(error: &RunError) -> Self {
        match error {
            RunError::Record(error) => Exit::from(error),
            RunError::UnplannedGame(_) => Exit::File,
            RunError::Halted { .. } | RunError::Build { .. } => Exit::Halted,
            RunError::Stopped { .. } => Exit::Stopped,
            RunError::Thread(_) | RunError::WorkerFailed { .. } | RunError::Stalled => Exit::Failed,
        }
    }
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Self {
        let exit = match &error {
            VerifyError::Record(_) | VerifyError::TableFile { .. } => Exit::File,
            VerifyError::Row(_)
            | VerifyError::Twice(_)
            | VerifyError::NotOfThePlan { .. }
            | VerifyError::Game { .. }
            | VerifyError::Pair { .. }
            | VerifyError::Unplanned { .. }
            | VerifyError::Table { .. } => Exit::Failed,
        };
        Self::new(exit, error)
    }
}

impl From<ReplayError> for Failure {
    fn from(error: ReplayError) -> Self {
        let exit = match &error {
            ReplayError::Record(_) => Exit::File,
            ReplayError::Untrue { .. } => Exit::Failed,
            ReplayError::NoGame { .. } | ReplayError::NoSeat { .. } | ReplayError::NoPly { .. } => {
                Exit::Usage
            }
        };
        Self::new(exit, error)
    }
}
