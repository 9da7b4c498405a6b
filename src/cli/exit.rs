//! Exit codes as listed in `referee --help`, and the exit code of each error.

use std::fmt::Display;
use std::process::ExitCode;

use crate::check::CheckError;
use crate::config::ConfigError;
use crate::game::RulesFault;
use crate::grade::GradeError;
use crate::opponents::ServeError;
use crate::pages::PageError;
use crate::referee::Void;
use crate::replay::ReplayError;
use crate::runner::{HostError, RunError, UnfitEngine};
use crate::runs::{CopyError, ResumeError, RunFileError, SealError};
use crate::shards::{FolderError, FreezeError, LeadError, WorkError};
use crate::verify::VerifyError;

/// Exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Done = 0,
    /// Failed without a code of its own; `verify` and `replay`: a record is wrong; `check`: a check failed;
    /// `replay --into`: the bot gave no answer.
    Failed = 1,
    /// Arguments or a configuration are wrong. Nothing was done.
    Usage = 2,
    /// `position`: an action breaks a rule; `replay --into`: the bot's answer does.
    Illegal = 3,
    /// `position`: a token is not an action; `replay --into`: the bot's answer is not.
    Unparsable = 4,
    /// A file or folder could not be read or written.
    File = 5,
    /// `run`: games were void each time and are set aside, or a build could not be run; `play` and `check`: a
    /// game was void.
    Void = 6,
    /// `run`: a signal stopped it before all games were played.
    Stopped = 7,
    /// This machine cannot isolate the bots as asked. Nothing was played.
    Isolation = 8,
    /// `work`: the shard is unfinished and the same command continues it, here or on another machine; `merge`:
    /// shards are missing.
    Again = 9,
    /// The rules of a game failed; `run`: in three games in a row.
    Rules = 10,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Failure of a command: message and exit code.
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

/// An error that ends a command, with its exit code.
pub(super) trait CommandError: Display {
    fn exit(&self) -> Exit;
}

impl<E: CommandError> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error.exit(), error)
    }
}

impl CommandError for CheckError {
    fn exit(&self) -> Exit {
        match self {
            Self::Start(_) | Self::Opponent { .. } => Exit::Failed,
            Self::Void(_) | Self::NoHello => Exit::Void,
        }
    }
}

impl CommandError for ServeError {
    fn exit(&self) -> Exit {
        Exit::Failed
    }
}

impl CommandError for RulesFault {
    fn exit(&self) -> Exit {
        Exit::Rules
    }
}

impl CommandError for Void {
    fn exit(&self) -> Exit {
        self.rules_fault().map_or(Exit::Void, CommandError::exit)
    }
}

impl CommandError for ConfigError {
    fn exit(&self) -> Exit {
        match self.is_of_machine {
            true => Exit::Rules,
            false => Exit::Usage,
        }
    }
}

