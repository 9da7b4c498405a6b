//! Remounts all file systems read-only for a build, except the folders that it may write to. Landlock does not
//! restrict changes of a file's mode, timestamps or attributes.

use std::fs;
use std::io;
use std::path::Path;

use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use rustix::process::{DumpableBehavior, chdir, getgid, getuid, set_dumpable_behavior};

use crate::bot::supervise::sys::{set_read_only, set_writable};

/// Makes everything but these folders read-only for this process, and changes to `working_directory`. Does nothing if
/// the system permits no namespaces.
pub(super) fn all_but(writable: &[&Path], working_directory: &Path) -> io::Result<()> {
    if own_mounts().is_err() {
        return Ok(());
    }
    for folder in writable {
        // A bind mount of its own, so that its flags can be set separately.
        let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
        mount(Some(*folder), *folder, NONE, flags, NONE)?;
    }
    set_read_only(Path::new("/"))?;
    for folder in writable {
        set_writable(folder)?;
    }
    // The old working directory is on the mount below the new one.
    Ok(chdir(working_directory)?)
}

const NONE: Option<&str> = None;

/// Enters a new mount namespace. Without root, that needs a new user namespace.
fn own_mounts() -> io::Result<()> {
    if unshare(CloneFlags::CLONE_NEWNS).is_err() {
        let (user, group) = (getuid().as_raw(), getgid().as_raw());
        unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS)?;
        // The kernel gives these files of a process that is not dumpable to root.
        set_dumpable_behavior(DumpableBehavior::Dumpable)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    // Private, so that the new mounts do not propagate to the namespace outside.
    mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE)?;
    Ok(())
}
