//! Files in a run's folder that are not records of it.

use std::fs;
use std::path::{Path, PathBuf};

use super::digests::{DIGESTS, is_openings, is_table};
use crate::runs::error::{RunFileError, RunFileProblem};
use crate::runs::journal::ids::Ids;
use crate::runs::journal::set_aside::SET_ASIDE;
use crate::runs::logs::game_files::{bot_log_path, game_log_path};
use crate::runs::reader::run::Run;
use crate::runs::{BUILDS, FAILED_RULES, JOURNAL, MANIFEST, PGN};

/// The folders of the files of games.
const OF_GAMES: [&str; 2] = ["games", "stderr"];

/// Files that are no records but expected: the lock, the folder of the pages, the games as PGN, and output of rules that
/// failed.
const BESIDE: [&str; 4] = [".lock", "report", PGN, FAILED_RULES];

/// An unexpected file among the records of a run.
#[derive(Debug, thiserror::Error)]
pub enum Stranger {
    /// A file or a folder is a link, whose target may change.
    #[error("{}: it is a link, and a run has its own files: put the file itself there", .0.display())]
    Link(PathBuf),
    /// No game left it.
    #[error("{}: no game in {JOURNAL} left it: it was added, or the row of its game was removed", .0.display())]
    OfNoGame(PathBuf),
    /// A folder cannot be read.
    #[error(transparent)]
    RunFile(#[from] RunFileError),
}

impl Run {
    /// Goes through all files of the run, which has the games `games`. Returns the names of unknown files and folders
    /// beside the records.
    ///
    /// # Errors
    /// The first unexpected file among the records.
    pub fn strangers(&self, games: &Ids) -> Result<Vec<String>, Stranger> {
        let digests = self.digest_names()?;
        let mut beside = Vec::new();
        for (name, path, kind) in entries(self.path())? {
            let is_record = [MANIFEST, JOURNAL, SET_ASIDE, DIGESTS, BUILDS]
                .contains(&name.as_str())
                || OF_GAMES.contains(&name.as_str())
                || is_openings(&name)
                || (is_table(&name) && digests.contains(&name));
            if is_record {
                if kind.is_symlink() {
                    return Err(Stranger::Link(path));
                }
            } else if !BESIDE.contains(&name.as_str()) {
                beside.push(name);
            }
        }
        for kind in OF_GAMES {
            self.files_of_games(kind, games)?;
        }
        beside.sort_unstable();
        Ok(beside)
    }

    /// Checks that all files in this folder belong to games.
    fn files_of_games(&self, kind: &str, games: &Ids) -> Result<(), Stranger> {
        let folder = self.path().join(kind);
        if !folder.exists() {
            return Ok(());
        }
        for (_, path, kind) in entries(&folder)? {
            if kind.is_symlink() {
                return Err(Stranger::Link(path));
            }
            if !kind.is_dir() {
                return Err(Stranger::OfNoGame(path));
            }
            for (name, path, kind) in entries(&path)? {
                if kind.is_symlink() {
                    return Err(Stranger::Link(path));
                }
                let id = name.split(['.', '-']).next().unwrap_or_default();
                let id = id.parse().ok().filter(|id| games.contains(*id));
                let is_of = |id| {
                    let games = self.games().iter();
                    let seats = games.flat_map(|planned| planned.game().seat_names());
                    let run = self.path();
                    path == game_log_path(run, id)
                        || seats
                            .into_iter()
                            .any(|seat| path == bot_log_path(run, id, seat))
                };
                if !kind.is_file() || !id.is_some_and(is_of) {
                    return Err(Stranger::OfNoGame(path));
                }
            }
        }
        Ok(())
    }
}

type Entry = (String, PathBuf, fs::FileType);

/// The entries of a folder, sorted by name.
fn entries(folder: &Path) -> Result<Vec<Entry>, RunFileError> {
    let read = || {
        let entries = fs::read_dir(folder)?.map(|entry| {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            Ok((name, entry.path(), entry.file_type()?))
        });
        entries.collect::<std::io::Result<Vec<Entry>>>()
    };
    let mut entries = read().map_err(RunFileError::at(folder, RunFileProblem::Read))?;
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(entries)
}
