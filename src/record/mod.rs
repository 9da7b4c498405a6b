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

use crate::config::{KeepLogs, Plan, PlannedGame};
use crate::game::Game;
use crate::player::remove_tree;
use journal::Journal;
pub use lock::Lock;
use logs::game_log_path;
use pack::Pack;
use sources::Sources;

/// The journal's file name.
pub const JOURNAL: &str = "games.csv";

/// The manifest's file name.
const MANIFEST: &str = "manifest.toml";

/// The folder of what builds wrote.
pub const BUILDS: &str = "build";

/// The folder of one run, open for writing.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    journal: Journal,
    keep: KeepLogs,
    durability: Durability,
    /// The master seed of the run.
    seed: u64,
    /// The games that were played before, by number.
    done: DoneGames,
    /// What this machine adds to the plan.
    stamp: Stamp,
    /// What the bots that are built are made from, as far as it is known yet.
    sources: Sources,
    /// One file for the files of all games, in an attempt at a shard.
    pack: Option<Arc<Pack>>,
    /// For as long as this run may write to the folder. An attempt at a shard needs none.
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
        // Of a run that was killed before anything was begun.
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
            // Nothing half-written is left behind: the folder was empty a moment ago.
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
            durability: Durability::default(),
            seed,
            done: DoneGames::default(),
            stamp,
            sources,
            pack: None,
            lock: Some(lock),
        })
    }

    /// Has what is written from now on brought to the disk as often as `durability` says, and what
    /// is there already at once: rows without their manifest would be of no use.
    ///
    /// # Errors
    /// The manifest cannot be brought to the disk.
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
        let pack = self.pack.clone();
        Logs::new(&self.path, self.keep, self.durability, pack)
    }

    /// Looks at the folders of the bots that are about to be built.
    pub fn before_builds(&self, plan: &Plan) -> Unbuilt {
        Unbuilt::look(plan, &self.sources)
    }

    /// Writes into the manifest what the bots were built from: the files of their folders that were
    /// there `before` and are as they were. What a build made or changed is not among them, so it
    /// does not count as a change of the bot when the run goes on.
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

    /// Adds a finished game to the journal: one write. Where that fails the journal stays as it was.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn append(&mut self, row: &GameRow) -> Result<(), RecordError> {
        self.journal.append(&rows::line(row))
    }

    /// Notes a game that cannot be played.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn set_aside(&mut self, game: &SetAsideGame) -> Result<(), RecordError> {
        // One that was set aside before is there already.
        let known = set_aside::read(&self.path)?;
        match known.iter().any(|other| other.id == game.id) {
            true => Ok(()),
            false => set_aside::append(&self.path, game),
        }
    }

    /// Removes the files of a game that does not count.
    ///
    /// # Errors
    /// They cannot be removed.
    pub fn discard(&self, id: u64, game: Game) -> Result<(), RecordError> {
        remove_if_there(&game_log_path(&self.path, id))?;
        let mut seats = game.seat_names().into_iter();
        seats.try_for_each(|seat| remove_if_there(&bot_log_path(&self.path, id, seat)))
    }

    /// Brings rows to the disk that have waited for long enough, or at the `end` of a run all.
    ///
    /// # Errors
    /// The journal cannot be brought to the disk.
    pub fn sync(&mut self, end: bool) -> Result<(), RecordError> {
        self.journal.sync(end)
    }

    /// When rows that wait must be brought to the disk; `None` if none wait.
    pub fn sync_deadline(&self) -> Option<Instant> {
        self.journal.sync_deadline()
    }
}

/// A master seed that nobody can guess.
///
/// # Errors
/// The system has no random numbers.
pub fn draw_seed() -> io::Result<u64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)?;
    // TOML has no number beyond 63 bits, and the manifest must hold the seed.
    Ok(u64::from_le_bytes(bytes) >> 1)
}

/// What decides the games of a plan, as a digest in hexadecimal digits: the game, the clock, the limits, the
/// seed, the players and what they run. How many games of fixed pairings there are is not among it, nor where and
/// when they are played.
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

/// Makes the folder in which a path lies.
///
/// # Errors
/// It cannot be made.
pub fn make_parent(path: &Path) -> Result<(), RecordError> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(RecordError::at(parent, RecordProblem::Make))
}

/// Removes a folder that may not be there, with all that is in it, whatever a bot left there.
///
/// # Errors
/// It is there and cannot be removed.
pub fn remove_folder(path: &Path) -> Result<(), RecordError> {
    remove_tree(path, None).map_err(RecordError::at(path, RecordProblem::Write))
}

/// Removes a file that may not be there.
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

/// Where the openings of a game are kept.
fn openings_path(run: &Path, game: Game) -> PathBuf {
    run.join(format!("openings-{}.txt", game.name()))
}

/// Keeps the openings with the run, so that it can be verified wherever it goes.
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
