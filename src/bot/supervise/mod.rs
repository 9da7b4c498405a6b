//! Supervision: a bot runs below a small process of its own, the *shim*.
//!
//! ```text
//! harness ── lifeline (a socket) ── shim ── bot ── whatever the bot starts
//!    └──────── stdin, stdout, stderr ────────┘
//! ```
//!
//! Shims are forks of one process, the *maker*, which is this program run again as `referee __supervise`: see
//! `shim/maker.rs`. A shim that has cleaned up after one bot serves another: see `shim/pool.rs`.
//!
//! The bot's three pipes run straight to the harness, so the shim adds no cost to a ply. The shim adopts every orphan
//! below it (it is a child sub-reaper), so no descendant can leave its tree by a double fork or by a session of its
//! own. When the bot ends, or the lifeline does because the harness closed it or died, the shim kills until it has no
//! child left, and reports.
//!
//! In the tier `strict` the bot lives in a sandbox, with two more processes between the shim and the bot: see
//! `sandbox/`.

mod bot_command;
mod children;
mod limits;
mod messages;
mod sandbox;
mod scratch;
mod shim;
mod sys;

use std::ffi::OsString;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

pub(super) use bot_command::{BotCommand, BotSurroundings};
pub use children::adopt_orphans;
pub(super) use children::{forget, spawn};
use limits::landlock_rules;
pub use limits::{Confinement, ControlGroups, IsolationError, OffTurn, Tier, signals_can_be_kept};
pub(super) use messages::StartError;
pub use messages::{Cleanup, ProcessEnd};
use rustix::io::fcntl_dupfd_cloexec;
pub use scratch::{SCRATCH_PREFIX, make_temporary_folder};
pub use shim::end_idle_shims;
pub(super) use shim::{ShimHandle, Streams};

/// Runs the maker of shims, or PID 1 of a bot's sandbox. Only the harness and a shim call this.
///
/// # Errors
///
/// The caller is neither, or the machine failed.
pub fn main(mut args: impl Iterator<Item = OsString>) -> io::Result<()> {
    let stderr = rustix::stdio::stderr();
    rustix::net::sockopt::socket_domain(stderr).map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidInput, "this is no command for people")
    })?;
    // A copy, so that redirecting stderr does not close the socket.
    let socket: UnixStream = fcntl_dupfd_cloexec(stderr, 3)?.into();
    if args.next().is_none_or(|word| word != MAKER) {
        return sandbox::main(socket);
    }
    match shim::main(socket)? {
        Some(lifeline) => shim::shim_process::main(lifeline),
        None => Ok(()),
    }
}

/// The program that can run as a shim: `referee` itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Supervisor {
    /// Path of its executable.
    pub program: PathBuf,
}

/// First argument that makes this program a supervisor. Its stderr is then a socket to its parent.
pub const SUBCOMMAND: &str = "__supervise";

/// Second argument that makes it the maker of shims.
pub const MAKER: &str = "maker";

impl Confinement {
    /// Tries whether all of it holds on this machine for bots that need `paths`: their folders and
    /// programs.
    ///
    /// # Errors
    ///
    /// The tier does not hold here; the error says why, and what would help.
    pub fn probe(&self, paths: &[PathBuf]) -> Result<(), IsolationError> {
        match self.isolation {
            Tier::Containment => Ok(()),
            Tier::Landlock => landlock_rules::probe().and_then(|()| scratch::probe()),
            Tier::Strict => sandbox::probe(self.scratch, paths),
        }
    }
}
