//! Messages from a shim to the harness, and from PID 1 of a sandbox to its shim: one line of JSON each.

use std::fmt::{self, Display};
use std::io::{self, IoSlice, IoSliceMut, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use rustix::io::{Errno, retry_on_intr};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::WaitStatus;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A message. Write errors are ignored: the reader is gone, or about to clean up by itself.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ShimMessage {
    Started {
        pid: i32,
        /// Root of the process tree that holds only the bot and its descendants.
        tree_root: i32,
        /// File with the CPU time of the bot's control group, if it has one.
        cpu_file: Option<PathBuf>,
        /// Upper bound on the CPU time of reaped children that `tree_root` has from earlier bots.
        earlier: Duration,
    },
    Failed(StartError),
    Ended(ProcessEnd),
    /// The bot has or had descendants. Sent once.
    HasDescendants,
    /// Answer to [`ASK_FOR_PEAK`]: peak memory of the bot's tree since the last answer.
    PeakMemory {
        kib: u64,
    },
    /// Everything is cleaned up, and the shim waits for its next bot. Sent at the end of each.
    Done(Cleanup),
}

/// Request byte for [`ShimMessage::PeakMemory`].
pub(super) const ASK_FOR_PEAK: u8 = b'u';

/// Request byte that makes a shim end its bot.
pub(super) const END: u8 = b'e';

impl ShimMessage {
    pub(super) fn send(&self, socket: impl AsFd) {
        if let Ok(mut line) = serde_json::to_vec(self) {
            line.push(b'\n');
            let _ = rustix::io::write(socket, &line);
        }
    }
}

#[derive(Debug, Serialize, Deserialize, Error)]
#[error("{message}")]
pub(in crate::bot) struct StartError {
    /// Whether the system did not execute the bot's program. The bot is not to blame for any error before that, whatever
    /// it says.
    pub is_of_program: bool,
    errno: Option<i32>,
    message: String,
}

impl StartError {
    pub fn of_program(error: io::Error) -> Self {
        Self {
            is_of_program: true,
            ..error.into()
        }
    }

    /// Classifies an error between fork and exec: see [`NotExecuted`].
    pub(super) fn of_exec(error: io::Error) -> Self {
        match error.get_ref().and_then(|inner| inner.downcast_ref()) {
            Some(NotExecuted(errno)) => Self::of_program((*errno).into()),
            None => error.into(),
        }
    }
}

impl From<io::Error> for StartError {
    fn from(error: io::Error) -> Self {
        Self {
            is_of_program: false,
            errno: error.raw_os_error(),
            message: error.to_string(),
        }
    }
}

impl From<StartError> for io::Error {
    fn from(error: StartError) -> Self {
        match error.errno {
            Some(errno) => io::Error::from_raw_os_error(errno),
            None => io::Error::other(error.message),
        }
    }
}

/// Marks a failed `execve` of a bot's program. The type distinguishes it from other errors between fork and exec.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct NotExecuted(pub Errno);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProcessEnd {
    Code(i32),
    Signal(i32),
    /// Killed: its process tree held more memory than the limit.
    Memory {
        /// Memory held, in bytes.
        held: u64,
        limit: u64,
    },
    /// Killed: its process tree had more processes than the limit.
    Processes {
        count: u32,
        limit: u32,
    },
    /// Killed: its process tree had more threads than the limit.
    Threads {
        count: u64,
        limit: u32,
    },
    /// Somebody killed the shim; the bot's exit status is unknown.
    Unsupervised,
}

impl ProcessEnd {
    pub(super) fn from_status(status: WaitStatus) -> Option<Self> {
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Some(Self::Code(code)),
            (None, signal) => signal.map(Self::Signal),
        }
    }
}

