//! The process that makes shims: this program, run once, which forks for every bot.
//!
//! A program that is started anew must be loaded; a copy of a process is loaded already. The harness has threads,
//! so a copy of it could not even allocate memory. The maker has one thread, and holds nothing but its socket.

use std::collections::BTreeMap;
use std::io::{self, IoSlice, IoSliceMut, Read};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::io::retry_on_intr;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::{Pid, Signal, getpid, kill_process, setpgid};
use rustix::thread::{sched_getaffinity, sched_setaffinity};

use super::shim_handle::{forget, remember, spawn};
use super::{MAKER, SUBCOMMAND, sys};
use crate::player::launch::passed_on;

/// How many descriptors a shim is given: its lifeline, and the bot's stdin, stdout and stderr.
const GIVEN: usize = 4;

/// How long making a shim may take, on a machine that is very busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// The makers that run, by their programs.
static MAKERS: Mutex<BTreeMap<PathBuf, Maker>> = Mutex::new(BTreeMap::new());

/// Makes a shim: a child of this process, which waits at its lifeline to be told what to do. It has the bot's
/// streams, a process group of its own, and the processors of this thread.
///
/// After an error what was given must be closed, since a shim may have it all the same. The next call starts
/// another maker.
pub(super) fn make_shim(program: &Path, given: [BorrowedFd<'_>; GIVEN]) -> io::Result<Pid> {
    let mut makers = MAKERS.lock().unwrap_or_else(PoisonError::into_inner);
    let maker = match makers.remove(program) {
        Some(maker) => maker,
        None => Maker::start(program)?,
    };
    let shim = match remember(|| maker.ask(&given)) {
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
    // The shim has the processors of the maker. If it is gone already, that will be seen.
    let _ = sched_getaffinity(None).and_then(|own| sched_setaffinity(Some(shim), &own));
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
    fn ask(&self, given: &[BorrowedFd<'_>; GIVEN]) -> io::Result<Pid> {
        // A bot may have stopped it.
        let _ = kill_process(Pid::from_child(&self.process), Signal::CONT);
        retry_on_intr(|| {
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(GIVEN))];
            let mut rights = SendAncillaryBuffer::new(&mut space);
            rights.push(SendAncillaryMessage::ScmRights(given));
            let request = [IoSlice::new(b"+")];
            sendmsg(&self.requests, &request, &mut rights, SendFlags::NOSIGNAL)
        })?;
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
pub(super) fn main(requests: UnixStream) -> io::Result<Option<UnixStream>> {
    // The maker stays dumpable, as the harness is: an ordinary user may have no counter of the processor time of
    // copies that are not.
    while let Some(given) = receive(&requests)? {
        let answer = |shim: Pid| {
            let number = shim.as_raw_nonzero().get();
            rustix::io::write(&requests, &number.to_le_bytes())
        };
        match sys::fork_for_parent() {
            Ok(Some(shim)) => answer(shim)?,
            Ok(None) => return become_shim(given).map(Some),
            Err(_) => {
                answer(getpid())?;
                return become_shim(given).map(Some);
            }
        };
    }
    Ok(None)
}

/// Waits for a request. `None` is that the harness is gone.
fn receive(requests: &UnixStream) -> io::Result<Option<[OwnedFd; GIVEN]>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(GIVEN))];
    let mut rights = RecvAncillaryBuffer::new(&mut space);
    let mut request = [0];
    let received = retry_on_intr(|| {
        let mut request = [IoSliceMut::new(&mut request)];
        recvmsg(requests, &mut request, &mut rights, RecvFlags::CMSG_CLOEXEC)
    })?;
    if received.bytes == 0 {
        return Ok(None);
    }
    let given = rights.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(given) => Some(given),
        _ => None,
    });
    let given: Vec<OwnedFd> = given.flatten().collect();
    given
        .try_into()
        .map(Some)
        .map_err(|_| io::ErrorKind::InvalidData.into())
}

/// Takes what a shim is given. The rest that it has from the maker it closes by itself.
fn become_shim([lifeline, stdin, stdout, stderr]: [OwnedFd; GIVEN]) -> io::Result<UnixStream> {
    setpgid(None, None)?;
    rustix::stdio::dup2_stdin(&stdin)?;
    rustix::stdio::dup2_stdout(&stdout)?;
    rustix::stdio::dup2_stderr(&stderr)?;
    Ok(lifeline.into())
}