impl CommandError for UnfitEngine {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

impl CommandError for HostError {
    fn exit(&self) -> Exit {
        match self {
            Self::Isolation(_) | Self::IsolationFallback { .. } | Self::BuildIsolation { .. } => {
                Exit::Isolation
            }
            Self::TooFewCores { .. } | Self::BothAtOnce { .. } => Exit::Usage,
        }
    }
}

impl CommandError for RunFileError {
    fn exit(&self) -> Exit {
        Exit::File
    }
}

impl CommandError for ResumeError {
    fn exit(&self) -> Exit {
        match self {
            Self::RunFile(error) => error.exit(),
            Self::OtherTournament(_) | Self::Changed(_) => Exit::Usage,
        }
    }
}

impl CommandError for GradeError {
    fn exit(&self) -> Exit {
        match self {
            Self::Roster(_) | Self::Submissions(_) | Self::Usage(_) | Self::Format(_) => {
                Exit::Usage
            }
            Self::Unpack(_) | Self::Feedback(_) => Exit::File,
            Self::RunFile(error) => error.exit(),
            Self::Resume { problem, .. } => problem.exit(),
            Self::Run(error) => error.exit(),
            Self::Host(error) => error.exit(),
            Self::Copy(error) => error.exit(),
            Self::Build(_) => Exit::Void,
            Self::Stopped => Exit::Stopped,
            Self::Page(error) => error.exit(),
            Self::Worker(_) => Exit::Failed,
        }
    }
}

impl CommandError for RunError {
    fn exit(&self) -> Exit {
        match self {
            Self::RunFile(error) => error.exit(),
            Self::RulesKeepFailing { fault, .. } => fault.exit(),
            Self::UnfitGame(_) => Exit::File,
            Self::Build { .. } => Exit::Void,
            Self::Stopped { .. } => Exit::Stopped,
            Self::Thread(_) | Self::WorkerFailed { .. } | Self::Stalled => Exit::Failed,
        }
    }
}

impl CommandError for SealError {
    fn exit(&self) -> Exit {
        match self {
            Self::RunFile(_) | Self::NotEnded(_) => Exit::File,
            Self::Untrue { .. } => Exit::Failed,
        }
    }
}

impl CommandError for VerifyError {
    fn exit(&self) -> Exit {
        match self {
            Self::RunFile(_) => Exit::File,
            Self::Seal(error) => error.exit(),
            Self::Rules { fault, .. } => fault.exit(),
            Self::Untrue(_) => Exit::Failed,
        }
    }
}

impl CommandError for LeadError {
    fn exit(&self) -> Exit {
        match self {
            Self::RunFile(error) => error.exit(),
            Self::UnfitGame(_) => Exit::File,
        }
    }
}

impl CommandError for FolderError {
    fn exit(&self) -> Exit {
        match self {
            Self::RunFile(error) => error.exit(),
            Self::Frozen(error) => error.exit(),
            Self::NotAPlan(_) | Self::Damaged { .. } => Exit::File,
            Self::OtherVersion { .. } | Self::Config(_) => Exit::Usage,
        }
    }
}

impl CommandError for FreezeError {
    fn exit(&self) -> Exit {
        match self {
            Self::RunFile(error) => error.exit(),
            Self::Copy(error) => error.exit(),
            Self::Toml(_) => Exit::File,
            Self::Changed(_) => Exit::Usage,
        }
    }
}

impl CommandError for CopyError {
    fn exit(&self) -> Exit {
        match self {
            Self::File { .. } => Exit::File,
            Self::TooLarge(_) => Exit::Usage,
        }
    }
}

impl CommandError for WorkError {
    fn exit(&self) -> Exit {
        match self {
            Self::RunFile(_) | Self::Run(_) | Self::Interrupted => Exit::Again,
            Self::Frozen(_)
            | Self::NoShard { .. }
            | Self::OtherShards { .. }
            | Self::OtherMachine(_) => Exit::Usage,
        }
    }
}

impl CommandError for PageError {
    fn exit(&self) -> Exit {
        match self {
            Self::RunFile(error) => error.exit(),
            Self::Rules(fault) => fault.exit(),
            Self::Untrue { .. } | Self::Template(_) | Self::Json(_) => Exit::Failed,
        }
    }
}

impl CommandError for ReplayError {
    fn exit(&self) -> Exit {
        match self {
            Self::RunFile(error) => error.exit(),
            Self::Untrue { .. } => Exit::Failed,
            Self::Rules { fault, .. } => fault.exit(),
            Self::NoGame { .. } | Self::NoSeat { .. } | Self::NoPly { .. } => Exit::Usage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_of_the_rules_is_no_wrong_record() {
        let fault = || RulesFault::NoOutcome;
        let verify = VerifyError::Rules {
            id: 0,
            fault: fault(),
        };
        let replay = ReplayError::Rules {
            id: 0,
            fault: fault(),
        };
        let [page, run] = [
            PageError::Rules(fault()).exit(),
            RunError::RulesKeepFailing {
                games: 3,
                fault: fault(),
            }
            .exit(),
        ];
        assert_eq!([verify.exit(), replay.exit(), page, run], [Exit::Rules; 4]);
        assert_eq!(Void::Rules(fault()).exit(), Exit::Rules);
    }
}
