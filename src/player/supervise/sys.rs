//! The unsafe code of this crate, all of it.
#![expect(
    unsafe_code,
    reason = "the shim is handed a descriptor by number and acts between fork and exec"
)]

use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Takes over the open descriptor of that number.
pub(super) fn take_over(fd: RawFd) -> io::Result<OwnedFd> {
    if fd <= 2
        || Path::new(&format!("/proc/self/fd/{fd}"))
            .symlink_metadata()
            .is_err()
    {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    // SAFETY: the descriptor is open, as was just checked. The parent made it only for this. It is
    // taken over once, at the start, when nothing else in this process owns a descriptor.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Has `steps` run in the child of `command`, between fork and exec.
pub(super) fn between_fork_and_exec(
    command: &mut Command,
    steps: impl FnMut() -> io::Result<()> + Send + Sync + 'static,
) {
    // SAFETY: only a shim and a sandbox's first process call this, and they have one thread. So the
    // child of the fork is a complete copy, in which no lock is held by a thread that does not exist
    // there. It may do what any process may, also allocate and use files.
    unsafe {
        command.pre_exec(steps);
    }
}
