//! Errors about files and folders of a run.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use crate::text::quoted;

/// A file, or the folder of a run, that is refused or cannot be used, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError<P: Error + 'static> {
    pub path: PathBuf,
    #[source]
    pub problem: P,
}

impl<P: Error + 'static> FileError<P> {
    pub fn new(path: impl Into<PathBuf>, problem: impl Into<P>) -> Self {
        Self {
            path: path.into(),
            problem: problem.into(),
        }
    }

    /// For `map_err`: the problem of a file.
    pub fn at<E, Q: Into<P>>(path: &Path, problem: impl FnOnce(E) -> Q) -> impl FnOnce(E) -> Self {
        move |error| Self::new(path, problem(error))
    }
}

pub type RunFileError = FileError<RunFileProblem>;

/// Problem with a file or folder of a run. `Display` writes a fragment that follows its path.
#[derive(Debug, thiserror::Error)]
pub enum RunFileProblem {
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    #[error("cannot be written: {0}")]
    Write(#[source] io::Error),
    #[error("cannot be made: {0}")]
    Make(#[source] io::Error),
    #[error("cannot be opened: {0}")]
    Open(#[source] io::Error),
    #[error("cannot be locked: {0}{remedy}", remedy = remedy(.0))]
    Lock(#[source] io::Error),
    #[error(
        "another run writes to it at this moment: let it end, or stop it; two cannot share a folder"
    )]
    InUse,
    #[error(
        "holds a run already: --resume goes on with it; for a new run name another folder with --out"
    )]
    HoldsARun,
    #[error("holds something already, and it is not a run: name another folder with --out")]
    NotEmpty,
    #[error("it was changed after its game: games.csv has another digest of it")]
    Changed,
    #[error(
        "has no manifest.toml, without which a run cannot go on: put it back if you have a copy, or \
         begin anew in another folder with --out; `referee rate` still reads its games.csv"
    )]
    NoManifest,
    #[error("is not there any more: somebody moved or removed the run's folder")]
    Gone,
    #[error(
        "is not the folder of a run: it has no games.csv; expected a folder such as the one that \
         `referee run` names at its end"
    )]
    NotARun,
    #[error(
        "is gone or was changed after its game: `referee work` on its shard plays the game again"
    )]
    NoLog,
    #[error("line {line} is not a row of games.csv: {problem}")]
    Row {
        line: u64,
        #[source]
        problem: RowProblem,
    },
    /// A file of another form, or one that names what cannot be read.
    #[error("{0}")]
    Malformed(String),
    #[error("{0}; {PUT_BACK}")]
    Damaged(String),
    #[error("cannot be written: {0}")]
    Toml(#[from] toml::ser::Error),
    #[error("no seed could be drawn: {0}; set `seed` to a number")]
    Seed(#[source] io::Error),
}

#[derive(Debug, thiserror::Error)]
pub enum RowProblem {
    #[error("{0}")]
    Malformed(String),
    #[error(transparent)]
    Untrue(#[from] RowError),
}

impl RowProblem {
    pub(super) fn twice(id: u64) -> Self {
        Self::Malformed(format!("game {id} is there twice"))
    }

    /// The problem of a row that names what the plan does not have.
    pub(super) fn unknown(what: &str) -> Self {
        Self::Malformed(format!("it {what} that the plan does not have"))
    }
}

/// Why a row has the right form, and is not the record of a game that was played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RowError(pub(super) String);

impl RowError {
    pub(super) fn unknown(column: &str, value: &str, expected: &str) -> Self {
        Self(format!("`{column}` is `{}`: {expected}", quoted(value)))
    }

    /// An error unless a column holds what it should.
    pub(super) fn unless_equal(
        column: impl Into<String>,
        is: impl ToString,
        should: impl ToString,
    ) -> Result<(), Self> {
        match (is.to_string(), should.to_string()) {
            (is, should) if is == should => Ok(()),
            (is, should) => Err(Self::contradiction(&column.into(), &is, &should)),
        }
    }

    pub(super) fn contradiction(column: &str, is: &str, should: &str) -> Self {
        let (is, should) = (quoted(is), quoted(should));
        Self(format!("`{column}` is `{is}`, and should be `{should}`"))
    }
}

const PUT_BACK: &str = "put it back as it was, if you have a copy; `referee rate` still reads the games.csv \
                        beside it";

fn remedy(error: &io::Error) -> &'static str {
    match Errno::from_io_error(error) {
        Some(Errno::NOSYS | Errno::OPNOTSUPP | Errno::NOLCK) => {
            ": its file system has no locks, such as Lustre without the mount option `flock` or NFS without a lock \
             service: keep results on another disk with --out"
        }
        _ => "",
    }
}
