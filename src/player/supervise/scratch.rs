//! The folder that a bot may write to, in the tier `landlock`.

use std::fs::{self, DirBuilder, DirEntry, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::Pid;

/// How long removing a folder may take that was made hard to remove.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where the bot below the shim `shim` may write.
pub(super) fn folder(shim: Pid) -> PathBuf {
    std::env::temp_dir().join(format!("referee-bot-{}", shim.as_raw_nonzero()))
}

/// Makes a folder that only its owner can look into, in place of one that a killed shim left.
pub(super) fn make(path: &Path) -> io::Result<()> {
    remove(path);
    DirBuilder::new().mode(0o700).create(path)
}

/// Removes the folder with all that is in it. No process may write to it any more.
pub(super) fn remove(path: &Path) {
    // This is fast, and gives up at folders that nobody may enter or that are nested too deeply.
    if fs::remove_dir_all(path).is_ok() {
        return;
    }
    let until = Instant::now() + PATIENCE;
    let mut moved = 0_u64;
    while let Some(Ok(entry)) = fs::read_dir(path).ok().and_then(|mut all| all.next()) {
        if Instant::now() > until || remove_entry(path, &entry, &mut moved).is_err() {
            return;
        }
    }
    let _ = fs::remove_dir(path);
}

/// Removes a file, or a folder, of which the contents are moved to the folder `top` first.
fn remove_entry(top: &Path, entry: &DirEntry, moved: &mut u64) -> io::Result<()> {
    let path = entry.path();
    if !entry.file_type()?.is_dir() {
        return fs::remove_file(path);
    }
    open_to_owner(&path)?;
    for inner in fs::read_dir(&path)? {
        let inner = inner?;
        if inner.file_type()?.is_dir() {
            // To be moved, a folder itself must be writable.
            open_to_owner(&inner.path())?;
        }
        // The bot may have taken any name.
        loop {
            *moved += 1;
            let place = top.join(format!("moved-{moved}"));
            if !place.exists() {
                break fs::rename(inner.path(), place)?;
            }
        }
    }
    fs::remove_dir(path)
}

fn open_to_owner(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o700))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_hard_to_remove_is_removed() {
        let outer = tempfile::tempdir().expect("a folder");
        let path = outer.path().join("scratch");
        make(&path).expect("made");
        // Deeper than the standard library has descriptors for, by paths that are short enough.
        let inner = path.join("inner");
        for _ in 0..1200 {
            let next = path.join("next");
            fs::create_dir(&next).expect("made");
            if inner.exists() {
                fs::rename(&inner, next.join("inner")).expect("moved");
            }
            fs::rename(&next, &inner).expect("moved");
        }
        let closed = path.join("closed");
        fs::create_dir_all(closed.join("within/moved-1")).expect("made");
        fs::write(closed.join("file"), "text").expect("written");
        for folder in ["closed/within/moved-1", "closed/within", "closed"] {
            fs::set_permissions(path.join(folder), Permissions::from_mode(0o000)).expect("set");
        }
        remove(&path);
        assert!(!path.exists());
        make(&path).expect("made again");
    }
}
