//! A run's folder: the journal, the per-game logs and the manifest.
//!
//! ```text
//! manifest.toml                the plan as understood, the bots' digests, the machine
//! games.csv                    the journal: a row per finished game, in the order they finished
//! games/0000/000042.csv        the log of game 42: a row per ply
//! stderr/0000/000042-red.log   what the bot in that seat wrote besides its answers, if anything
//! ```
//!
//! A game's log is complete before its row is in the journal, and a row is one write. The columns
//! are those of [`GameRow`] and [`PLY_COLUMNS`], in that order; `docs/formats.md` explains them.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

mod changes;
mod conditions;
mod game_log;
mod manifest;
mod pgn;
mod results;
mod resume;
mod row;
mod verify;

pub use conditions::{Conditions, Entrant};
pub use game_log::{GameLog, PLY_COLUMNS};
pub use results::{BadRows, ResultRow, read_results};
pub use resume::{Done, ResumeError, recorded_seed};
pub use row::{GameRow, read_games};
pub use verify::{LoggedPly, Recorded, read_log, replay};

use crate::config::Plan;
use crate::player::Log;

/// The journal's file name.
pub const JOURNAL: &str = "games.csv";

/// The manifest's file name.
const MANIFEST: &str = "manifest.toml";

/// How long a lock that somebody holds is waited for, and how often it is tried.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);
const LOCK_LOOK: Duration = Duration::from_millis(20);

/// A file or folder that could not be written or read.
#[derive(Debug)]
pub struct RecordError {
    /// Which one.
    pub path: PathBuf,
    /// What went wrong, as a fragment that follows the path.
    pub problem: String,
}

impl RecordError {
    fn new(path: impl Into<PathBuf>, problem: impl Display) -> Self {
        Self {
            path: path.into(),
            problem: problem.to_string(),
        }
    }
}

impl Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl std::error::Error for RecordError {}

/// The folder of one run, open for writing.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    journal: File,
    /// The games that were played before, by number.
    done: HashMap<u64, Done>,
    /// The folder itself, locked for as long as this run may write to it.
    _lock: File,
}

impl RunFolder {
    /// Makes a new run's folder, with its manifest and an empty journal. A folder that holds
    /// anything already is refused and left alone.
    pub fn create(path: &Path, plan: &Plan, jobs: usize) -> Result<Self, RecordError> {
        let manifest = manifest::render(plan, jobs)
            .map_err(|problem| RecordError::new(path.join(MANIFEST), problem))?;
        let made = !path.exists();
        fs::create_dir_all(path)
            .map_err(|error| RecordError::new(path, format!("cannot be made: {error}")))?;
        let lock = lock(path)?;
        let filled = fs::read_dir(path)
            .map_err(|error| RecordError::new(path, format!("cannot be read: {error}")))?
            .next()
            .is_some();
        if filled {
            return Err(RecordError::new(
                path,
                "holds something already: name another folder with --out",
            ));
        }
        let folder = Self::fill(path, &manifest, lock);
        if folder.is_err() && made {
            // Nothing half-written is left behind; what was made a moment ago is empty or ours.
            let _ = fs::remove_dir_all(path);
        }
        folder
    }

    fn fill(path: &Path, manifest: &str, lock: File) -> Result<Self, RecordError> {
        write_whole(&path.join(MANIFEST), manifest.as_bytes())?;
        let journal_path = path.join(JOURNAL);
        let journal = OpenOptions::new()
            .create_new(true)
            .append(true)
            .open(&journal_path)
            .and_then(|mut journal| {
                journal.write_all(&row::header())?;
                Ok(journal)
            })
            .map_err(|error| RecordError::new(&journal_path, cannot_write(&error)))?;
        Ok(Self {
            path: path.to_owned(),
            journal,
            done: HashMap::new(),
            _lock: lock,
        })
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The games that were played before this run went on, by number. They are given out once.
    pub fn take_done(&mut self) -> HashMap<u64, Done> {
        std::mem::take(&mut self.done)
    }

    /// Adds a finished game to the journal: one write.
    pub fn append(&mut self, row: &GameRow) -> Result<(), RecordError> {
        self.journal
            .write_all(&row::line(row))
            .map_err(|error| RecordError::new(self.path.join(JOURNAL), cannot_write(&error)))
    }
}

/// Locks a run's folder, so that no two runs write to it. The lock is on the folder itself and
/// ends with the process that holds it, however that ends.
fn lock(path: &Path) -> Result<File, RecordError> {
    let folder = File::open(path)
        .map_err(|error| RecordError::new(path, format!("cannot be opened: {error}")))?;
    let begun = Instant::now();
    loop {
        match folder.try_lock() {
            Ok(()) => return Ok(folder),
            // A harness that was killed while it started a bot leaves a copy of the lock with the
            // bot's process, until that process has become the bot's program.
            Err(TryLockError::WouldBlock) if begun.elapsed() < LOCK_PATIENCE => {
                std::thread::sleep(LOCK_LOOK);
            }
            Err(TryLockError::WouldBlock) => {
                let problem = "another run writes to it at this moment";
                return Err(RecordError::new(path, problem));
            }
            Err(TryLockError::Error(error)) => {
                let problem = format!("cannot be locked: {error}");
                return Err(RecordError::new(path, problem));
            }
        }
    }
}

/// Writes the log of one game.
pub fn write_game_log(run: &Path, id: u64, log: &[u8]) -> Result<(), RecordError> {
    let path = game_path(run, "games", id, ".csv");
    write_in_new_folder(&path, log)
}

/// Writes what a bot wrote besides its answers in one game.
pub fn write_bot_log(run: &Path, id: u64, seat: &str, log: &Log) -> Result<(), RecordError> {
    write_in_new_folder(&bot_log_path(run, id, seat), &log.text())
}

/// Where that is.
pub fn bot_log_path(run: &Path, id: u64, seat: &str) -> PathBuf {
    game_path(run, "stderr", id, &format!("-{seat}.log"))
}

/// Writes a file under a temporary name and renames it, so that it is there whole or not at all.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    let temporary = path.with_extension("tmp");
    fs::write(&temporary, bytes)
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(|error| {
            let _ = fs::remove_file(&temporary);
            RecordError::new(path, cannot_write(&error))
        })
}

/// Where the file of a game lies: a thousand games a folder.
fn game_path(run: &Path, kind: &str, id: u64, ending: &str) -> PathBuf {
    run.join(kind)
        .join(format!("{:04}", id / 1000))
        .join(format!("{id:06}{ending}"))
}

fn write_in_new_folder(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    let written = match fs::write(path, bytes) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(path, bytes)),
        written => written,
    };
    written.map_err(|error| RecordError::new(path, cannot_write(&error)))
}

fn cannot_write(error: &io::Error) -> String {
    format!("cannot be written: {error}")
}
