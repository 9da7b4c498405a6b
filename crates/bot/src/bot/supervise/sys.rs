//! All unsafe code of this crate.
#![expect(
    unsafe_code,
    reason = "a process forks, acts between fork and exec, and sets signals and mounts"
)]

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rustix::process::Pid;

/// Flag of `clone3` that creates a child in a control group. The constant in `libc` has too few bits.
const CLONE_INTO_CGROUP: u64 = 1 << 33;

/// Forks a child. Returns `None` in it.
pub(super) fn fork() -> io::Result<Option<Pid>> {
    fork_with(0)
}

/// Forks a child whose parent is this process's parent. Returns `None` in the child.
pub(super) fn fork_for_parent() -> io::Result<Option<Pid>> {
    fork_with(libc::CLONE_PARENT)
}

/// Forks a child into the control group of a folder in the unified hierarchy. Returns `None` in the child.
pub(super) fn fork_into(folder: BorrowedFd<'_>) -> io::Result<Option<Pid>> {
    /// `struct clone_args`, up to the field that is needed here.
    #[repr(C)]
    #[derive(Default)]
    struct Arguments {
        flags: u64,
        pidfd: u64,
        child_tid: u64,
        parent_tid: u64,
        exit_signal: u64,
        stack: u64,
        stack_size: u64,
        tls: u64,
        set_tid: u64,
        set_tid_size: u64,
        cgroup: u64,
    }
    let arguments = Arguments {
        flags: CLONE_INTO_CGROUP,
        exit_signal: libc::SIGCHLD as u64,
        cgroup: folder.as_raw_fd() as u64,
        ..Arguments::default()
    };
    // SAFETY: as in `fork_with`. The call reads as many bytes of the arguments as they have, and writes to no memory,
    // since no flag asks for it.
    let child = unsafe {
        libc::syscall(
            libc::SYS_clone3,
            std::ptr::from_ref(&arguments),
            size_of::<Arguments>(),
        )
    };
    forked(child)
}

fn fork_with(flags: libc::c_int) -> io::Result<Option<Pid>> {
    // SAFETY: without a stack of its own and with none of the flags that share memory, the child is a copy, like a
    // child of `fork`. Only the maker of shims and shims call this. They have one thread, so no lock in the copy is
    // held by a thread that does not exist there.
    let child = unsafe {
        let flags = flags | libc::SIGCHLD;
        libc::syscall(libc::SYS_clone, flags as libc::c_ulong, 0, 0, 0, 0)
    };
    forked(child)
}

fn forked(child: libc::c_long) -> io::Result<Option<Pid>> {
    match child {
        0 => Ok(None),
        child => match i32::try_from(child).ok().filter(|child| *child > 0) {
            Some(child) => Ok(Pid::from_raw(child)),
            None => Err(io::Error::last_os_error()),
        },
    }
}

pub(super) fn between_fork_and_exec(
    command: &mut Command,
    steps: impl FnMut() -> io::Result<()> + Send + Sync + 'static,
) {
    // SAFETY: only a shim and a sandbox's PID 1 call this, and they have one thread. So the child is a complete copy,
    // and no lock in it is held by a thread that does not exist there. It may do anything a process may, including
    // allocation and file access.
    unsafe {
        command.pre_exec(steps);
    }
}

/// Resets every signal to its default action. The parent of the harness may have ignored some, and ignored signals
/// stay ignored across `execve`.
pub(super) fn reset_signals() {
    const LAST: libc::c_int = 64;
    for signal in 1..=LAST {
        // SAFETY: the default action is no function of this program. For signals that cannot be set, the call fails
        // and changes nothing.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
        }
    }
}

pub(super) fn set_read_only(mount_point: &Path) -> io::Result<()> {
    set_mount_attributes(
        mount_point,
        libc::AT_RECURSIVE,
        [libc::MOUNT_ATTR_RDONLY, 0],
    )
}

/// Makes a mount writable, not recursively.
pub(super) fn set_writable(mount_point: &Path) -> io::Result<()> {
    set_mount_attributes(mount_point, 0, [0, libc::MOUNT_ATTR_RDONLY])
}

fn set_mount_attributes(
    mount_point: &Path,
    flags: libc::c_int,
    [attr_set, attr_clr]: [u64; 2],
) -> io::Result<()> {
    let attributes = libc::mount_attr {
        attr_set,
        attr_clr,
        propagation: 0,
        userns_fd: 0,
    };
    let path = CString::new(mount_point.as_os_str().as_bytes())?;
    // SAFETY: the call reads the path up to its NUL, and as many bytes of the attributes as they have. Both live until
    // it returns. It writes to no memory.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            std::ptr::from_ref(&attributes),
            size_of::<libc::mount_attr>(),
        )
    };
    match result {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
