//! The files of each game: its log, and what its bots wrote.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::digest::{digest_of_bytes, digest_of_file};
use super::pack::Pack;
use super::{BUILDS, Durability, GameRow, RecordError, RecordProblem};
use crate::config::KeepLogs;
use crate::game::Game;
use crate::player::Log;

/// Digests of the files of one game: the first 32 hexadecimal digits of the SHA-256 of each. Empty for a
/// file that is not there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileDigests {
    /// That of the log.
    pub log: String,
    /// Those of what the bots wrote besides their answers, by seat.
    pub stderr: [String; 2],
}

impl FileDigests {
    /// The files that a game left, as paths below the folder of its run, with their digests.
    pub(super) fn by_name(&self, game: Game, id: u64) -> impl Iterator<Item = (PathBuf, &str)> {
        let [first, second] = game.seat_names();
        let run = Path::new("");
        let files = [
            (game_log_path(run, id), self.log.as_str()),
            (bot_log_path(run, id, first), &self.stderr[0]),
            (bot_log_path(run, id, second), &self.stderr[1]),
        ];
        files.into_iter().filter(|(_, digest)| !digest.is_empty())
    }

    /// The digests of the files that a game has in the folder of its run.
    pub(super) fn of(run: &Path, row: &GameRow) -> Result<Self, RecordError> {
        let digest = |path: PathBuf| match digest_of_file(&path) {
            Ok(digest) => Ok(digest),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(RecordError::new(path, RecordProblem::Read(error))),
        };
        let [first, second] = row.game.seat_names();
        Ok(Self {
            log: digest(game_log_path(run, row.id))?,
            stderr: [
                digest(bot_log_path(run, row.id, first))?,
                digest(bot_log_path(run, row.id, second))?,
            ],
        })
    }
}

/// Writes the files of games, below the folder of one run. Any number of threads may do so at a
/// time, each for games of its own.
#[derive(Debug, Clone)]
pub struct Logs {
    run: PathBuf,
    keep: KeepLogs,
    durability: Durability,
    /// Where all files are parts of one.
    pack: Option<Arc<Pack>>,
}

impl Logs {
    pub(super) fn new(
        run: &Path,
        keep: KeepLogs,
        durability: Durability,
        pack: Option<Arc<Pack>>,
    ) -> Self {
        Self {
            run: run.to_owned(),
            keep,
            durability,
            pack,
        }
    }

    /// Writes the log of a game, and what each bot wrote besides its answers, by the name of its
    /// seat: all, or nothing where the plan keeps no logs of such games. Gives the digests of the files.
    pub fn write(
        &self,
        id: u64,
        forfeited: bool,
        game: &[u8],
        bots: [(&str, &Log); 2],
    ) -> Result<FileDigests, RecordError> {
        let mut digests = FileDigests::default();
        if !self.keep.keeps(forfeited) {
            return Ok(digests);
        }
        self.file(game_log_path(&self.run, id), game)?;
        digests.log = digest_of_bytes(game);
        for ((seat, log), digest) in bots.into_iter().zip(&mut digests.stderr) {
            if !log.is_empty() {
                let text = log.text();
                self.file(bot_log_path(&self.run, id, seat), &text)?;
                *digest = digest_of_bytes(&text);
            }
        }
        Ok(digests)
    }

    /// Writes what the build of a player wrote.
    pub fn write_build(&self, player: &str, log: &Log) -> Result<(), RecordError> {
        let path = self.run.join(BUILDS).join(format!("{player}.log"));
        self.file(path, &log.text())
    }

    fn file(&self, path: PathBuf, bytes: &[u8]) -> Result<(), RecordError> {
        if let Some(pack) = &self.pack {
            return pack.add(path.strip_prefix(&self.run).unwrap_or(&path), bytes);
        }
        self.own_file(path, bytes)
    }

    /// Writes a file of a run that was written elsewhere before, under its path there.
    pub(super) fn write_as(&self, name: &Path, bytes: &[u8]) -> Result<(), RecordError> {
        self.own_file(self.run.join(name), bytes)
    }

    fn own_file(&self, path: PathBuf, bytes: &[u8]) -> Result<(), RecordError> {
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
fn game_path(run: &Path, kind: &str, id: u64, ending: &str) -> PathBuf {
    run.join(kind)
        .join(format!("{:04}", id / 1000))
        .join(format!("{id:06}{ending}"))
}

/// Where the log of a game lies.
pub(super) fn game_log_path(run: &Path, id: u64) -> PathBuf {
    game_path(run, "games", id, ".csv")
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
