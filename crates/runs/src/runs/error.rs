//! Errors about files and folders of a run.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use crate::config::FormatError;
use crate::text::quoted;

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
    #[error("cannot be locked: {0}{remedy}", remedy = remedy(.0))]
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
    /// A part of a run does not have a file as its journal says.
    #[error(
        "is gone or was changed after its game: `referee work` on its shard plays the game again"
    )]
    NoLog,
    /// Its journal, or its file of games set aside, cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalProblem),
    /// It is not the log of a game.
    #[error(transparent)]
    Log(#[from] LogProblem),
    /// Its manifest cannot be read or made.
    #[error(transparent)]
    Manifest(#[from] ManifestProblem),
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
    /// A problem with a file.
    pub fn new(path: impl Into<PathBuf>, problem: impl Into<RunFileProblem>) -> Self {
        Self {
            path: path.into(),
            problem: problem.into(),
        }
    }

    /// For `map_err`: the problem of a file.
    pub fn at<E, P: Into<RunFileProblem>>(
        path: &Path,
        problem: impl FnOnce(E) -> P,
    ) -> impl FnOnce(E) -> Self {
        move |error| Self::new(path, problem(error))
    }
}

/// A file that a reader refuses, with the reader's own problem.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError<P: Error + 'static> {
    /// The file.
    pub path: PathBuf,
    /// Its problem.
    #[source]
    pub problem: P,
}

impl<P: Error + 'static> FileError<P> {
    pub(crate) fn new(path: impl Into<PathBuf>, problem: P) -> Self {
        Self {
            path: path.into(),
            problem,
        }
    }

    /// For `map_err`: the problem of a file.
    pub(crate) fn at<E>(path: &Path, problem: impl FnOnce(E) -> P) -> impl FnOnce(E) -> Self {
        move |error| Self::new(path, problem(error))
    }
}

/// A journal that cannot be read.
pub type JournalError = FileError<JournalProblem>;

/// Problem with a journal, or with the games set aside beside it.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum JournalProblem {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It is not a journal.
    #[error(
        "line 1 is not the header of a games.csv: its column {place} is `{is}`, and should be `{should}`"
    )]
    NotAJournal {
        place: usize,
        is: String,
        should: String,
    },
    /// A row of the journal is not a record of a game.
    #[error("line {line} is not a row of games.csv: {problem}")]
    Row {
        line: u64,
        #[source]
        problem: RowProblem,
    },
}

/// Problem with a row of the journal.
#[derive(Debug, thiserror::Error)]
pub enum RowProblem {
    /// The row does not have the form of one.
    #[error("{0}")]
    Malformed(String),
    /// The row is well-formed, but no game can have it.
    #[error(transparent)]
    Untrue(#[from] RowError),
    /// Two rows have this number.
    #[error("game {0} is there twice")]
    Twice(u64),
    /// It names a player that the plan does not have.
    #[error("it names a player that the plan does not have")]
    UnknownPlayer,
    /// It names a game that the plan does not have.
    #[error("it is of a game that the plan does not have")]
    UnknownGame,
    /// A number exceeds the bounds of [`DoneGames`](crate::runs::DoneGames).
    #[error("it has a result that no game can have")]
    TooLarge,
}

/// Why a row has the right form, and is not the record of a game that was played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    /// Both seats have one player.
    #[error("expected two players")]
    OnePlayer,
    /// The game has another number of seats.
    #[error("{game} has {due} seats, and the row has {found}")]
    Seats {
        game: &'static str,
        due: usize,
        found: usize,
    },
    /// A word that stands for nothing in this column.
    #[error("`{column}` is `{value}`: {expected}")]
    Unknown {
        column: String,
        value: String,
        expected: String,
    },
    /// Two columns contradict each other.
    #[error("`{column}` is `{is}`, and should be `{should}`")]
    Contradiction {
        column: Box<str>,
        is: String,
        should: String,
    },
}

impl RowError {
    pub(super) fn unknown(column: &str, value: &str, expected: impl Into<String>) -> Self {
        Self::Unknown {
            column: column.to_owned(),
            value: quoted(value),
            expected: expected.into(),
        }
    }

