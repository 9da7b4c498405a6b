//! The files of each game: its log, and its bots' standard error.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::bot::Log;
use crate::config::KeepLogs;
use crate::game::{Game, PerSeat};
use crate::runs::error::{RunFileError, RunFileProblem};
use crate::runs::files::{digest_of_bytes, digest_of_file};
use crate::runs::{BUILDS, FAILED_RULES};

/// Digests of the files of one game: the first 32 hexadecimal digits of each SHA-256, empty for a missing
/// file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDigests {
    pub log: String,
    pub stderr: PerSeat<String>,
}

impl FileDigests {
    pub fn none(seats: usize) -> Self {
        Self {
            log: String::new(),
            stderr: PerSeat::defaults(seats),
        }
    }

    /// The files of a game with their digests, as paths relative to the run's folder.
    pub fn by_name(&self, game: Game, id: u64) -> impl Iterator<Item = (PathBuf, &str)> {
        let run = Path::new("");
        let log = (game_log_path(run, id), self.log.as_str());
        let stderr = self.stderr.iter().map(move |(seat, digest)| {
            let path = bot_log_path(run, id, game.seat_name(seat));
            (path, digest.as_str())
        });
        [log]
            .into_iter()
            .chain(stderr)
            .filter(|(_, digest)| !digest.is_empty())
    }

    /// Digests of a game's files as they are in the run's folder now.
    pub(in crate::runs) fn of(run: &Path, game: Game, id: u64) -> Result<Self, RunFileError> {
        let digest = |path: PathBuf| match digest_of_file(&path) {
            Ok(digest) => Ok(digest),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(RunFileError::new(path, RunFileProblem::Read(error))),
        };
        Ok(Self {
            log: digest(game_log_path(run, id))?,
            stderr: PerSeat::try_of(game.seat_count(), |seat| {
                digest(bot_log_path(run, id, game.seat_name(seat)))
            })?,
        })
    }
}

/// Writer of the files of games in one run's folder. Threads may share it, each for its own games.
#[derive(Debug, Clone)]
pub struct Logs {
    run: PathBuf,
    keep: KeepLogs,
}

impl Logs {
    pub(in crate::runs) fn new(run: &Path, keep: KeepLogs) -> Self {
        Self {
            run: run.to_owned(),
            keep,
        }
    }

    /// Writes the log of a game and each bot's standard error, with the name of its seat. Writes nothing if
    /// the plan keeps no logs of such games. Returns the digests of the files.
    pub fn write(
        &self,
        id: u64,
        forfeited: bool,
        game: &[u8],
        bots: PerSeat<(&str, &Log)>,
    ) -> Result<FileDigests, RunFileError> {
        let mut digests = FileDigests::none(bots.count());
        if !self.keep.keeps(forfeited) {
            return Ok(digests);
        }
        self.file(game_log_path(&self.run, id), game)?;
        digests.log = digest_of_bytes(game);
        for (seat, digest) in digests.stderr.iter_mut() {
            let (seat, log) = bots[seat];
            if !log.is_empty() {
                let text = log.text();
                self.file(bot_log_path(&self.run, id, seat), &text)?;
                *digest = digest_of_bytes(&text);
            }
        }
        Ok(digests)
    }

    pub fn write_build(&self, player: &str, log: &Log) -> Result<(), RunFileError> {
        let path = self.run.join(BUILDS).join(format!("{player}.log"));
        self.file(path, &log.text())
    }

    /// Writes what a rules program wrote in a game that it made void. A later attempt at the game replaces it.
    pub fn write_failed_rules(&self, id: u64, log: &[u8]) -> Result<(), RunFileError> {
        self.file(
            self.run.join(FAILED_RULES).join(format!("{id:06}.log")),
            log,
        )
    }

    /// Copies a file from elsewhere to this path, relative to the run's folder.
    pub(in crate::runs) fn write_as(&self, name: &Path, bytes: &[u8]) -> Result<(), RunFileError> {
        self.file(self.run.join(name), bytes)
    }

    fn file(&self, path: PathBuf, bytes: &[u8]) -> Result<(), RunFileError> {
        let written = match fs::write(&path, bytes) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make_folders(&self.run, &path).and_then(|()| fs::write(&path, bytes))
            }
            written => written,
        };
        written.map_err(|error| {
            // A partial file is of no use, and takes space on a full disk.
            let _ = fs::remove_file(&path);
            match error.kind() {
                io::ErrorKind::NotFound => RunFileError::new(&self.run, RunFileProblem::Gone),
                _ => RunFileError::new(path, RunFileProblem::Write(error)),
            }
        })
    }
}

/// Path of a game's file, with a thousand games a folder.
fn game_path(run: &Path, kind: &str, id: u64, ending: &str) -> PathBuf {
    run.join(format!("{kind}/{:04}/{id:06}{ending}", id / 1000))
}

pub(in crate::runs) fn game_log_path(run: &Path, id: u64) -> PathBuf {
    game_path(run, "games", id, ".csv")
}

/// Path of a bot's standard error in one game, by the name of its seat.
pub fn bot_log_path(run: &Path, id: u64, seat: &str) -> PathBuf {
    game_path(run, "stderr", id, &format!("-{seat}.log"))
}

/// Makes the folders of a game's file below the run's folder. Does not make that one: if it was moved, a
/// new one would become half a run.
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
