//! Supervision: a bot runs below a small process of its own, the *shim*, which is this program run
//! again as `referee __supervise …`.
//!
//! ```text
//! harness ── lifeline (a socket) ── shim ── bot ── whatever the bot starts
//!    └──────── stdin, stdout, stderr ────────┘
//! ```
//!
//! The bot's three pipes run straight to the harness, so a ply costs what it costs without a shim.
//! The shim adopts every orphan below it (it is a child sub-reaper), so no descendant can leave its
//! tree by forking twice or by a session of its own. When the bot ends, or the lifeline does because
//! the harness closed it or died, the shim kills until it has no child left, reports, and exits.
//!
//! In the tier `strict` the bot lives in a sandbox, and two more processes stand between it and the
//! shim: see `sandbox.rs`.

use std::ffi::OsString;
use std::io;
use std::os::fd::RawFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use rustix::io::{FdFlags, fcntl_dupfd_cloexec, fcntl_setfd};

mod bubblewrap;
mod cgroup;
mod confinement;
mod landlock_rules;
mod messages;
mod read_only;
mod restrictions;
mod sandbox;
mod sandbox_init;
mod scratch;
mod shim;
mod shim_command;
mod shim_handle;
mod sys;
mod syscall_filter;
pub(super) mod tree;
mod virtual_env;

pub use confinement::{Confinement, IsolationError, OffTurn, Tier};
pub use messages::{Cleanup, ProcessEnd};
pub use restrictions::signals_can_be_kept;
pub(super) use shim_command::BotCommand;
use shim_command::ShimCommand;
pub use shim_handle::adopt_orphans;
pub(super) use shim_handle::{ShimHandle, StartedBot, forget, spawn};

/// The first argument by which the program knows that it is to be a supervisor. One more follows:
/// the number of the socket over which it is told what exactly it is to do.
pub const SUBCOMMAND: &str = "__supervise";

/// Is a shim, or the first process in a bot's sandbox. Only the harness and a shim call this.
///
/// # Errors
///
/// The arguments are not from a harness or a shim, or the machine failed.
pub fn main(mut args: impl Iterator<Item = OsString>) -> io::Result<()> {
    let number = args.next().and_then(|arg| arg.to_str()?.parse().ok());
    let socket = number.map(take_socket).transpose()?.ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, "this is no command for people")
    })?;
    match ShimCommand::receive(&socket)? {
        ShimCommand::Supervise { cgroup, bot } => shim::main(socket, &cgroup, bot),
        ShimCommand::StartInSandbox { streams, bot } => sandbox_init::main(socket, streams, bot),
    }
}

/// Takes over the inherited socket of that number, so that no bot inherits it in turn.
fn take_socket(number: RawFd) -> io::Result<UnixStream> {
    // In a sandbox the socket is the standard error, which is not to be closed.
    let socket = match number {
        libc::STDERR_FILENO => fcntl_dupfd_cloexec(rustix::stdio::stderr(), 3)?,
        _ => sys::take_over(number)?,
    };
    fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
    Ok(socket.into())
}

/// The program that can be a shim: `referee` itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Supervisor {
    /// Its file.
    pub program: PathBuf,
}
