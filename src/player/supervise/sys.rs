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
    // SAFETY: the descriptor is open, as was just seen. Whoever started this process made it for this
    // alone. It is taken over once, at the start, when nothing else in here owns a descriptor.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Has `steps` run in the child of `command`, between fork and exec.
pub(super) fn between_fork_and_exec(
    command: &mut Command,
    steps: impl FnMut() -> io::Result<()> + Send + Sync + 'static,
) {
    // SAFETY: only the shim calls this, and it has one thread, so the child of its fork is a whole
    // copy of it in which no lock is held by a thread that is not there: it may do what any
    // process may, memory and files included.
    unsafe {
        command.pre_exec(steps);
    }
}
