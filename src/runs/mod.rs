//! A run's folder: the journal, the per-game logs and the manifest.
//!
//! ```text
//! manifest.toml                the plan as understood, the bots' digests, the machine
//! games.csv                    the journal: a row per finished game, in the order they finished
//! openings-cachex.txt          the openings of a game, if it has any
//! games/0000/000042.csv        the log of game 42: a row per ply
//! stderr/0000/000042-red.log   standard error of the bot in that seat, if not empty
//! build/alice.log              output of the build of that player's bot, if not empty
//! ```
//!
//! A game's log is complete before its row is in the journal, and a row is one write. The columns
//! are the fields of the types that write and read them; `docs/formats.md` explains each.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

mod anchors;
mod attempt;
mod changes;
mod copy_for_player;
mod course;
mod date;
mod digest;
mod durability;
mod error;
mod folder;
mod game_log;
mod ids;
mod in_order;
mod journal;
mod lock;
mod logs;
mod manifest;
mod merge;
mod pack;
mod pgn;
mod recording;
mod results;
mod resume;
mod row;
mod rows;
mod run;
mod scrub;
mod seal;
mod set_aside;
mod sources;
mod start;
mod strangers;
mod undecided;
mod whole;

pub use anchors::{AnchorFile, AnchorProblem, AnchorRow};
pub use attempt::AttemptDigests;
pub use changes::Changes;
pub use copy_for_player::copy_for_player;
pub use course::Course;
pub use date::{utc, utc_millis};
pub(crate) use digest::hex;
pub use durability::Durability;
pub use error::{RecordError, RecordProblem, RowProblem};
pub use folder::folder_digest;
pub use game_log::{GameLog, LogProblem, LoggedPly, log_header};
pub use ids::{DoneGames, Ids};
use in_order::games_in_order;
pub use logs::{FileDigests, Logs, bot_log_path};
pub use manifest::{LimitsTable, MachineTable, Manifest, PlayerTable, RecordTable, Stamp};
pub use merge::{Part, merge_parts};
pub use recording::{Difference, Recording};
pub use results::{
    BadRows, CellProblem, Encoding, Found, Opened, Read as ReadResults, ResultProblem, ResultRow,
    read_results,
};
pub use resume::{Done, PlanIndex, ResumeError};
pub use row::{GameRow, RowError};
pub use rows::Rows;
pub use run::Run;
pub use scrub::Scrub;
pub use seal::{SealError, SigningKey};
pub use set_aside::{SET_ASIDE, SetAsideGame};
pub use sources::Unbuilt;
pub use start::GameStart;
pub use strangers::Stranger;
pub use whole::{rewrite_whole, write_whole};

use sha2::{Digest, Sha256};

use crate::bot::remove_tree;
use crate::config::{KeepLogs, Plan, PlannedGame};
use crate::game::{Game, Games};
use journal::Journal;
pub use lock::Lock;
use logs::game_log_path;
use pack::Pack;
use sources::Sources;

/// The journal's file name.
pub const JOURNAL: &str = "games.csv";

/// The manifest's file name.
const MANIFEST: &str = "manifest.toml";

/// The folder of the builds' output.
pub const BUILDS: &str = "build";

/// The folder of one run, open for writing.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    journal: Journal,
    keep: KeepLogs,
    /// Games that its rows may name.
    known_games: Games,
    durability: Durability,
    /// The master seed of the run.
    seed: u64,
    /// Results of games played before the run was resumed.
    done: DoneGames,
    /// Facts about this machine for the manifest.
    stamp: Stamp,
    /// Source files of built bots, known after their first build.
    sources: Sources,
    /// Archive for the files of all games, in an attempt at a shard.
    pack: Option<Arc<Pack>>,
    /// Lock of the folder, held while this is open. An attempt at a shard has none.
    lock: Option<Lock>,
}