    /// An error unless a column holds what it should.
    pub(super) fn unless_equal(
        column: impl Into<String>,
        is: impl ToString,
        should: impl ToString,
    ) -> Result<(), Self> {
        let (is, should) = (is.to_string(), should.to_string());
        if is == should {
            Ok(())
        } else {
            Err(Self::contradiction(&column.into(), &is, &should))
        }
    }

    /// The error for a column that does not hold what it should.
    pub(super) fn contradiction(column: &str, is: &str, should: &str) -> Self {
        Self::Contradiction {
            column: column.into(),
            is: quoted(is),
            should: quoted(should),
        }
    }
}

/// A log that cannot be read.
pub type LogError = FileError<LogProblem>;

/// Problem with a log.
#[derive(Debug, thiserror::Error)]
pub enum LogProblem {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It is not a log of a game.
    #[error("line 1 is not the header of a game's log")]
    NotALog,
    /// A line of a log is not a ply of the game.
    #[error("line {line}: {problem}")]
    Line {
        line: u64,
        #[source]
        problem: PlyProblem,
    },
}

/// Problem with a line of a log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlyProblem {
    /// It does not have the form of a ply.
    #[error("{0}")]
    Malformed(String),
    /// A line is missing, or there twice.
    #[error("it has ply {found}, expected {expected}")]
    Number { found: u32, expected: u32 },
    /// It names no seat of the game.
    #[error("it has `{found}` as `seat`: expected {} or {}", seats[0], seats[1])]
    NotASeat {
        found: String,
        seats: &'static [&'static str],
    },
    /// A time is not a number of microseconds.
    #[error("it has `{found}` as `{column}`: expected a whole number")]
    NotATime { column: &'static str, found: String },
    /// The bot's values are not written as they should be.
    #[error("it has `{found}` as `values`: expected names with numbers, such as score=31 depth=14")]
    NotValues { found: String },
    /// A number of bytes is no number.
    #[error("it has `{found}` as `output_bytes`: expected a whole number")]
    NotBytes { found: String },
    /// A ply has all of its times, or none in the opening.
    #[error("it has some of its times, and not all")]
    SomeTimes,
}

/// A manifest that cannot be read, or a file that it names.
pub type ManifestError = FileError<ManifestProblem>;

/// Advice for a damaged file of a run.
pub(super) const PUT_BACK: &str = "put it back as it was, if you have a copy; `referee rate` still reads the games.csv \
                        beside it";

/// Problem with a manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestProblem {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It is not a manifest.
    #[error(
        "{}is damaged: {problem}; {PUT_BACK}",
        line.map_or_else(String::new, |line| format!("line {line} "))
    )]
    Damaged {
        line: Option<usize>,
        problem: String,
    },
    /// The manifest could not be written as TOML.
    #[error("cannot be written: {0}")]
    Toml(#[from] toml::ser::Error),
    /// The manifest has an invalid format.
    #[error("has a format that cannot be: {0}; {PUT_BACK}")]
    Format(#[from] FormatError),
    /// The manifest has an invalid game.
    #[error("{0}; {PUT_BACK}")]
    Game(String),
    /// The openings differ from the digest in the manifest.
    #[error("these are not the openings whose digest the manifest has; {PUT_BACK}")]
    OtherOpenings,
    /// The files of a rules program could not be read.
    #[error("the rules program cannot be read: {0}")]
    Rules(#[source] io::Error),
    /// The program of a player could not be read.
    #[error("the bot of `{player}` cannot be read: {source}")]
    Bot { player: String, source: io::Error },
}

/// The remedy, where a file system has no locks.
fn remedy(error: &io::Error) -> &'static str {
    let of_system = [Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOLCK];
    let has_none = of_system
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()));
    match has_none {
        true => {
            ": its file system has no locks, such as Lustre without the mount option `flock` or NFS without a lock \
             service: keep results on another disk with --out"
        }
        false => "",
    }
}
