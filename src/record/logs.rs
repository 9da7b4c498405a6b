//! The files of each game: its log, and what its bots wrote.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{BUILDS, Durability, RecordError, RecordProblem};
use crate::config::KeepLogs;
use crate::player::Log;

/// Writes the files of games, below the folder of one run. Any number of threads may do so at a
/// time, each for games of its own.
#[derive(Debug, Clone)]
pub struct Logs {
    run: PathBuf,
    keep: KeepLogs,
    durability: Durability,
}

impl Logs {
    pub(super) fn new(run: &Path, keep: KeepLogs, durability: Durability) -> Self {
        Self {
            run: run.to_owned(),
            keep,
            durability,
        }
    }

    /// Writes the log of a game, and what each bot wrote besides its answers, by the name of its
    /// seat: all, or nothing where the plan keeps no logs of such games.
    pub fn write(
        &self,
        id: u64,
        forfeited: bool,
        game: &[u8],
        bots: [(&str, &Log); 2],
    ) -> Result<(), RecordError> {
        if !self.keep.keeps(forfeited) {
            return Ok(());
        }
        self.file(game_path(&self.run, "games", id, ".csv"), game)?;
        for (seat, log) in bots.into_iter().filter(|(_, log)| !log.is_empty()) {
            self.file(bot_log_path(&self.run, id, seat), &log.text())?;
        }
        Ok(())
    }

    /// Writes what the build of a player wrote.
    pub fn write_build(&self, player: &str, log: &Log) -> Result<(), RecordError> {
        let path = self.run.join(BUILDS).join(format!("{player}.log"));
        self.file(path, &log.text())
    }

    fn file(&self, path: PathBuf, bytes: &[u8]) -> Result<(), RecordError> {
        let written = match self.put(&path, bytes) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make_folders(&self.run, &path).and_then(|()| self.put(&path, bytes))
            }
            written => written,
        };
        written.map_err(|error| {
            // What is half-written is of no use, and takes room where there is none.
            let _ = fs::remove_file(&path);
            match error.kind() {
                io::ErrorKind::NotFound => RecordError::new(&self.run, RecordProblem::Gone),
                _ => RecordError::new(path, RecordProblem::Write(error)),
            }
        })
    }

    fn put(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create(path)?;
        file.write_all(bytes)?;
        match self.durability {
            Durability::Game => file.sync_data(),
            Durability::System | Durability::Second => Ok(()),
        }
    }
}

/// Where the file of a game lies: a thousand games a folder.
pub(super) fn game_path(run: &Path, kind: &str, id: u64, ending: &str) -> PathBuf {
    run.join(kind)
        .join(format!("{:04}", id / 1000))
        .join(format!("{id:06}{ending}"))
}

/// Where what a bot wrote in one game lies, by the name of its seat.
pub fn bot_log_path(run: &Path, id: u64, seat: &str) -> PathBuf {
    game_path(run, "stderr", id, &format!("-{seat}.log"))
}

/// Makes the folders of a game's file below that of the run, which must be there: a new one in the
/// place of one that was moved would be half a run.
fn make_folders(run: &Path, path: &Path) -> io::Result<()> {
    let folders: Vec<&Path> = path.ancestors().skip(1).take_while(|p| *p != run).collect();
    for folder in folders.into_iter().rev() {
        match fs::create_dir(folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
