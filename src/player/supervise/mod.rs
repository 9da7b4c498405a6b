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
use std::path::PathBuf;

mod bubblewrap;
mod cgroup;
mod confinement;
mod landlock_rules;
mod messages;
mod restrictions;
mod sandbox;
mod sandbox_init;
mod shim;
mod shim_command;
mod shim_handle;
mod sys;
mod syscall_filter;
pub(super) mod tree;

pub use confinement::{Confinement, IsolationError, OffTurn, Tier};
pub use messages::{Cleanup, ProcessEnd};
pub use restrictions::signals_can_be_kept;
pub(super) use shim_command::BotCommand;
use shim_command::ShimCommand;
pub use shim_handle::adopt_orphans;
pub(super) use shim_handle::{ShimHandle, StartedBot, forget, spawn};

/// The first argument by which the program knows that it is to be a supervisor. One more follows:
/// what exactly it is to do, as JSON.
pub const SUBCOMMAND: &str = "__supervise";

/// Is a shim, or the first process in a bot's sandbox. Only the harness and a shim call this.
///
/// # Errors
///
/// The arguments are not from a harness or a shim, or the machine failed.
pub fn main(args: impl Iterator<Item = OsString>) -> io::Result<()> {
    match ShimCommand::parse(args)? {
        ShimCommand::Supervise {
            lifeline,
            cgroup,
            bot,
        } => shim::main(lifeline, &cgroup, bot),
        ShimCommand::StartInSandbox { streams, bot } => sandbox_init::main(streams, bot),
    }
}

/// The program that can be a shim: `referee` itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Supervisor {
    /// Its file.
    pub program: PathBuf,
}

impl Supervisor {
    /// The program that runs now. Right only in `referee`: a test or another program that uses the
    /// library cannot be a shim.
    ///
    /// # Errors
    ///
    /// The system does not tell which program this is.
    pub fn this_program() -> io::Result<Self> {
        Ok(Self {
            program: std::env::current_exe()?,
        })
    }
}
