//! Child processes of the harness: bots, shims, and orphans of killed shims.

use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid,
};

use crate::bot::machine::process_tree;

/// Timeout for killing orphans.
const PATIENCE: Duration = Duration::from_secs(8);

/// Children started as bots or shims and not reaped yet. Locked while one is started, so that it is never taken for an
/// orphan before it is listed.
static CHILDREN: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Whether orphans of dead shims become children of this process.
static ADOPTS: AtomicBool = AtomicBool::new(false);

/// Makes this process adopt the descendants of a bot that killed its own shim, so that it finds and kills them. Only
/// for a program without other children: any child not started as a bot or shim is taken for such an orphan.
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

/// Starts a child and lists it.
pub(in crate::bot) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut children = children();
    let child = command.spawn()?;
    children.push(Pid::from_child(&child));
    Ok(child)
}

/// Lists a child that `start` has another process start.
pub(super) fn remember(start: impl FnOnce() -> io::Result<Pid>) -> io::Result<Pid> {
    let mut children = children();
    let child = start()?;
    children.push(child);
    Ok(child)
}

/// Removes a reaped child from the list.
pub(in crate::bot) fn forget(child: Pid) {
    children().retain(|known| *known != child);
}

/// Kills orphans adopted by this process.
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