impl RunFolder {
    /// Makes a new run's folder, with its manifest and an empty journal. A folder that holds
    /// anything already is refused and left alone.
    ///
    /// # Errors
    /// The folder cannot be written, or a bot cannot be read.
    pub fn create(path: &Path, plan: &Plan, stamp: Stamp) -> Result<Self, RecordError> {
        let seed = match plan.seed {
            Some(seed) => seed,
            None => draw_seed().map_err(RecordError::at(path, RecordProblem::Seed))?,
        };
        let sources = Sources::default();
        let manifest = manifest_text(path, plan, seed, &stamp, &sources)?;
        let made = !path.exists();
        fs::create_dir_all(path).map_err(RecordError::at(path, RecordProblem::Make))?;
        let lock = Lock::take(path)?;
        // Left by a run that was killed while it wrote its manifest.
        let _ = fs::remove_file(path.join(MANIFEST).with_extension("tmp"));
        if path.join(MANIFEST).exists() {
            return Err(RecordError::new(path, RecordProblem::HoldsARun));
        }
        if !is_empty(path)? {
            return Err(RecordError::new(path, RecordProblem::NotEmpty));
        }
        let journal = write_manifest(path, &manifest)
            .and_then(|()| write_openings(path, &plan.games))
            .and_then(|()| Journal::create(path));
        let journal = journal.inspect_err(|_| {
            // The folder was empty, so every file in it is ours to remove.
            let openings = plan.games.iter().map(|it| openings_path(path, it.game()));
            let written = [JOURNAL, MANIFEST].map(|file| path.join(file));
            for file in openings.chain(written) {
                let _ = fs::remove_file(file);
            }
            if made {
                let _ = fs::remove_dir(path);
            }
        })?;
        Ok(Self {
            path: path.to_owned(),
            journal,
            keep: plan.keep_logs,
            known_games: plan.known_games,
            durability: Durability::default(),
            seed,
            done: DoneGames::default(),
            stamp,
            sources,
            pack: None,
            lock: Some(lock),
        })
    }

    /// Sets the frequency of syncs. Unless the system decides, syncs the manifest and the folder at once:
    /// rows without their manifest would be of no use.
    ///
    /// # Errors
    /// The manifest cannot be synced.
    pub fn set_durability(&mut self, durability: Durability) -> Result<(), RecordError> {
        self.durability = durability;
        self.journal.set_durability(durability);
        if durability == Durability::System {
            return Ok(());
        }
        let manifest = self.path.join(MANIFEST);
        File::open(&manifest)
            .and_then(|file| file.sync_all())
            .and_then(|()| self.lock.as_ref().map_or(Ok(()), Lock::sync))
            .map_err(RecordError::at(&manifest, RecordProblem::Sync))
    }

    /// The master seed of the run.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes the results of games played before the run was resumed. A second call returns none.
    pub fn take_done(&mut self) -> DoneGames {
        std::mem::take(&mut self.done)
    }

    /// Writer of the games' files.
    pub fn logs(&self) -> Logs {
        let pack = self.pack.clone();
        Logs::new(&self.path, self.keep, self.durability, pack)
    }

    /// Snapshot of the folders of bots that are about to be built for the first time.
    pub fn before_builds(&self, plan: &Plan) -> Unbuilt {
        Unbuilt::look(plan, &self.sources)
    }

    /// Writes the source files of built bots into the manifest: files that were there `before` the build
    /// and are unchanged. Files that a build made or changed are left out, so that they do not count as a
    /// change of the bot when the run is resumed.
    ///
    /// # Errors
    /// The manifest cannot be written, or a bot cannot be read.
    pub fn after_builds(&mut self, plan: &Plan, before: Unbuilt) -> Result<(), RecordError> {
        if before.is_empty() {
            return Ok(());
        }
        self.sources.add(before);
        let manifest = manifest_text(&self.path, plan, self.seed, &self.stamp, &self.sources)?;
        write_manifest(&self.path, &manifest)
    }

    /// Adds a finished game to the journal, in one write. On failure the journal stays as it was.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn append(&mut self, row: &GameRow) -> Result<(), RecordError> {
        self.journal.append(&rows::line(row))
    }

    /// Adds a game to the games set aside, unless it is there.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn set_aside(&mut self, game: &SetAsideGame) -> Result<(), RecordError> {
        // A resumed run tries such games again, so this one may be there from before.
        let known = set_aside::read(&self.path)?;
        if known.iter().any(|other| other.id == game.id) {
            Ok(())
        } else {
            set_aside::append(&self.path, game)
        }
    }

    /// Removes the files of a game without a row, such as one played ahead that turned out not to be needed.
    ///
    /// # Errors
    /// They cannot be removed.
    pub fn discard(&self, id: u64, game: Game) -> Result<(), RecordError> {
        remove_if_there(&game_log_path(&self.path, id))?;
        let mut seats = game.seat_names().into_iter();
        seats.try_for_each(|seat| remove_if_there(&bot_log_path(&self.path, id, seat)))
    }

    /// Syncs rows to the disk if that is due; at the `end` of a run, all rows.
    ///
    /// # Errors
    /// The journal cannot be synced.
    pub fn sync(&mut self, end: bool) -> Result<(), RecordError> {
        self.journal.sync(end)
    }

    /// Deadline of the next sync; `None` if no row waits.
    pub fn sync_deadline(&self) -> Option<Instant> {
        self.journal.sync_deadline()
    }
}

