//! A build sees every file system read-only, but for the folders that it may write to. Landlock does not
//! restrict who changes the mode, the times or the attributes of a file.

use std::fs;
use std::io;
use std::path::Path;

use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use rustix::process::{DumpableBehavior, chdir, getgid, getuid, set_dumpable_behavior};

use crate::player::supervise::sys::{set_read_only, set_writable};

/// Makes all but these folders read-only to this process, and goes on in `working_directory`. Does nothing
/// where the system permits no namespaces.
pub(super) fn all_but(writable: &[&Path], working_directory: &Path) -> io::Result<()> {
    if own_mounts().is_err() {
        return Ok(());
    }
    for folder in writable {
        // A mount of its own, which can be told from the rest.
        let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
        mount(Some(*folder), *folder, NONE, flags, NONE)?;
    }
    set_read_only(Path::new("/"))?;
    for folder in writable {
        set_writable(folder)?;
    }
    // The one that it was in is below the new mount.
    Ok(chdir(working_directory)?)
}

const NONE: Option<&str> = None;

/// Gives this process mounts of its own. Whoever is not root needs a user namespace for that.
fn own_mounts() -> io::Result<()> {
    if unshare(CloneFlags::CLONE_NEWNS).is_err() {
        let (user, group) = (getuid().as_raw(), getgid().as_raw());
        unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS)?;
        // Only root may write to these files of a process that others may not look into.
        set_dumpable_behavior(DumpableBehavior::Dumpable)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE)?;
    Ok(())
}
