//! What a shim tells the harness, and the first process of a sandbox its shim: one line of JSON
//! each.

use std::fmt::{self, Display};
use std::io;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::WaitStatus;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A message. One that nobody reads is lost: its reader is gone, or about to clean up by itself.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ShimMessage {
    /// The bot runs.
    Started {
        /// Its process.
        pid: i32,
        /// The process that has the bot and all that it starts below it, and nothing else.
        tree_root: i32,
        /// The file that tells what processor time the bot's control group has used, if it has one.
        cpu_file: Option<PathBuf>,
        /// The most that the processor time of ended children of `tree_root` shows for earlier bots.
        earlier: Duration,
    },
    /// The bot could not be started.
    Failed(StartFailure),
    /// The bot's own process has ended.
    Ended(ProcessEnd),
    /// The bot has descendants, or had. Sent once.
    HasDescendants,
    /// The answer to [`ASK_FOR_PEAK`]: the most memory that the bot with its descendants was seen to
    /// hold since the last answer.
    PeakMemory { kib: u64 },
    /// Nothing is left, and the shim waits for its next bot. Sent at the end of each.
    Done(Cleanup),
}

/// The byte by which the harness asks a shim for [`ShimMessage::PeakMemory`].
pub(super) const ASK_FOR_PEAK: u8 = b'u';

/// The byte by which the harness has a shim end its bot.
pub(super) const END: u8 = b'e';

impl ShimMessage {
    pub(super) fn send(&self, socket: impl AsFd) {
        if let Ok(mut line) = serde_json::to_vec(self) {
            line.push(b'\n');
            let _ = rustix::io::write(socket, &line);
        }
    }
}

/// Why a bot did not start.
#[derive(Debug, Error)]
pub(in crate::player) enum StartError {
    /// The system did not execute its program.
    #[error("{0}")]
    Program(#[source] io::Error),
    /// Anything before that. The bot is not to blame, whatever the error says.
    #[error("{0}")]
    Harness(#[from] io::Error),
}

impl StartError {
    /// What kept a process from becoming a program: see [`NotExecuted`].
    pub(super) fn of_exec(error: io::Error) -> Self {
        match error.get_ref().and_then(|inner| inner.downcast_ref()) {
            Some(NotExecuted(errno)) => Self::Program((*errno).into()),
            None => Self::Harness(error),
        }
    }
}

/// The system did not execute a bot's program. It is told from other errors between fork and exec by its type.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct NotExecuted(pub Errno);

/// A [`StartError`] on its way to another process.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StartFailure {
    of_program: bool,
    /// The number of the system's error, if it is one.
    errno: Option<i32>,
    message: String,
}

impl From<&StartError> for StartFailure {
    fn from(error: &StartError) -> Self {
        let (of_program, error) = match error {
            StartError::Program(error) => (true, error),
            StartError::Harness(error) => (false, error),
        };
        Self {
            of_program,
            errno: error.raw_os_error(),
            message: error.to_string(),
        }
    }
}

impl From<StartFailure> for StartError {
    fn from(failure: StartFailure) -> Self {
        let error = match failure.errno {
            Some(errno) => io::Error::from_raw_os_error(errno),
            None => io::Error::other(failure.message),
        };
        match failure.of_program {
            true => Self::Program(error),
            false => Self::Harness(error),
        }
    }
}

/// How a bot's own process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProcessEnd {
    /// With an exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// Killed, since its tree held more memory than it may.
    Memory {
        /// What it held, in bytes.
        held: u64,
        /// What it may hold.
        limit: u64,
    },
    /// Killed, since its tree had more processes than it may.
    Processes {
        /// How many there were.
        count: u32,
        /// How many there may be.
        limit: u32,
    },
    /// The shim was ended by somebody; what the bot did is not known.
    Unsupervised,
}

impl ProcessEnd {
    /// The end that `status` tells of, if it tells of one and not of a stop or a continuation.
    pub(super) fn from_status(status: WaitStatus) -> Option<Self> {
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Some(Self::Code(code)),
            (None, signal) => signal.map(Self::Signal),
        }
    }
}

impl Display for ProcessEnd {
    /// A fragment that follows the name of the process.
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
            Self::Unsupervised => f.write_str("or a child of it killed its supervisor"),
        }
    }
}

/// What was left of a bot when it was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cleanup {
    /// Descendants that outlived the bot's own process and were killed.
    pub killed: u32,
    /// Processes that would not die in time.
    pub survivors: u32,
}
