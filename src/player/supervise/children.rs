//! The children of the harness: bots, shims, and orphans of shims that were killed.

use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid,
};

use crate::player::machine::process_tree;

/// How long killing orphans may take.
const PATIENCE: Duration = Duration::from_secs(8);

/// The children of this process that were started as bots or shims and not waited for yet. Locked
/// while one is started, so that it is never taken for an orphan before it is in here.
static CHILDREN: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Whether orphans of dead shims become children of this process.
static ADOPTS: AtomicBool = AtomicBool::new(false);

/// From now on, the descendants of a bot that killed its own shim become children of this process,
/// which then finds and kills them. Only for a program that has no other children than bots: any
/// child that it did not start as one is taken for such an orphan.
///
/// # Errors
///
/// The system does not support this.
pub fn adopt_orphans() -> io::Result<()> {
    set_child_subreaper(Some(getpid()))?;
    ADOPTS.store(true, Ordering::Relaxed);
    Ok(())
}

fn children() -> MutexGuard<'static, Vec<Pid>> {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a child and remembers it.
pub(in crate::player) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut children = children();
    let child = command.spawn()?;
    children.push(Pid::from_child(&child));
    Ok(child)
}

/// Remembers a child that `start` has another process start.
pub(super) fn remember(start: impl FnOnce() -> io::Result<Pid>) -> io::Result<Pid> {
    let mut children = children();
    let child = start()?;
    children.push(child);
    Ok(child)
}

/// Forgets a child that has been waited for.
pub(in crate::player) fn forget(child: Pid) {
    children().retain(|known| *known != child);
}

/// Kills the orphans that became children of this process.
pub(super) fn kill_orphans() {
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
