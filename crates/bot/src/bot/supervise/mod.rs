//! Supervision: a bot runs below a small process of its own, the *shim*.
//!
//! ```text
//! harness ── lifeline (a socket) ── shim ── bot ── whatever the bot starts
//!    └──────── stdin, stdout, stderr ────────┘
//! ```
//!
//! Shims are forks of one process, the *maker*, which is this program run again as `referee __supervise`. A shim that
//! has cleaned up after one bot serves another.
//!
//! The bot's three pipes run straight to the harness, so the shim adds no cost to a ply. The shim adopts every orphan
//! below it (it is a child sub-reaper), so no descendant can leave its tree by a double fork or by a session of its
//! own. When the bot ends, or the lifeline does because the harness closed it or died, the shim kills until it has no
//! child left, and reports.
//!
//! In the tier `strict` the bot lives in a sandbox, with two more processes between the shim and the bot.

mod bot_command;
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
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(super) use bot_command::{BotCommand, BotSurroundings};
use limits::landlock_rules;
pub use limits::{Confinement, ControlGroups, IsolationError, OffTurn, Tier, signals_can_be_kept};
pub(super) use messages::StartError;
pub use messages::{Cleanup, ProcessEnd};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid,
};
pub use scratch::{SCRATCH_PREFIX, make_temporary_folder};
pub use shim::end_idle_shims;
pub(super) use shim::{ShimHandle, Streams};

use crate::bot::machine::process_tree;

/// Runs the maker of shims, or PID 1 of a bot's sandbox. Only the harness and a shim call this.
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

const PATIENCE: Duration = Duration::from_secs(8);

/// Children started as bots or shims and not reaped yet. Locked while one is started, so that it is never taken for an
/// orphan before it is listed.
static CHILDREN: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Whether orphans of dead shims become children of this process.
static ADOPTS: AtomicBool = AtomicBool::new(false);

/// Makes this process adopt the descendants of a bot that killed its own shim, so that it finds and kills them. Only
/// for a program without other children: any child not started as a bot or shim is taken for such an orphan.
pub fn adopt_orphans() -> io::Result<()> {
    set_child_subreaper(Some(getpid()))?;
    ADOPTS.store(true, Ordering::Relaxed);
    Ok(())
}

fn children() -> MutexGuard<'static, Vec<Pid>> {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut children = children();
    let child = command.spawn()?;
    children.push(Pid::from_child(&child));
    Ok(child)
}

/// Lists a child that `start` has another process start.
fn remember(start: impl FnOnce() -> io::Result<Pid>) -> io::Result<Pid> {
    let mut children = children();
    let child = start()?;
    children.push(child);
    Ok(child)
}

pub(super) fn forget(child: Pid) {
    children().retain(|known| *known != child);
}

fn kill_orphans() {
    if !ADOPTS.load(Ordering::Relaxed) {
        return;
    }
    let children = children();
    let until = Instant::now() + PATIENCE;
    loop {
        let orphans: Vec<Pid> = process_tree::children(getpid())
            .into_iter()
            .filter(|child| !children.contains(child))
            .collect();
        if orphans.is_empty() || Instant::now() >= until {
            return;
        }
        for orphan in orphans {
            process_tree::kill_below(orphan, Duration::from_millis(100), || {
                process_tree::descendants(orphan).is_empty()
            });
            let _ = kill_process(orphan, Signal::KILL);
            let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}
