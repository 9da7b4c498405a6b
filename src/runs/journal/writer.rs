//! Writer of `games.csv`: a row per finished game, each in one write.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::row::GameRow;
use crate::runs::JOURNAL;
use crate::runs::error::{RunFileError, RunFileProblem};
use crate::runs::files::durability::{Durability, Timer};

/// The journal, open for appending.
#[derive(Debug)]
pub(in crate::runs) struct Journal {
    path: PathBuf,
    file: File,
    /// Number of seats of its games.
    seats: usize,
    /// Length of all whole rows, in bytes.
    length: u64,
    /// Device and inode, which stay equal if the file is moved.
    identity: (u64, u64),
    timer: Timer,
}

impl Journal {
    /// Makes the journal of a new run of games of `seats`, with its header.
    pub fn create(run: &Path, seats: usize) -> Result<Self, RunFileError> {
        let path = run.join(JOURNAL);
        let file = OpenOptions::new().create_new(true).append(true).open(&path);
        let mut journal = Self::around(path, file, seats)?;
        journal.write(&GameRow::header(seats))?;
        Ok(journal)
    }

    /// Opens the journal of a resumed run of games of `seats`. The file must end with a whole row.
    pub fn open(run: &Path, seats: usize) -> Result<Self, RunFileError> {
        let path = run.join(JOURNAL);
        let file = OpenOptions::new().append(true).open(&path);
        Self::around(path, file, seats)
    }

    fn around(path: PathBuf, file: io::Result<File>, seats: usize) -> Result<Self, RunFileError> {
        let opened = file.and_then(|file| {
            let metadata = file.metadata()?;
            Ok((file, metadata))
        });
        match opened {
            Ok((file, metadata)) => Ok(Self {
                path,
                file,
                seats,
                length: metadata.len(),
                identity: (metadata.dev(), metadata.ino()),
                timer: Timer::new(Durability::default()),
            }),
            Err(error) => Err(RunFileError::new(path, RunFileProblem::Write(error))),
        }
    }

    /// Number of seats of its games.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// Sets the frequency of syncs.
    pub fn set_durability(&mut self, durability: Durability) {
        self.timer = Timer::new(durability);
    }

    /// Adds a row in one write. On failure the journal is truncated to its whole rows.
    pub fn append(&mut self, row: &[u8]) -> Result<(), RunFileError> {
        // The descriptor still accepts writes after the file was moved or removed.
        let there = fs::metadata(&self.path)
            .is_ok_and(|metadata| (metadata.dev(), metadata.ino()) == self.identity);
        if !there {
            return Err(RunFileError::new(&self.path, RunFileProblem::Gone));
        }
        self.write(row)?;
        self.timer.written(Instant::now());
        self.sync(false)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RunFileError> {
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.length += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                // A full disk may take a part of the row; truncating needs no space. If it fails all the
                // same, resuming the run cuts off the torn row.
                let _ = self.file.set_len(self.length);
                Err(RunFileError::new(&self.path, RunFileProblem::Write(error)))
            }
        }
    }

    /// Deadline of the next sync; `None` if no row waits.
    pub fn sync_deadline(&self) -> Option<Instant> {
        self.timer.deadline()
    }

    /// Syncs rows to the disk if that is due; at the `end` of the run, all rows.
    pub fn sync(&mut self, end: bool) -> Result<(), RunFileError> {
        if !self.timer.due(Instant::now(), end) {
            return Ok(());
        }
        self.file
            .sync_data()
            .map_err(RunFileError::at(&self.path, RunFileProblem::Sync))
    }
}
