//! The folder that a bot may write to, in the tier `landlock`.
//!
//! The harness makes one for each start of a bot, with a name that nobody can know before, and the shim removes it
//! when the bot is dead. Both hold a lock of it for as long as they live. If both are killed, the folder stays; the
//! next harness of that user on this machine finds that nobody holds it, and removes it.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind::NotFound, ErrorKind::WouldBlock};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use rustix::process::geteuid;

use super::limits::IsolationError;
use crate::player::remove_tree;

/// How long removing a folder may take that was made hard to remove.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many names are tried. Nobody takes one by accident.
const TRIES: u32 = 16;

/// How the names of these folders begin, in the folder for temporary files.
pub const SCRATCH_PREFIX: &str = "referee-bot-";

/// A folder that one bot may write to. It is not removed with this value: see [`Scratch::remove`].
#[derive(Debug)]
pub(super) struct Scratch {
    path: PathBuf,
    /// Locked, where its file system can do that.
    _held: Option<File>,
}

impl Scratch {
    /// Makes a folder that only its owner can look into. The first call removes what harnesses of this user left.
    pub(super) fn make() -> io::Result<Self> {
        static SWEPT: Once = Once::new();
        let parent = temporary_folder()?;
        SWEPT.call_once(|| sweep(&parent));
        make_in(&parent)
    }

    /// The folder that the harness made, held by one more process.
    pub(super) fn hold(path: PathBuf) -> io::Result<Self> {
        let _held = hold(&path)?;
        Ok(Self { path, _held })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the folder with all that is in it. No process may write to it any more.
    pub(super) fn remove(&self) {
        // What cannot be removed is left.
        let _ = remove_tree(&self.path, Some(Instant::now() + PATIENCE));
    }
}

/// Tries whether such folders can be made here.
pub(super) fn probe() -> Result<(), IsolationError> {
    match Scratch::make() {
        Ok(scratch) => {
            scratch.remove();
            Ok(())
        }
        Err(source) => Err(IsolationError::NoScratch {
            folder: std::env::temp_dir(),
            source,
        }),
    }
}

/// Makes a new folder for temporary files, in the system's place for them. Its name begins with `prefix` and cannot
/// be known before, and only its owner can look into it.
///
/// # Errors
///
/// The system's place is not there or cannot be written to.
pub fn make_temporary_folder(prefix: &str) -> io::Result<PathBuf> {
    make_named(&temporary_folder()?, prefix)
}

/// Where temporary files are kept. The shims have other working directories, so it must be absolute.
fn temporary_folder() -> io::Result<PathBuf> {
    let folder = std::env::temp_dir();
    match folder.as_os_str().is_empty() {
        true => Ok(PathBuf::from("/tmp")),
        false => std::path::absolute(folder),
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
            // Another harness took it for one that was left.
            Err(error) if matches!(error.kind(), WouldBlock | NotFound) => {}
            Err(error) => {
                let _ = fs::remove_dir(&path);
                return Err(error);
            }
        }
    }
    Err(io::Error::other("each scratch folder was gone at once"))
}

/// Locks a folder together with others, if its file system can do that. The error is that it is not there any more,
/// or is about to be removed.
fn hold(path: &Path) -> io::Result<Option<File>> {
    let folder = open(path)?;
    match folder.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Err(WouldBlock.into()),
        // Where nobody can lock it, nobody takes it for one that was left.
        Err(TryLockError::Error(_)) => Ok(None),
        Ok(()) if is_at(path, &folder) => Ok(Some(folder)),
        Ok(()) => Err(NotFound.into()),
    }
}

/// Removes the folders that this user's harnesses have left on this machine, which nobody holds.
fn sweep(parent: &Path) {
    let Some(prefix) = prefix() else {
        return;
    };
    let until = Instant::now() + PATIENCE;
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(&prefix) || Instant::now() > until {
            continue;
        }
        let path = entry.path();
        let Ok(folder) = open(&path) else {
            continue;
        };
        let user = geteuid().as_raw();
        let is_own = folder.metadata().is_ok_and(|about| about.uid() == user);
        if is_own && folder.try_lock().is_ok() && is_at(&path, &folder) {
            // This follows no links, so it is safe even if something still writes there.
            let _ = remove_tree(&path, Some(until));
        }
    }
}

/// How the names begin of the folders that are made since this machine was started: a lock tells nothing of
/// harnesses on other machines that share the place for temporary files. `None` if the system does not tell.
fn prefix() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(format!("{SCRATCH_PREFIX}{}-", boot.get(..8)?))
}

/// Opens a folder, and nothing that a link leads to.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW;
    let flags = flags.bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Whether an open folder is still the one at this path.
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
        // A child that another test starts has a copy of the lock for a moment.
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
        match is_of_another {
            true => assert!(of_another.exists()),
            false => println!("skipped: a folder of another user needs root"),
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
