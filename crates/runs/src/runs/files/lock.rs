//! Exclusive lock of a run's folder. The kernel releases it when the process ends, even by a kill.
//!
//! The folder itself is locked. Network file systems lock only files open for writing, which a folder
//! cannot be: there a file in the folder is locked instead, which also excludes other machines. A file
//! system without locks is refused.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::io::Errno;

use crate::runs::error::{RunFileError, RunFileProblem};

/// The file that is locked if the folder cannot be.
const LOCK: &str = ".lock";

/// Time to wait for a lock held by another process, and interval between attempts.
const PATIENCE: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub struct Lock {
    /// The folder, or a file in it where the folder cannot be locked.
    _locked: File,
}

impl Lock {
    /// Locks a folder. Waits for a short-lived lock, such as the probe of a reader.
    pub fn take(path: &Path) -> Result<Self, RunFileError> {
        let folder = File::open(path).map_err(RunFileError::at(path, RunFileProblem::Open))?;
        match lock(path, &folder) {
            Err(error) if is_for_files_only(&error) => {
                let file = OpenOptions::new()
                    .create(true)
                    .append(true)
                    .open(path.join(LOCK))
                    .map_err(RunFileError::at(path, RunFileProblem::Lock))?;
                lock(path, &file)?;
                Ok(Self { _locked: file })
            }
            locked => locked.map(|()| Self { _locked: folder }),
        }
    }
}

/// Whether a process holds the lock of a folder. Probes with a shared lock for a moment, so that several
/// readers do not mistake each other for a writer.
pub(in crate::runs) fn is_locked(path: &Path) -> bool {
    let held = |file: File| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    [path.to_owned(), path.join(LOCK)]
        .iter()
        .any(|path| File::open(path).is_ok_and(held))
}

fn lock(path: &Path, file: &File) -> Result<(), RunFileError> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            // A harness killed between fork and exec of a bot leaves the descriptor, and so the lock,
            // with the child until its exec closes it.
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                std::thread::sleep(LOOK);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(RunFileError::new(path, RunFileProblem::InUse));
            }
            Err(TryLockError::Error(error)) => {
                return Err(RunFileError::new(path, RunFileProblem::Lock(error)));
            }
        }
    }
}

/// Whether the file system refuses to lock a folder because it is not open for writing.
fn is_for_files_only(error: &RunFileError) -> bool {
    let RunFileProblem::Lock(error) = &error.problem else {
        return false;
    };
    matches!(
        Errno::from_io_error(error),
        Some(Errno::BADF | Errno::ISDIR | Errno::INVAL)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_whose_file_is_locked_counts_as_locked() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!is_locked(folder.path()));
        let lock = Lock::take(folder.path()).expect("locked");
        assert!(is_locked(folder.path()));
        drop(lock);
        assert!(!is_locked(folder.path()));
        // As on a network file system.
        let file = File::create(folder.path().join(LOCK)).expect("made");
        file.try_lock().expect("locked");
        assert!(is_locked(folder.path()));
        let refused = lock_of_file(folder.path()).expect_err("held");
        assert!(
            refused.to_string().contains("another run writes to it"),
            "{refused}"
        );
        drop(file);
        assert!(!is_locked(folder.path()));
    }

    fn lock_of_file(folder: &Path) -> Result<(), RunFileError> {
        let file = File::open(folder.join(LOCK)).expect("there");
        lock(folder, &file)
    }
}
