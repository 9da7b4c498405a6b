//! Reads and removes folders filled by a bot or its build, whatever is in them.
//!
//! The author may have removed the owner's permissions, or nested folders so deeply that no path reaches the end.
//! Links are never followed.

use std::ffi::CStr;
use std::fs::{self, Permissions};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

#[derive(Debug, Clone, Copy)]
pub struct TreeBounds {
    pub entries: usize,
    pub bytes: u64,
    pub depth: usize,
    /// Maximum bytes of a path, below the folder.
    pub path: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum TreeProblem {
    #[error("{0}")]
    Beyond(String),
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// Grants the owner read, write and search permission on everything below a folder, so that it can be copied.
pub fn open_to_owner(root: &Path, bounds: TreeBounds) -> Result<(), TreeProblem> {
    let (mut seen, mut bytes) = (0, 0_u64);
    let beyond = |problem| Err(TreeProblem::Beyond(problem));
    let many = format!("it holds more than {} files and folders", bounds.entries);
    let mut left = vec![(root.to_owned(), 0)];
    while let Some((path, depth)) = left.pop() {
        let failed = |source| TreeProblem::Io {
            path: path.clone(),
            source,
        };
        seen += 1;
        if seen + left.len() > bounds.entries {
            return beyond(many);
        }
        if path.as_os_str().len() > root.as_os_str().len() + 1 + bounds.path {
            return beyond(format!("a path in it has more than {} bytes", bounds.path));
        }
        let about = fs::symlink_metadata(&path).map_err(failed)?;
        let wanted = match about.file_type() {
            kind if kind.is_dir() => 0o700,
            kind if kind.is_file() => 0o600,
            _ => continue,
        };
        let mode = about.permissions().mode();
        if mode & wanted != wanted {
            fs::set_permissions(&path, Permissions::from_mode(mode | wanted)).map_err(failed)?;
        }
        if !about.is_dir() {
            bytes = bytes.saturating_add(about.len());
            if bytes > bounds.bytes {
                return beyond(format!("it holds more than {} MiB", bounds.bytes >> 20));
            }
            continue;
        }
        if depth > bounds.depth {
            return beyond(format!("folders lie more than {} deep in it", bounds.depth));
        }
        for entry in fs::read_dir(&path).map_err(failed)? {
            left.push((entry.map_err(failed)?.path(), depth + 1));
            // Checked at each entry, since a single folder can exceed the bound.
            if seen + left.len() > bounds.entries {
                return beyond(many);
            }
        }
    }
    Ok(())
}

/// Removes a folder with its contents, if it exists. `fs::remove_dir_all` holds a descriptor and a stack frame per
/// level, which a deep tree exhausts.
pub fn remove_tree(path: &Path, until: Option<Instant>) -> io::Result<()> {
    let top = match open_folder(CWD, path) {
        Err(Errno::NOENT) => return Ok(()),
        Err(Errno::NOTDIR | Errno::LOOP) => return fs::remove_file(path),
        opened => opened?,
    };
    let mut moved = 0;
    // Readdir may or may not return folders moved up meanwhile, so it repeats until it finds none.
    while remove_entries(&top, &top, until, &mut moved)? > 0 {}
    fs::remove_dir(path)
}

/// Removes the entries of `within`. A folder in `top` is emptied and removed; a deeper one is moved up to `top` first,
/// which bounds the recursion. Returns the number of entries found.
fn remove_entries(
    within: &OwnedFd,
    top: &OwnedFd,
    until: Option<Instant>,
    moved: &mut u64,
) -> io::Result<u64> {
    let is_top = within.as_raw_fd() == top.as_raw_fd();
    let mut count = 0;
    for entry in Dir::read_from(within)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        if until.is_some_and(|until| Instant::now() > until) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        count += 1;
        let refused = match unlinkat(within, name, AtFlags::empty()) {
            Ok(()) => continue,
            // On a folder, Linux returns EISDIR, and POSIX specifies EPERM.
            Err(refused @ (Errno::ISDIR | Errno::PERM)) => refused,
            Err(refused) => return Err(refused.into()),
        };
        let folder = open_folder(within.as_fd(), name).map_err(|error| match error {
            Errno::NOTDIR => refused,
            error => error,
        })?;
        if is_top {
            remove_entries(&folder, top, until, moved)?;
            unlinkat(within, name, AtFlags::REMOVEDIR)?;
        } else {
            move_up(within, name, top, moved)?;
        }
    }
    Ok(count)
}

/// Moves a folder to the top under a new name. The author may have used any name, so taken ones are skipped.
fn move_up(from: &OwnedFd, name: &CStr, top: &OwnedFd, moved: &mut u64) -> io::Result<()> {
    loop {
        *moved += 1;
        let new = format!("moved-{moved}");
        if matches!(
            statat(top, &*new, AtFlags::SYMLINK_NOFOLLOW),
            Err(Errno::NOENT)
        ) {
            return Ok(renameat(from, name, top, &*new)?);
        }
    }
}

/// Opens a folder without following links, and grants its owner all permissions: moving a folder needs write
/// permission on it, too.
fn open_folder<P: rustix::path::Arg + Copy>(
    within: BorrowedFd<'_>,
    path: P,
) -> Result<OwnedFd, Errno> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let place = openat(within, path, flags | OFlags::PATH, Mode::empty())?;
    // `fchmod` refuses an `O_PATH` descriptor. Its path in `/proc/self/fd` leads to the folder itself, so no further
    // link is followed.
    let own = format!("/proc/self/fd/{}", place.as_raw_fd());
    let about = rustix::fs::fstat(&place)?;
    if about.st_mode & 0o700 != 0o700 {
        rustix::fs::chmod(&*own, Mode::RWXU)?;
    }
    openat(&place, c".", flags, Mode::empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folders nested deeper than paths, descriptors and the stack allow.
    fn make_deep(place: &Path, depth: usize) {
        let inner = place.join("inner");
        for _ in 0..depth {
            let next = place.join("next");
            fs::create_dir(&next).expect("made");
            if inner.exists() {
                fs::rename(&inner, next.join("inner")).expect("moved");
            }
            fs::rename(&next, &inner).expect("moved");
        }
    }

    #[test]
    fn a_folder_that_is_hard_to_remove_is_removed() {
        let outer = tempfile::tempdir().expect("a folder");
        let path = outer.path().join("top");
        let beside = outer.path().join("beside");
        fs::create_dir_all(beside.join("kept")).expect("made");
        fs::create_dir(&path).expect("made");
        make_deep(&path, 2_000);
        std::os::unix::fs::symlink(&beside, path.join("link")).expect("made");
        let closed = path.join("closed");
        fs::create_dir_all(closed.join("within/moved-1")).expect("made");
        fs::write(closed.join("file"), "text").expect("written");
        for folder in ["closed/within/moved-1", "closed/within", "closed", ""] {
            fs::set_permissions(path.join(folder), Permissions::from_mode(0o000)).expect("set");
        }
        remove_tree(&path, None).expect("removed");
        assert!(!path.exists() && beside.join("kept").exists());
        remove_tree(&path, None).expect("it is not there");
    }

    #[test]
    fn a_tree_is_opened_to_its_owner_within_its_bounds() {
        let outer = tempfile::tempdir().expect("a folder");
        let path = outer.path().join("top");
        let bounds = TreeBounds {
            entries: 20,
            bytes: 1 << 20,
            depth: 5,
            path: 40,
        };
        fs::create_dir_all(path.join("a/b")).expect("made");
        fs::write(path.join("a/b/run"), "text").expect("written");
        std::os::unix::fs::symlink("/", path.join("link")).expect("made");
        let mode = |name: &str| {
            path.join(name)
                .metadata()
                .expect("there")
                .permissions()
                .mode()
                & 0o777
        };
        let close = |name: &str, mode| {
            fs::set_permissions(path.join(name), Permissions::from_mode(mode)).expect("set");
        };
        close("a/b/run", 0o111);
        close("a/b", 0o000);
        close("a", 0o500);
        open_to_owner(&path, bounds).expect("opened");
        assert_eq!(["a", "a/b", "a/b/run"].map(mode), [0o700, 0o700, 0o711]);
        let large = fs::File::create(path.join("a/large")).expect("made");
        large.set_len(2 << 20).expect("set");
        let refused = || {
            open_to_owner(&path, bounds)
                .expect_err("a bound")
                .to_string()
        };
        assert_eq!(refused(), "it holds more than 1 MiB");
        fs::remove_file(path.join("a/large")).expect("removed");
        for file in 0..20 {
            fs::write(path.join(file.to_string()), "").expect("written");
        }
        assert_eq!(refused(), "it holds more than 20 files and folders");
    }
}
