//! Exit codes as listed in `referee --help`, and the exit code of each error.

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use crate::check::CheckError;
use crate::config::ConfigError;
use crate::game::RulesFault;
use crate::grade::GradeError;
use crate::opponents::ServeError;
use crate::pages::PageError;
use crate::pgn::PgnError;
use crate::referee::Void;
use crate::replay::ReplayError;
use crate::results::{AnchorsError, ResultsError};
use crate::runner::{HostError, RunError, UnfitEngine};
use crate::runs::{CopyError, ResumeError, RunFileError, SealError};
use crate::shards::{FolderError, WorkError};
use crate::verify::VerifyError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
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

    pub fn usage(message: impl Display) -> Self {
        Self::new(Exit::Usage, message)
    }

    pub fn failed(message: impl Display) -> Self {
        Self::new(Exit::Failed, message)
    }

    pub fn of_file(path: &Path, problem: impl Display) -> Self {
        Self::new(Exit::File, format!("{}: {problem}", path.display()))
    }
}

pub(super) trait CommandError: Display {
    fn exit(&self) -> Exit;
}

impl<E: CommandError> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error.exit(), error)
    }
}

macro_rules! exit_codes {
    ($($name:ty: $error:ident => $exit:expr;)*) => {$(
        impl CommandError for $name {
            fn exit(&self) -> Exit {
                let $error = self;
                $exit
            }
        }
    )*};
}

exit_codes! {
    CheckError: error => match error {
        Self::Start(_) | Self::Opponent { .. } => Exit::Failed,
        Self::Void(_) | Self::NoHello => Exit::Void,
    };
    ServeError: _error => Exit::Failed;
    ResultsError: _error => Exit::File;
    AnchorsError: _error => Exit::File;
    PgnError: _error => Exit::Failed;
    RulesFault: error => match error.is_of_machine() {
        true => Exit::Void,
        false => Exit::Rules,
    };
    Void: error => error.rules_fault().map_or(Exit::Void, CommandError::exit);
    ConfigError: error => match error.is_of_machine {
        true => Exit::Rules,
        false => Exit::Usage,
    };
    UnfitEngine: _error => Exit::Usage;
    HostError: error => match error {
        Self::Isolation(_) | Self::IsolationFallback { .. } | Self::BuildIsolation { .. } => Exit::Isolation,
        Self::TooFewCores { .. } | Self::BothAtOnce { .. } => Exit::Usage,
    };
    RunFileError: _error => Exit::File;
    ResumeError: error => match error {
        Self::RunFile(error) => error.exit(),
        Self::OtherTournament(_) | Self::Changed(_) => Exit::Usage,
    };
    GradeError: error => match error {
        Self::Intake(_) | Self::Usage(_) | Self::Format(_) => Exit::Usage,
        Self::Unpack(_) | Self::Feedback(_) => Exit::File,
        Self::Config(error) => error.exit(),
        Self::Check(error) => error.exit(),
        Self::RunFile(error) => error.exit(),
        Self::Resume { problem, .. } => problem.exit(),
        Self::Run(error) => error.exit(),
        Self::Host(error) => error.exit(),
        Self::Copy(error) => error.exit(),
        Self::Build(_) => Exit::Void,
        Self::Stopped => Exit::Stopped,
        Self::Page(error) => error.exit(),
        Self::Worker(_) => Exit::Failed,
    };
    RunError: error => match error {
        Self::RunFile(error) => error.exit(),
        Self::RulesKeepFailing { fault, .. } => fault.exit(),
        Self::UnfitGame(_) => Exit::File,
        Self::Build { .. } => Exit::Void,
        Self::Stopped { .. } => Exit::Stopped,
        Self::Thread(_) | Self::WorkerFailed { .. } | Self::Stalled => Exit::Failed,
    };
    SealError: error => match error {
        Self::RunFile(_) | Self::NotEnded(_) => Exit::File,
        Self::Untrue { .. } => Exit::Failed,
    };
    VerifyError: error => match error {
        Self::RunFile(_) => Exit::File,
        Self::Seal(error) => error.exit(),
        Self::Rules { fault, .. } => fault.exit(),
        Self::Untrue(_) => Exit::Failed,
    };
    FolderError: error => match error {
        Self::RunFile(error) => error.exit(),
        Self::Copy(error) => error.exit(),
        Self::NotAPlan(_) | Self::Damaged { .. } | Self::Toml(_) | Self::UnfitGame(_) => Exit::File,
        Self::OtherVersion { .. } | Self::Config(_) | Self::Changed(_) => Exit::Usage,
    };
    CopyError: error => match error {
        Self::File { .. } => Exit::File,
        Self::TooLarge(_) => Exit::Usage,
    };
    WorkError: error => match error {
        Self::RunFile(_) | Self::Run(_) | Self::Interrupted => Exit::Again,
        Self::Frozen(_) | Self::OtherShards { .. } | Self::OtherMachine(_) => Exit::Usage,
    };
    PageError: error => match error {
        Self::RunFile(error) => error.exit(),
        Self::Rules(fault) => fault.exit(),
        Self::Untrue { .. } | Self::Template(_) | Self::Json(_) => Exit::Failed,
    };
    ReplayError: error => match error {
        Self::RunFile(error) => error.exit(),
        Self::Untrue { .. } => Exit::Failed,
        Self::Rules { fault, .. } => fault.exit(),
        Self::NoGame { .. } | Self::NoSeat { .. } | Self::NoPly { .. } => Exit::Usage,
    };
}
