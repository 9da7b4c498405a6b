//! The lock of a run's folder: no two runs write to it. It ends with the process that holds it, however
//! that ends.
//!
//! The folder itself is locked. Network file systems lock only files that are open for writing, which a
//! folder cannot be: there a file in the folder is locked instead, and the system keeps other machines out
//! as long as it can lock at all. Where it cannot, the run is refused.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::io::Errno;

use super::{RecordError, RecordProblem};

/// The file that is locked where a folder cannot be.
const LOCK: &str = ".lock";

/// How long a lock that somebody holds is waited for, and how often it is tried.
const PATIENCE: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(20);

/// A folder that is locked until this is dropped.
#[derive(Debug)]
pub struct Lock {
    /// The folder.
    folder: File,
    /// The file in it, where that is what is locked.
    _file: Option<File>,
}

impl Lock {
    /// Locks a folder, which somebody else may hold for a moment.
    ///
    /// # Errors
    /// Somebody holds it, or it cannot be locked.
    pub fn take(path: &Path) -> Result<Self, RecordError> {
        let folder = File::open(path).map_err(RecordError::at(path, RecordProblem::Open))?;
        match lock(path, &folder) {
            Err(error) if is_for_files_only(&error) => {
                let file = OpenOptions::new()
                    .create(true)
                    .append(true)
                    .open(path.join(LOCK))
                    .map_err(RecordError::at(path, RecordProblem::Lock))?;
                lock(path, &file)?;
                Ok(Self {
                    folder,
                    _file: Some(file),
                })
            }
            locked => locked.map(|()| Self {
                folder,
                _file: None,
            }),
        }
    }

    /// Brings the names of the files in the folder to the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.folder.sync_all()
    }
}

/// Whether a process holds the lock of a folder.
pub(super) fn is_locked(path: &Path) -> bool {
    let held = |file: File| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    [path.to_owned(), path.join(LOCK)]
        .iter()
        .any(|path| File::open(path).is_ok_and(held))
}

fn lock(path: &Path, file: &File) -> Result<(), RecordError> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            // A harness that was killed while it started a bot leaves a copy of the lock with the
            // bot's process, until that process has become the bot's program.
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                std::thread::sleep(LOOK);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(RecordError::new(path, RecordProblem::InUse));
            }
            Err(TryLockError::Error(error)) => {
                return Err(RecordError::new(path, RecordProblem::Lock(error)));
            }
        }
    }
}

/// Whether the file system refuses to lock a folder because it cannot be written to like a file.
fn is_for_files_only(error: &RecordError) -> bool {
    let RecordProblem::Lock(error) = &error.problem else {
        return false;
    };
    [Errno::BADF, Errno::ISDIR, Errno::INVAL]
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
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

    fn lock_of_file(folder: &Path) -> Result<(), RecordError> {
        let file = File::open(folder.join(LOCK)).expect("there");
        lock(folder, &file)
    }

    #[test]
    fn only_the_refusal_to_lock_a_folder_leads_to_a_file() {
        let refused = |errno: Errno| RecordError::new("run", RecordProblem::Lock(errno.into()));
        assert!(is_for_files_only(&refused(Errno::BADF)));
        assert!(!is_for_files_only(&refused(Errno::NOLCK)));
        assert!(!is_for_files_only(&RecordError::new(
            "run",
            RecordProblem::InUse
        )));
    }
}
