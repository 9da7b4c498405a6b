//! A run's folder: the journal, the per-game logs and the manifest.
//!
//! ```text
//! manifest.toml                the plan as understood, the bots' digests, the machine
//! games.csv                    the journal: a row per finished game, in the order they finished
//! openings-cachex.txt          the openings of a game, where it has some
//! games/0000/000042.csv        the log of game 42: a row per ply
//! stderr/0000/000042-red.log   what the bot in that seat wrote besides its answers, if anything
//! build/alice.log              what the build of that player's bot wrote, if anything
//! ```
//!
//! A game's log is complete before its row is in the journal, and a row is one write. The columns
//! are those of [`GameRow`] and [`PLY_COLUMNS`], in that order; `docs/formats.md` explains them.

use std::fmt::{self, Display};
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

mod changes;
mod conditions;
mod digest;
mod game_log;
mod ids;
mod in_order;
mod journal;
mod logs;
mod manifest;
mod pgn;
mod recorded;
mod results;
mod resume;
mod row;
mod sources;
mod sync;
mod verify;

pub use conditions::{Conditions, Entrant};
pub use game_log::{GameLog, PLY_COLUMNS};
pub use ids::{DoneGames, Ids};
pub use in_order::games_in_order;
pub use logs::{Logs, bot_log_path};
pub use recorded::Recorded;
pub use results::{BadRows, ResultRow, read_results};
pub use resume::{Done, ResumeError, recorded_seed};
pub use row::{GameRow, each_game, read_games};
pub use sync::Sync;
pub use verify::{LoggedPly, read_log, replay};

use crate::config::{KeepLogs, Plan};
use crate::game::Game;
use journal::Journal;
use logs::game_path;
use manifest::Circumstances;
pub use manifest::Stamp;
pub use sources::Unbuilt;

/// The journal's file name.
pub const JOURNAL: &str = "games.csv";

/// The manifest's file name.
const MANIFEST: &str = "manifest.toml";

/// The folder of what builds wrote.
pub const BUILDS: &str = "build";

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
    journal: Journal,
    keep: KeepLogs,
    sync: Sync,
    /// The games that were played before, by number.
    done: DoneGames,
    /// What the manifest tells besides the plan.
    circumstances: Circumstances,
    /// The folder itself, locked for as long as this run may write to it.
    lock: File,
}

impl RunFolder {
    /// Makes a new run's folder, with its manifest and an empty journal. A folder that holds
    /// anything already is refused and left alone.
    pub fn create(path: &Path, plan: &Plan, stamp: Stamp) -> Result<Self, RecordError> {
        let circumstances = Circumstances::new(stamp);
        let manifest = manifest::render(plan, &circumstances)
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
                "holds something already: name another folder with --out; --resume goes on with a \
                 run that was interrupted",
            ));
        }
        let journal = write_whole(&path.join(MANIFEST), &mut |file| {
            file.write_all(manifest.as_bytes())
        })
        .and_then(|()| write_openings(path, plan))
        .and_then(|()| Journal::create(path));
        match journal {
            Ok(journal) => {
                let done = DoneGames::default();
                Ok(Self::new(path, plan, journal, done, circumstances, lock))
            }
            Err(error) => {
                // Nothing half-written is left behind: the folder was empty a moment ago.
                let openings = plan.games.iter().map(|it| openings_path(path, it.game()));
                let written = [JOURNAL, MANIFEST].map(|file| path.join(file));
                for file in openings.chain(written) {
                    let _ = fs::remove_file(file);
                }
                if made {
                    let _ = fs::remove_dir(path);
                }
                Err(error)
            }
        }
    }

    fn new(
        path: &Path,
        plan: &Plan,
        journal: Journal,
        done: DoneGames,
        circumstances: Circumstances,
        lock: File,
    ) -> Self {
        Self {
            path: path.to_owned(),
            journal,
            keep: plan.keep_logs,
            sync: Sync::default(),
            done,
            circumstances,
            lock,
        }
    }

    /// Has what is written from now on brought to the disk as often as `sync` says, and what is
    /// there already at once: rows without their manifest would be of no use.
    pub fn set_sync(&mut self, sync: Sync) -> Result<(), RecordError> {
        self.sync = sync;
        self.journal.set_sync(sync);
        if sync == Sync::System {
            return Ok(());
        }
        let manifest = self.path.join(MANIFEST);
        File::open(&manifest)
            .and_then(|file| file.sync_all())
            .and_then(|()| self.lock.sync_all())
            .map_err(|error| RecordError::new(manifest, cannot_sync(&error)))
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The games that were played before this run went on, by number. They are given out once.
    pub fn take_done(&mut self) -> DoneGames {
        std::mem::take(&mut self.done)
    }

    /// What writes the files of the games.
    pub fn logs(&self) -> Logs {
        Logs::new(&self.path, self.keep, self.sync)
    }

    /// Looks at the folders of the bots that are about to be built.
    pub fn before_builds(&self, plan: &Plan) -> Unbuilt {
        Unbuilt::look(plan, &self.circumstances.sources)
    }

    /// Writes into the manifest what the bots were built from: the files of their folders that were
    /// there `before` and are as they were. What a build made or changed is not among them, so it
    /// is no change of the bot when the run goes on.
    pub fn after_builds(&mut self, plan: &Plan, before: Unbuilt) -> Result<(), RecordError> {
        if before.is_empty() {
            return Ok(());
        }
        self.circumstances.sources.add(before);
        let path = self.path.join(MANIFEST);
        let manifest = manifest::render(plan, &self.circumstances)
            .map_err(|problem| RecordError::new(&path, problem))?;
        write_whole(&path, &mut |file| file.write_all(manifest.as_bytes()))
    }

    /// Adds a finished game to the journal: one write. Where that fails the journal stays as it was.
    pub fn append(&mut self, row: &GameRow) -> Result<(), RecordError> {
        self.journal.append(&row::line(row))
    }

    /// Brings rows to the disk that have waited for long enough, or at the `end` of a run all.
    pub fn sync(&mut self, end: bool) -> Result<(), RecordError> {
        self.journal.sync(end)
    }

    /// When rows that wait must be brought to the disk; `None` if none wait.
    pub fn sync_deadline(&self) -> Option<Instant> {
        self.journal.sync_deadline()
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

/// Writes a file under a temporary name and renames it, so that it is there whole or not at all.
pub fn write_whole(
    path: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), RecordError> {
    let temporary = path.with_extension("tmp");
    let written = File::create(&temporary).and_then(|file| {
        let mut file = BufWriter::with_capacity(1 << 16, file);
        write(&mut file)?;
        file.flush()
    });
    written
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(|error| {
            let _ = fs::remove_file(&temporary);
            RecordError::new(path, cannot_write(&error))
        })
}

/// Where the openings of a game are kept.
fn openings_path(run: &Path, game: Game) -> PathBuf {
    run.join(format!("openings-{}.txt", game.name()))
}

/// Keeps the openings with the run, so that it can be verified wherever it goes.
fn write_openings(run: &Path, plan: &Plan) -> Result<(), RecordError> {
    for (setup, openings) in plan.games.iter().zip(&plan.openings) {
        if let Some(openings) = openings {
            let path = openings_path(run, setup.game());
            write_whole(&path, &mut |file| {
                file.write_all(openings.text().as_bytes())
            })?;
        }
    }
    Ok(())
}

fn cannot_write(error: &io::Error) -> String {
    format!("cannot be written: {error}")
}

fn cannot_sync(error: &io::Error) -> String {
    format!("cannot be brought to the disk: {error}")
}
