//! A copy of a run, written file by file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::config::PlannedGame;
use crate::runs::files::durability::Durability;
use crate::runs::files::folders::is_empty;
use crate::runs::journal::row::GameRow;
use crate::runs::journal::rows;
use crate::runs::journal::set_aside::{self, SetAsideGame};
use crate::runs::logs::game_files::Logs;
use crate::runs::manifest::Manifest;
use crate::runs::manifest::openings::write_openings;
use crate::runs::manifest::text::write_manifest;
use crate::runs::{JOURNAL, MANIFEST, RunFileError, RunFileProblem};

/// The folder of a copy. Its journal is written last.
#[derive(Debug)]
pub struct RunCopy {
    path: PathBuf,
    files: Logs,
    /// Number of seats of its games.
    seats: usize,
}

impl RunCopy {
    /// Begins a copy in a new or empty folder, with its manifest and its openings. `fill` writes the rest; on
    /// failure the folder is removed, since half a copy is of no use.
    ///
    /// # Errors
    /// The folder holds something already or cannot be written, or the error of `fill`.
    pub fn make(
        path: &Path,
        manifest: &Manifest,
        games: &[PlannedGame],
        fill: impl FnOnce(&Self) -> Result<(), RunFileError>,
    ) -> Result<(), RunFileError> {
        let text = manifest.text();
        let text = text.map_err(|problem| RunFileError::new(path.join(MANIFEST), problem))?;
        fs::create_dir_all(path).map_err(RunFileError::at(path, RunFileProblem::Make))?;
        if !is_empty(path)? {
            return Err(RunFileError::new(path, RunFileProblem::NotNew));
        }
        let copy = Self {
            path: path.to_owned(),
            seats: PlannedGame::seats_of(games),
            files: Logs::new(path, manifest.record.logs, Durability::System, None),
        };
        let written = write_manifest(path, &text)
            .and_then(|()| write_openings(path, games))
            .and_then(|()| fill(&copy));
        written.inspect_err(|_| {
            // The folder was empty a moment ago.
            let _ = fs::remove_dir_all(path);
        })
    }

    /// Writes a file with this path relative to the folder.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_file(&self, name: &Path, bytes: &[u8]) -> Result<(), RunFileError> {
        self.files.write_as(name, bytes)
    }

    /// Writes the games that could not be played.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write_set_aside(&self, games: &[SetAsideGame]) -> Result<(), RunFileError> {
        set_aside::write(&self.path, games)
    }

    /// Writes the journal.
    ///
    /// # Errors
    /// The first error of a row, or the journal cannot be written.
    pub fn write_rows(
        &self,
        rows: impl Iterator<Item = Result<GameRow, RunFileError>>,
    ) -> Result<(), RunFileError> {
        rows::write_rows(&self.path.join(JOURNAL), self.seats, rows)
    }
}
