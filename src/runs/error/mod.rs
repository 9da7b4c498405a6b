//! Errors about files and folders of a run.

pub(super) mod file;
pub(super) mod journal;
pub(super) mod log;
pub(super) mod manifest;

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use file::FileError;
use journal::{JournalProblem, RowProblem};
use log::LogProblem;
use manifest::{ManifestProblem, PUT_BACK};

/// A file or folder of a run, and its problem.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct RunFileError {
    /// The file or folder.
    pub path: PathBuf,
    /// Its problem.
    #[source]
    pub problem: RunFileProblem,
}

/// Problem with a file or folder of a run. `Display` writes a fragment that follows its path.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RunFileProblem {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It could not be written.
    #[error("cannot be written: {0}")]
    Write(#[source] io::Error),
    /// The folder could not be made.
    #[error("cannot be made: {0}")]
    Make(#[source] io::Error),
    /// It could not be opened.
    #[error("cannot be opened: {0}")]
    Open(#[source] io::Error),
    /// It could not be locked.
    #[error("cannot be locked: {0}")]
    Lock(#[source] io::Error),
    /// It could not be synced to the disk.
    #[error("cannot be brought to the disk: {0}")]
    Sync(#[source] io::Error),
    /// Another process holds the lock.
    #[error(
        "another run writes to it at this moment: let it end, or stop it; two cannot share a folder"
    )]
    InUse,
    /// It is not empty, and a new run needs an empty folder.
    #[error(
        "holds a run already: --resume goes on with it; for a new run name another folder with --out"
    )]
    HoldsARun,
    /// It is not empty, and holds no run.
    #[error("holds something already, and it is not a run: name another folder with --out")]
    NotEmpty,
    /// A game's file differs from its digest in the journal.
    #[error("it was changed after its game: games.csv has another digest of it")]
    Changed,
    /// The run has a journal, and no manifest.
    #[error(
        "has no manifest.toml, without which a run cannot go on: put it back if you have a copy, or \
         begin anew in another folder with --out; `referee rate` still reads its games.csv"
    )]
    NoManifest,
    /// It was moved or removed while the run wrote to it.
    #[error("is not there any more: somebody moved or removed the run's folder")]
    Gone,
    /// The folder holds no journal.
    #[error(
        "is not the folder of a run: it has no games.csv; expected a folder such as the one that \
         `referee run` names at its end"
    )]
    NotARun,
    /// An attempt at a shard does not have a file that its journal names.
    #[error("its logs.tar has no whole {0}, which its games.csv names")]
    NoLog(String),
    /// Its journal, or its file of games set aside, cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalProblem),
    /// It is not the log of a game.
    #[error(transparent)]
    Log(#[from] LogProblem),
    /// Its manifest cannot be read or made.
    #[error(transparent)]
    Manifest(#[from] ManifestProblem),
    /// An attempt at a shard has a game that contradicts the plan.
    #[error("game {id}: {problem}; {PUT_BACK}")]
    OfAttempt {
        id: u64,
        #[source]
        problem: RowProblem,
    },
    /// It could not be written as TOML.
    #[error("cannot be written: {0}")]
    Toml(#[from] toml::ser::Error),
    /// The system gave no random seed.
    #[error("no seed could be drawn: {0}; set `seed` to a number")]
    Seed(#[source] io::Error),
}

/// The error of a reader is one of a run.
impl<P: Error> From<FileError<P>> for RunFileError
where
    RunFileProblem: From<P>,
{
    fn from(error: FileError<P>) -> Self {
        Self::new(error.path, error.problem)
    }
}

impl RunFileError {
    pub(crate) fn new(path: impl Into<PathBuf>, problem: impl Into<RunFileProblem>) -> Self {
        Self {
            path: path.into(),
            problem: problem.into(),
        }
    }

    /// For `map_err`: the problem of a file.
    pub(crate) fn at<E, P: Into<RunFileProblem>>(
        path: &Path,
        problem: impl FnOnce(E) -> P,
    ) -> impl FnOnce(E) -> Self {
        move |error| Self::new(path, problem(error))
    }
}
