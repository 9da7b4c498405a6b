//! A pool of idle shims, which have cleaned up after their bots.
//!
//! Creating and ending a shim takes longer than all its work for a bot in a short game.

use std::io;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use super::maker::make_shim;
use crate::bot::supervise::children::forget;

/// Idle shims of all programs.
static IDLE: Mutex<Vec<Arc<Shim>>> = Mutex::new(Vec::new());

/// A shim that has not been ended.
#[derive(Debug)]
pub(super) struct Shim {
    program: PathBuf,
    pub process: Pid,
    pub lifeline: UnixStream,
}

impl Shim {
    /// Takes an idle shim that is alive, if there is one.
    pub(super) fn idle(program: &Path) -> Option<Arc<Self>> {
        loop {
            let shim = {
                let mut idle = idle_shims();
                let last = idle.iter().rposition(|shim| shim.program == program)?;
                idle.swap_remove(last)
            };
            // A bot of the same user may have stopped or killed it.
            let _ = kill_process(shim.process, Signal::CONT);
            match waitpid(Some(shim.process), WaitOptions::NOHANG) {
                Ok(None) => return Some(shim),
                Ok(Some(_)) | Err(_) => forget(shim.process),
            }
        }
    }

    /// Creates a shim.
    pub(super) fn make(program: &Path) -> io::Result<Arc<Self>> {
        let (lifeline, theirs) = UnixStream::pair()?;
        let process = make_shim(program, &theirs)?;
        Ok(Arc::new(Self {
            program: program.to_owned(),
            process,
            lifeline,
        }))
    }

    /// Returns a shim to the pool. It must have reported that nothing is left of its last bot.
    pub(super) fn keep(shim: &Arc<Self>) {
        idle_shims().push(Arc::clone(shim));
    }
}

/// Ends all idle shims. Later bots get new ones.
pub fn end_idle_shims() {
    let idle = std::mem::take(&mut *idle_shims());
    for shim in &idle {
        // An idle shim has nothing to clean up, so SIGKILL is safe.
        let _ = kill_process(shim.process, Signal::KILL);
    }
    for shim in &idle {
        // Reaps the killed process, so that it leaves no zombie.
        let _ = waitpid(Some(shim.process), WaitOptions::empty());
        forget(shim.process);
    }
}

fn idle_shims() -> MutexGuard<'static, Vec<Arc<Shim>>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}
