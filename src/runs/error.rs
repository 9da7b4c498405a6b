//! Errors about files and folders of a run.

use std::io;
use std::path::{Path, PathBuf};

use crate::config::FormatError;
use crate::results::AnchorProblem;
use crate::results::ResultProblem;
use crate::runs::journal::problem::RowProblem;
use crate::runs::logs::game_log::LogProblem;

/// A file or folder that could not be written or read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct RecordError {
    /// The file or folder.
    pub path: PathBuf,
    /// Its problem.
    #[source]
    pub problem: RecordProblem,
}

/// Advice for a damaged file of a run.
const PUT_BACK: &str = "put it back as it was, if you have a copy; `referee rate` still reads the games.csv \
                        beside it";

/// Problem with a file or folder. `Display` writes a fragment that follows its path.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RecordProblem {
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
    /// It is not empty, and a copy needs an empty folder.
    #[error("is not empty, and a copy of a run needs a new folder")]
    NotNew,
    /// The run has no such player.
    #[error("has no player `{0}`")]
    NoPlayer(String),
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
    /// It is empty.
    #[error("is empty")]
    Empty,
    /// It is not a journal.
    #[error("line 1 is not the header of a games.csv: it has no column `{column}`")]
    NotAJournal { column: String },
    /// A row of the journal is not a record of a game.
    #[error("line {line} is not a row of games.csv: {problem}")]
    Row {
        line: u64,
        #[source]
        problem: RowProblem,
    },
    /// It is not a log of a game.
    #[error("line 1 is not the header of a game's log")]
    NotALog,
    /// A line of a log is not a ply of the game.
    #[error("line {line}: {problem}")]
    Log {
        line: u64,
        #[source]
        problem: LogProblem,
    },
    /// A line of a file of results holds no result.
    #[error("line {line}: {problem}")]
    Result {
        line: u64,
        #[source]
        problem: ResultProblem,
    },
    /// A line of a file of anchors is none.
    #[error("line {line}: {problem}")]
    Anchor {
        line: u64,
        #[source]
        problem: AnchorProblem,
    },
    /// It is not a manifest.
    #[error(
        "{}is damaged: {problem}; {PUT_BACK}",
        line.map_or_else(String::new, |line| format!("line {line} "))
    )]
    NotAManifest {
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
    /// The program of a player could not be read.
    #[error("the bot of `{player}` cannot be read: {source}")]
    Bot { player: String, source: io::Error },
    /// A key that is too short.
    #[error(
        "is too short for a key: it has {found} bytes, expected {least} or more, such as \
         `head -c {least} /dev/urandom`"
    )]
    ShortKey { found: usize, least: usize },
    /// The system gave no random seed.
    #[error("no seed could be drawn: {0}; set `seed` to a number")]
    Seed(#[source] io::Error),
}

impl RecordError {
    pub(crate) fn new(path: impl Into<PathBuf>, problem: RecordProblem) -> Self {
        Self {
            path: path.into(),
            problem,
        }
    }

    /// For `map_err`: the problem of a file.
    pub(crate) fn at<E>(
        path: &Path,
        problem: impl FnOnce(E) -> RecordProblem,
    ) -> impl FnOnce(E) -> Self {
        move |error| Self::new(path, problem(error))
    }
}
