//! The process that makes shims: this program, run once, which forks for every bot.
//!
//! A program that is started anew must be loaded; a copy of a process is loaded already. The harness has threads,
//! so a copy of it could not even allocate memory. The maker has one thread, and holds nothing but its socket.

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

use crate::player::environment::passed_on;
use crate::player::supervise::children::{forget, remember, spawn};
use crate::player::supervise::{MAKER, SUBCOMMAND, fd_passing, sys};

/// How long making a shim may take, on a machine that is very busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// The makers that run, by their programs.
static MAKERS: Mutex<BTreeMap<PathBuf, Maker>> = Mutex::new(BTreeMap::new());

/// Asks for a shim, which is given its lifeline.
#[derive(Serialize, Deserialize)]
struct MakeShim {}

/// Makes a shim: a child of this process, which has a process group of its own and waits at the other end of
/// its lifeline, `theirs`, to be told what to do.
///
/// After an error the lifeline must be closed, since a shim may have it all the same. The next call starts
/// another maker.
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
    // Where it cannot fork, it is the shim itself.
    if shim != Pid::from_child(&maker.process) {
        makers.insert(program.to_owned(), maker);
    }
    Ok(shim)
}

/// A maker, as the harness knows it.
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
            // An interrupt from the terminal reaches only the harness.
            .process_group(0);
        requests.set_read_timeout(Some(PATIENCE))?;
        Ok(Self {
            process: spawn(&mut command)?,
            requests,
        })
    }

    /// Asks for a shim. The error is that the maker does not answer.
    fn ask(&self, lifeline: &UnixStream) -> io::Result<Pid> {
        // A bot may have stopped it.
        let _ = kill_process(Pid::from_child(&self.process), Signal::CONT);
        fd_passing::send(&self.requests, &MakeShim {}, &[lifeline.as_fd()])?;
        let mut answer = [0; 4];
        (&self.requests).read_exact(&mut answer)?;
        Pid::from_raw(i32::from_le_bytes(answer)).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Ends a maker that does not answer.
    fn end(mut self) {
        let _ = self.process.kill();
        // A killed process ends; waiting for it leaves no zombie.
        let _ = self.process.wait();
        forget(Pid::from_child(&self.process));
    }
}

/// Makes shims until the harness is gone. Returns once in every one of them, with its lifeline; and in the maker
/// at the end, with nothing. Where the system makes no such copies, the maker is a shim from then on.
pub fn main(requests: UnixStream) -> io::Result<Option<UnixStream>> {
    // The maker stays dumpable, as the harness is: an ordinary user may have no counter of the processor time of
    // copies that are not.
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

/// Lets go of what a shim has from the maker, but for descriptors, which it closes by itself.
fn become_shim(lifeline: OwnedFd) -> io::Result<UnixStream> {
    setpgid(None, None)?;
    // Stderr was the socket of requests; stdout is `/dev/null`.
    rustix::stdio::dup2_stderr(rustix::stdio::stdout())?;
    Ok(lifeline.into())
}
