//! The maker of shims: this program, started once, which forks a shim on request.
//!
//! A new process has to load the program; a fork has it loaded already. The harness has threads, so a fork of it could
//! not even allocate memory. The maker has one thread, and holds nothing but its socket.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, getpid, kill_process, setpgid};
use serde::{Deserialize, Serialize};

use crate::bot::environment::passed_on;
use crate::bot::supervise::children::{forget, remember, spawn};
use crate::bot::supervise::supervisor::{MAKER, SUBCOMMAND};
use crate::bot::supervise::{fd_passing, sys};

/// Timeout for creating a shim, on a very busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Running makers, by program.
static MAKERS: Mutex<BTreeMap<PathBuf, Maker>> = Mutex::new(BTreeMap::new());

/// Request for a shim, sent with the shim's end of its lifeline.
#[derive(Serialize, Deserialize)]
struct MakeShim {}

/// Creates a shim: a child of this process, in its own process group, that waits for orders at the other end of its
/// lifeline, `theirs`.
///
/// After an error the lifeline must be closed, since a shim may hold it nevertheless. The next call starts another
/// maker.
pub(super) fn make_shim(program: &Path, theirs: &UnixStream) -> io::Result<Pid> {
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

/// The harness's handle of a maker.
struct Maker {
    process: Child,
    requests: UnixStream,
}

impl Maker {
    fn start(program: &Path) -> io::Result<Self> {
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
        fd_passing::send(&self.requests, &MakeShim {}, &[lifeline.as_fd()])?;
        let mut answer = [0; 4];
        (&self.requests).read_exact(&mut answer)?;
        Pid::from_raw(i32::from_le_bytes(answer)).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Kills a maker that does not answer.
    fn end(mut self) {
        let _ = self.process.kill();
        // Reaps the killed process, so that it leaves no zombie.
        let _ = self.process.wait();
        forget(Pid::from_child(&self.process));
    }
}

/// Creates shims until the harness is gone. Returns the lifeline in every shim, and `None` in the maker at the end. If
/// the system refuses to fork, the maker becomes a shim itself.
pub fn main(requests: UnixStream) -> io::Result<Option<UnixStream>> {
    // The maker stays dumpable, like the harness: an unprivileged user may be refused a CPU counter on forks that are
    // not.
    while let Some((MakeShim {}, [lifeline])) = fd_passing::receive(&requests)? {
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
