//! Errors of a league.

use std::path::PathBuf;

use crate::bot::LaunchError;
use crate::check::CheckError;
use crate::config::ConfigError;
use crate::grade::{GradeError, UnpackError};
use crate::pages::PageError;
use crate::runner::{HostError, RunError};
use crate::runs::{CopyError, ResumeError, RunFileError};

#[derive(Debug, thiserror::Error)]
pub enum LeagueError {
    #[error(
        "{}: no league is here: expected a folder with `league.toml`, as `referee new league` makes it",
        .0.display()
    )]
    NoLeague(PathBuf),
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A word of the command line, or the state of the league, in words.
    #[error("{0}")]
    Usage(String),
    #[error("{}: {problem}", path.display())]
    Roster { path: PathBuf, problem: String },
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    #[error("{}: {problem}", path.display())]
    Resume {
        path: PathBuf,
        #[source]
        problem: Box<ResumeError>,
    },
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Host(#[from] HostError),
    #[error(transparent)]
    Grade(#[from] GradeError),
    #[error(transparent)]
    Check(#[from] CheckError),
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error(transparent)]
    Copy(#[from] CopyError),
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    #[error(transparent)]
    Page(#[from] PageError),
}

impl LeagueError {
    pub(super) fn usage(problem: impl Into<String>) -> Self {
        Self::Usage(problem.into())
    }
}
