//! The shim, on both ends of its lifeline: the process above a bot, and the harness's handle of it, with
//! the maker and the pool that shims come from. It is handed the command of a bot and a program that can
//! be a shim, and gives the bot's pipes, its exit status, and a report of the cleanup.

mod handle;
pub mod shim_process;

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use handle::{ShimHandle, Streams};
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, setpgid, waitpid};
use serde::{Deserialize, Serialize};

use crate::bot::environment::passed_on;
use crate::bot::supervise::limits::raise_open_files;
use crate::bot::supervise::{MAKER, SUBCOMMAND, forget, messages, remember, spawn, sys};

/// Timeout for creating a shim, on a very busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

static MAKERS: Mutex<BTreeMap<PathBuf, Maker>> = Mutex::new(BTreeMap::new());

/// Request for a shim, sent with the shim's end of its lifeline.
#[derive(Serialize, Deserialize)]
struct MakeShim {}

/// Creates a shim: a child of this process, in its own process group, that waits for orders at the other end of its
/// lifeline, `theirs`.
///
/// After an error the lifeline must be closed, since a shim may hold it nevertheless. The next call starts another
/// maker.
fn make_shim(program: &Path, theirs: &UnixStream) -> io::Result<Pid> {
    let mut makers = MAKERS.lock().unwrap_or_else(PoisonError::into_inner);
    let maker = match makers.remove(program) {
        Some(maker) => maker,
        None => Maker::start(program)?,
    };
    let shim = match remember(|| maker.ask(theirs)) {
        Ok(shim) => shim,
        Err(error) => {
            maker.end();
            return Err(error);
        }
    };
    // A maker that cannot fork becomes the shim itself, so it is dropped here.
    if shim != Pid::from_child(&maker.process) {
        makers.insert(program.to_owned(), maker);
    }
    Ok(shim)
}

struct Maker {
    process: Child,
    requests: UnixStream,
}

impl Maker {
    fn start(program: &Path) -> io::Result<Self> {
        // Here, so that the maker and its shims have it too.
        raise_open_files();
        let (requests, theirs) = UnixStream::pair()?;
        let mut command = Command::new(program);
        command
            .args([SUBCOMMAND, MAKER])
            .env_clear()
            .envs(passed_on())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(OwnedFd::from(theirs))
            // An interrupt from the terminal must reach only the harness.
            .process_group(0);
        requests.set_read_timeout(Some(PATIENCE))?;
        Ok(Self {
            process: spawn(&mut command)?,
            requests,
        })
    }

    /// Requests a shim. Fails if the maker does not answer.
    fn ask(&self, lifeline: &UnixStream) -> io::Result<Pid> {
        // A bot may have stopped the maker.
        let _ = kill_process(Pid::from_child(&self.process), Signal::CONT);
        messages::send(&self.requests, &MakeShim {}, &[lifeline.as_fd()])?;
        let mut answer = [0; 4];
        (&self.requests).read_exact(&mut answer)?;
        Pid::from_raw(i32::from_le_bytes(answer)).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn end(mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        forget(Pid::from_child(&self.process));
    }
}

/// Creates shims until the harness is gone. Returns the lifeline in every shim, and `None` in the maker at the end. If
/// the system refuses to fork, the maker becomes a shim itself.
pub fn main(requests: UnixStream) -> io::Result<Option<UnixStream>> {
    // The maker stays dumpable, like the harness: an unprivileged user may be refused a CPU counter on forks that are
    // not.
    while let Some((MakeShim {}, [lifeline])) = messages::receive(&requests)? {
        let answer = |shim: Pid| {
            let number = shim.as_raw_nonzero().get();
            rustix::io::write(&requests, &number.to_le_bytes())
        };
        match sys::fork_for_parent() {
            Ok(Some(shim)) => answer(shim)?,
            Ok(None) => return become_shim(lifeline).map(Some),
            Err(_) => {
                answer(getpid())?;
                return become_shim(lifeline).map(Some);
            }
        };
    }
    Ok(None)
}

/// Releases the maker's process group and stderr. Other descriptors are closed by the shim.
fn become_shim(lifeline: OwnedFd) -> io::Result<UnixStream> {
    setpgid(None, None)?;
    // Stderr was the socket of requests; stdout is `/dev/null`.
    rustix::stdio::dup2_stderr(rustix::stdio::stdout())?;
    Ok(lifeline.into())
}

static IDLE: Mutex<Vec<Arc<Shim>>> = Mutex::new(Vec::new());

#[derive(Debug)]
struct Shim {
    program: PathBuf,
    pub process: Pid,
    pub lifeline: UnixStream,
}

impl Shim {
    fn idle(program: &Path) -> Option<Arc<Self>> {
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

    fn make(program: &Path) -> io::Result<Arc<Self>> {
        let (lifeline, theirs) = UnixStream::pair()?;
        let process = make_shim(program, &theirs)?;
        Ok(Arc::new(Self {
            program: program.to_owned(),
            process,
            lifeline,
        }))
    }

    /// Returns a shim to the pool. It must have reported that nothing is left of its last bot.
    fn keep(shim: &Arc<Self>) {
        idle_shims().push(Arc::clone(shim));
    }
}

pub fn end_idle_shims() {
    let idle = std::mem::take(&mut *idle_shims());
    for shim in &idle {
        // An idle shim has nothing to clean up, so SIGKILL is safe.
        let _ = kill_process(shim.process, Signal::KILL);
    }
    for shim in &idle {
        let _ = waitpid(Some(shim.process), WaitOptions::empty());
        forget(shim.process);
    }
}

fn idle_shims() -> MutexGuard<'static, Vec<Arc<Shim>>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}