/// An unpredictable master seed.
///
/// # Errors
/// The system has no random numbers.
pub fn draw_seed() -> io::Result<u64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)?;
    // TOML has no number beyond 63 bits, and the manifest must hold the seed.
    Ok(u64::from_le_bytes(bytes) >> 1)
}

/// Digest, in hexadecimal digits, of everything that decides a plan's games: game, clock, limits, seed,
/// players and their bots. The number of games of fixed pairings does not count, nor do the machine and the
/// time.
///
/// # Errors
/// A bot cannot be read.
pub fn plan_key(plan: &Plan, seed: u64, stamp: Stamp) -> Result<String, RecordError> {
    let text = Manifest::new(plan, seed, &stamp, &Sources::default())
        .and_then(|manifest| manifest.without_circumstances().text())
        .map_err(|problem| RecordError::new(MANIFEST, problem))?;
    Ok(digest::hex(&Sha256::digest(text)))
}

/// The manifest of a run as TOML.
fn manifest_text(
    path: &Path,
    plan: &Plan,
    seed: u64,
    stamp: &Stamp,
    sources: &Sources,
) -> Result<String, RecordError> {
    Manifest::new(plan, seed, stamp, sources)
        .and_then(|manifest| manifest.text())
        .map_err(|problem| RecordError::new(path.join(MANIFEST), problem))
}

fn is_empty(folder: &Path) -> Result<bool, RecordError> {
    let mut entries = fs::read_dir(folder).map_err(RecordError::at(folder, RecordProblem::Read))?;
    Ok(entries.next().is_none())
}

fn write_manifest(run: &Path, text: &str) -> Result<(), RecordError> {
    write_whole(&run.join(MANIFEST), &mut |file| {
        file.write_all(text.as_bytes())
    })
}

/// The SHA-256 of a file, in hexadecimal digits.
///
/// # Errors
/// The file cannot be read.
pub fn sha256(path: &Path) -> Result<String, RecordError> {
    let digest = digest::sha256_of_file(path);
    let digest = digest.map_err(RecordError::at(path, RecordProblem::Read))?;
    Ok(digest::hex(&digest))
}

/// Makes the parent folder of a path.
///
/// # Errors
/// It cannot be made.
pub fn make_parent(path: &Path) -> Result<(), RecordError> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(RecordError::at(parent, RecordProblem::Make))
}

/// Removes a folder and everything in it, including read-only folders left by a bot. A missing folder is no
/// error.
///
/// # Errors
/// It is there and cannot be removed.
pub fn remove_folder(path: &Path) -> Result<(), RecordError> {
    remove_tree(path, None).map_err(RecordError::at(path, RecordProblem::Write))
}

/// Removes a file. A missing file is no error.
///
/// # Errors
/// The file is there and cannot be removed.
pub fn remove_if_there(path: &Path) -> Result<(), RecordError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(RecordError::new(path, RecordProblem::Write(error)))
        }
        _ => Ok(()),
    }
}

/// Path of the openings of a game.
fn openings_path(run: &Path, game: Game) -> PathBuf {
    run.join(format!("openings-{}.txt", game.name()))
}

/// Copies the openings into the run's folder, so that a moved run can still be verified.
fn write_openings(run: &Path, games: &[PlannedGame]) -> Result<(), RecordError> {
    for game in games {
        if let Some(openings) = game.openings() {
            let path = openings_path(run, game.game());
            write_whole(&path, &mut |file| {
                file.write_all(openings.text().as_bytes())
            })?;
        }
    }
    Ok(())
}