impl Display for ProcessEnd {
    /// Prints a fragment that follows the name of the process.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SIGNALS: [(i32, &str); 10] = [
            (4, "SIGILL, an illegal instruction"),
            (6, "SIGABRT, it aborted itself"),
            (7, "SIGBUS, a bad memory access"),
            (8, "SIGFPE, an arithmetic error"),
            (9, "SIGKILL, it was killed"),
            (11, "SIGSEGV, a bad memory access"),
            (13, "SIGPIPE, it wrote to a closed pipe"),
            (15, "SIGTERM, it was told to end"),
            (24, "SIGXCPU, it used too much processor time"),
            (25, "SIGXFSZ, it wrote a file larger than it may"),
        ];
        match *self {
            Self::Code(code) => write!(f, "exited with code {code}"),
            Self::Signal(signal) => match SIGNALS.iter().find(|(number, _)| *number == signal) {
                Some((_, name)) => write!(f, "was ended by {name}"),
                None => write!(f, "was ended by signal {signal}"),
            },
            Self::Memory { held, limit } => {
                write!(f, "held {held} bytes of memory; it may {limit}")
            }
            Self::Processes { count, limit } => write!(
                f,
                "was killed with {count} processes at one time; it may have {limit}"
            ),
            Self::Threads { count, limit } => write!(
                f,
                "was killed with {count} threads at one time; it may have {limit}"
            ),
            Self::Unsupervised => f.write_str("or a child of it killed its supervisor"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cleanup {
    /// Descendants that outlived the bot's own process and were killed.
    pub killed: u32,
    /// Processes that did not die in time.
    pub survivors: u32,
    /// Whether the bot's control group could not be removed in time.
    pub group_remains: bool,
}

/// Maximum number of descriptors with an order: a bot's three streams.
const DESCRIPTORS: usize = 3;

/// Timeout for the receiver to start reading, on a very busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sends an order to a waiting process, as a line of JSON. Not by arguments, since the system limits their length.
pub(super) fn send(
    mut socket: &UnixStream,
    order: &impl Serialize,
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let mut line = serde_json::to_vec(order)?;
    line.push(b'\n');
    socket.set_write_timeout(Some(PATIENCE))?;
    let sent = retry_on_intr(|| {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
        let mut rights = SendAncillaryBuffer::new(&mut space);
        rights.push(SendAncillaryMessage::ScmRights(descriptors));
        sendmsg(
            socket,
            &[IoSlice::new(&line)],
            &mut rights,
            SendFlags::NOSIGNAL,
        )
    })?;
    socket.write_all(&line[sent..])
}

/// Waits for an order with `N` descriptors. `None` if the other end of the socket is closed. An order begins with a
/// brace; unread bytes before it are skipped.
pub(super) fn receive<T: DeserializeOwned, const N: usize>(
    socket: &UnixStream,
) -> io::Result<Option<(T, [OwnedFd; N])>> {
    let mut line = Vec::new();
    let mut descriptors = Vec::new();
    let mut chunk = [0; 4 << 10];
    // The sender sends nothing after the order until it is answered, so the last byte ends it.
    while line.last() != Some(&b'\n') {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
        let mut rights = RecvAncillaryBuffer::new(&mut space);
        let received = retry_on_intr(|| {
            let mut chunk = [IoSliceMut::new(&mut chunk)];
            recvmsg(socket, &mut chunk, &mut rights, RecvFlags::CMSG_CLOEXEC)
        })?;
        if received.bytes == 0 {
            return Ok(None);
        }
        for message in rights.drain() {
            if let RecvAncillaryMessage::ScmRights(given) = message {
                descriptors.extend(given);
            }
        }
        line.extend_from_slice(&chunk[..received.bytes]);
        if line[0] != b'{' {
            let begin = line.iter().position(|byte| *byte == b'{');
            line.drain(..begin.unwrap_or(line.len()));
        }
    }
    let order = serde_json::from_slice(&line)?;
    let descriptors = descriptors
        .try_into()
        .map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
    Ok(Some((order, descriptors)))
}
