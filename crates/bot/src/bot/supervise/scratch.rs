//! The writable folder of a bot in the tier `landlock`.
//!
//! The harness creates one for each start of a bot, with an unpredictable name, and the shim removes it when the bot
//! is dead. Both hold a shared lock on it for their lifetime. If both are killed, the folder stays; this user's next
//! harness on this machine finds it unlocked and removes it.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind::NotFound, ErrorKind::WouldBlock};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use rustix::process::geteuid;

use super::limits::IsolationError;
use crate::bot::remove_tree;

const PATIENCE: Duration = Duration::from_secs(5);

/// Maximum attempts at a name. Collisions do not happen by accident.
const TRIES: u32 = 16;

/// Prefix of these folders' names, in the folder for temporary files.
pub const SCRATCH_PREFIX: &str = "referee-bot-";

/// A folder writable for one bot. Dropping this value does not remove it: see [`Scratch::remove`].
#[derive(Debug)]
pub(super) struct Scratch {
    path: PathBuf,
    /// Holds the lock, if the file system supports locks.
    _held: Option<File>,
}

impl Scratch {
    /// Creates a folder accessible only to its owner. The first call removes leftovers of this user's harnesses.
    pub(super) fn make() -> io::Result<Self> {
        static SWEPT: Once = Once::new();
        let parent = temporary_folder()?;
        SWEPT.call_once(|| sweep(&parent));
        make_in(&parent)
    }

    /// Opens a folder created by the harness, and locks it in this process too.
    pub(super) fn hold(path: PathBuf) -> io::Result<Self> {
        let _held = hold(&path)?;
        Ok(Self { path, _held })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the folder with its contents. No process may write to it any more.
    pub(super) fn remove(&self) {
        let _ = remove_tree(&self.path, Some(Instant::now() + PATIENCE));
    }
}

pub(super) fn probe() -> Result<(), IsolationError> {
    match Scratch::make() {
        Ok(scratch) => {
            scratch.remove();
            Ok(())
        }
        Err(error) => Err(IsolationError(format!(
            "bots need folders for what they write, and none can be made in `{}`: {error}; make that folder, let \
             this user write to it, or set TMPDIR to another one",
            std::env::temp_dir().display()
        ))),
    }
}

/// Creates a new folder in the system's folder for temporary files, accessible only to its owner. Its name starts with
/// `prefix` and is unpredictable.
pub fn make_temporary_folder(prefix: &str) -> io::Result<PathBuf> {
    make_named(&temporary_folder()?, prefix)
}

/// The folder for temporary files, as an absolute path, since shims have other working directories.
fn temporary_folder() -> io::Result<PathBuf> {
    let folder = std::env::temp_dir();
    if folder.as_os_str().is_empty() {
        Ok(PathBuf::from("/tmp"))
    } else {
        std::path::absolute(folder)
    }
}

fn make_named(parent: &Path, prefix: &str) -> io::Result<PathBuf> {
    let mut tries = 0;
    loop {
        let path = parent.join(format!("{prefix}{:016x}", getrandom::u64()?));
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < TRIES => {
                tries += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

fn make_in(parent: &Path) -> io::Result<Scratch> {
    let prefix = prefix().unwrap_or_else(|| SCRATCH_PREFIX.to_owned());
    for _ in 0..TRIES {
        let path = make_named(parent, &prefix)?;
        match Scratch::hold(path.clone()) {
            Ok(scratch) => return Ok(scratch),
            // Another harness took it for a leftover before it was locked.
            Err(error) if matches!(error.kind(), WouldBlock | NotFound) => {}
            Err(error) => {
                let _ = fs::remove_dir(&path);
                return Err(error);
            }
        }
    }
    Err(io::Error::other("each scratch folder was gone at once"))
}

/// Takes a shared lock on a folder, if its file system supports locks. Fails if the folder is gone or about to be
/// removed.
fn hold(path: &Path) -> io::Result<Option<File>> {
    let folder = open(path)?;
    match folder.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Err(WouldBlock.into()),
        // Without locks, no harness takes a folder for a leftover.
        Err(TryLockError::Error(_)) => Ok(None),
        // The folder may have been removed between the open and the lock.
        Ok(()) if is_at(path, &folder) => Ok(Some(folder)),
        Ok(()) => Err(NotFound.into()),
    }
}

/// Removes unlocked folders left by this user's harnesses on this machine.
fn sweep(parent: &Path) {
    let Some(prefix) = prefix() else { return };
    let until = Instant::now() + PATIENCE;
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(&prefix) || Instant::now() > until {
            continue;
        }
        let path = entry.path();
        let Ok(folder) = open(&path) else { continue };
        let user = geteuid().as_raw();
        let is_own = folder.metadata().is_ok_and(|about| about.uid() == user);
        if is_own && folder.try_lock().is_ok() && is_at(&path, &folder) {
            // This follows no links, so it is safe even if a process still writes there.
            let _ = remove_tree(&path, Some(until));
        }
    }
}

/// Prefix of folders created since this machine booted: locks are not visible to other machines that share the folder
/// for temporary files. `None` if the boot id is unknown.
fn prefix() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(format!("{SCRATCH_PREFIX}{}-", boot.get(..8)?))
}

fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW;
    let flags = flags.bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

fn is_at(path: &Path, folder: &File) -> bool {
    let [Ok(found), Ok(open)] = [fs::symlink_metadata(path), folder.metadata()] else {
        return false;
    };
    (found.dev(), found.ino()) == (open.dev(), open.ino())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_nobody_holds_is_removed_and_nothing_that_was_not_made_here() {
        let outer = tempfile::tempdir().expect("a folder");
        let Some(prefix) = prefix() else {
            println!("skipped: needs /proc");
            return;
        };
        let at = |name: &str| outer.path().join(name);
        let held = make_in(outer.path()).expect("made");
        // A shim whose harness was killed.
        let by_harness = make_in(outer.path()).expect("made");
        let by_shim = Scratch::hold(by_harness.path().to_owned()).expect("held");
        drop(by_harness);
        // Both were killed.
        let left = make_in(outer.path()).expect("made");
        fs::write(left.path().join("file"), "text").expect("written");
        let path = left.path().to_owned();
        drop(left);
        let others = [
            at("referee-bot-12"),
            at("referee-bot-00000000-0123456789abcdef"),
            at("elsewhere"),
        ];
        for other in &others {
            fs::create_dir(other).expect("made");
        }
        let link = at(&format!("{prefix}link"));
        std::os::unix::fs::symlink(&others[2], &link).expect("made");
        let of_another = at(&format!("{prefix}other"));
        fs::create_dir(&of_another).expect("made");
        let is_of_another = std::os::unix::fs::chown(&of_another, Some(4711), None).is_ok();
        // A child started by another test briefly holds a copy of the lock.
        for _ in 0..1000 {
            sweep(outer.path());
            if !path.exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!path.exists());
        assert!(held.path().exists() && by_shim.path().exists());
        assert!(others.iter().all(|other| other.exists()) && link.is_symlink());
        if is_of_another {
            assert!(of_another.exists());
        } else {
            println!("skipped: a folder of another user needs root");
        }
    }

    #[test]
    fn a_folder_that_is_about_to_be_removed_is_not_taken() {
        let outer = tempfile::tempdir().expect("a folder");
        let path = make_named(outer.path(), "x").expect("made");
        let sweeper = open(&path).expect("opened");
        sweeper.lock().expect("locked");
        Scratch::hold(path.clone()).expect_err("somebody removes it");
        fs::remove_dir(&path).expect("removed");
        drop(sweeper);
        Scratch::hold(path).expect_err("it is gone");
    }
}
