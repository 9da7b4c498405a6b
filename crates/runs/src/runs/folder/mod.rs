//! A run's folder that is written.

pub(super) mod merge;
pub(super) mod resume;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::config::{KeepLogs, Plan};
use crate::runs::error::{RunFileError, RunFileProblem};
use crate::runs::files::is_empty;
use crate::runs::files::lock::Lock;
use crate::runs::identity::{Sources, Unbuilt};
use crate::runs::journal::GameRow;
use crate::runs::journal::done::DoneGames;
use crate::runs::journal::rows::Journal;
use crate::runs::journal::set_aside::{self, SetAsideGame};
use crate::runs::logs::game_files::Logs;
use crate::runs::manifest::{Stamp, manifest_text, openings_path, write_manifest, write_openings};
use crate::runs::{JOURNAL, MANIFEST};

#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    journal: Journal,
    keep: KeepLogs,
    seed: u64,
    /// Results of games played before the run was resumed.
    done: DoneGames,
    stamp: Stamp,
    /// Source files of built bots, known after their first build.
    sources: Sources,
    _lock: Lock,
}

impl RunFolder {
    /// Makes a new run's folder, with its manifest and an empty journal. A folder that holds
    /// anything already is refused and left alone.
    pub fn create(path: &Path, plan: &Plan, stamp: Stamp) -> Result<Self, RunFileError> {
        let seed = match plan.seed {
            Some(seed) => seed,
            None => draw_seed().map_err(RunFileError::at(path, RunFileProblem::Seed))?,
        };
        let sources = Sources::default();
        let manifest = manifest_text(path, plan, seed, &stamp, &sources)?;
        let made = !path.exists();
        fs::create_dir_all(path).map_err(RunFileError::at(path, RunFileProblem::Make))?;
        let lock = Lock::take(path)?;
        // Left by a run that was killed while it wrote its manifest.
        let _ = fs::remove_file(path.join(MANIFEST).with_extension("tmp"));
        if path.join(MANIFEST).exists() {
            return Err(RunFileError::new(path, RunFileProblem::HoldsARun));
        }
        if !is_empty(path)? {
            return Err(RunFileError::new(path, RunFileProblem::NotEmpty));
        }
        let journal = write_manifest(path, &manifest)
            .and_then(|()| write_openings(path, &plan.games))
            .and_then(|()| Journal::create(path, plan.row_shape()));
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
            seed,
            done: DoneGames::default(),
            stamp,
            sources,
            _lock: lock,
        })
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes the results of games played before the run was resumed. A second call returns none.
    pub fn take_done(&mut self) -> DoneGames {
        std::mem::take(&mut self.done)
    }

    pub fn logs(&self) -> Logs {
        Logs::new(&self.path, self.keep)
    }

    pub fn before_builds(&self, plan: &Plan) -> Unbuilt {
        Unbuilt::look(plan, &self.sources)
    }

    /// Writes the source files of built bots into the manifest: files that were there `before` the build
    /// and are unchanged. Files that a build made or changed are left out, so that they do not count as a
    /// change of the bot when the run is resumed.
    pub fn after_builds(&mut self, plan: &Plan, before: Unbuilt) -> Result<(), RunFileError> {
        if before.is_empty() {
            return Ok(());
        }
        self.sources.add(before);
        let manifest = manifest_text(&self.path, plan, self.seed, &self.stamp, &self.sources)?;
        write_manifest(&self.path, &manifest)
    }

    /// Adds a finished game to the journal, in one write. On failure the journal stays as it was.
    pub fn append(&mut self, row: &GameRow) -> Result<(), RunFileError> {
        self.journal.append(&row.line())
    }

    pub fn set_aside(&mut self, game: &SetAsideGame) -> Result<(), RunFileError> {
        // A resumed run tries such games again, so this one may be there from before.
        let known = set_aside::read(&self.path)?;
        if known.iter().any(|other| other.id == game.id) {
            Ok(())
        } else {
            set_aside::append(&self.path, game)
        }
    }
}

pub fn draw_seed() -> io::Result<u64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)?;
    // TOML has no number beyond 63 bits, and the manifest must hold the seed.
    Ok(u64::from_le_bytes(bytes) >> 1)
}
