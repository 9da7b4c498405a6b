//! The pipes and sockets between the referee and a bot: waiting for them, and cutting what they bring
//! into lines. It is handed open descriptors and gives lines, or the kept part of a log; it knows no
//! process and no deadline of a game.

mod log;

use std::fmt;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub use log::Log;
use memchr::memchr;
use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionread};

/// A pipe that every waiting player polls. Once cancelled, all present and future waits end.
#[derive(Debug)]
pub struct CancelPipe {
    /// Closing this end wakes every thread that polls the other one. Nothing is ever written.
    writer: Mutex<Option<PipeWriter>>,
    reader: PipeReader,
}

impl CancelPipe {
    pub fn new() -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        Ok(Self {
            writer: Mutex::new(Some(writer)),
            reader,
        })
    }

    pub fn cancel(&self) {
        drop(self.writer().take());
    }

    pub fn is_cancelled(&self) -> bool {
        self.writer().is_none()
    }

    fn writer(&self) -> MutexGuard<'_, Option<PipeWriter>> {
        // No code under the lock can panic half-way, so a poisoned lock is still consistent.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AsFd for CancelPipe {
    /// The end to poll: it hangs up once the pipe is cancelled.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}

const CHUNK: usize = 8 << 10;

/// Bytes read and not yet taken: whole lines and the beginning of one.
#[derive(Debug, Default)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    /// Offset of the first line not yet taken.
    taken: usize,
    /// Offset up to which no line ending was found. Keeps repeated searches of a long partial line linear.
    searched: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadOutcome {
    Bytes(usize),
    Nothing,
    End,
}

impl LineBuffer {
    pub fn pull(&mut self, pipe: BorrowedFd<'_>) -> io::Result<ReadOutcome> {
        if self.taken == self.bytes.len() {
            self.bytes.clear();
            self.taken = 0;
            self.searched = 0;
        } else if self.taken > CHUNK {
            // Compacts only after a chunk was taken, which limits the copying.
            self.bytes.drain(..self.taken);
            self.searched -= self.taken;
            self.taken = 0;
        }
        self.bytes.reserve(CHUNK);
        loop {
            return match rustix::io::read(pipe, spare_capacity(&mut self.bytes)) {
                Ok(0) => Ok(ReadOutcome::End),
                Ok(count) => Ok(ReadOutcome::Bytes(count)),
                Err(Errno::AGAIN) => Ok(ReadOutcome::Nothing),
                Err(Errno::INTR) => continue,
                Err(error) => Err(error.into()),
            };
        }
    }

    /// Takes the next whole line, without its line ending (`\n` or `\r\n`).
    pub fn next_line(&mut self) -> Option<&[u8]> {
        let end = memchr(b'\n', &self.bytes[self.searched..]);
        let Some(end) = end.map(|offset| self.searched + offset) else {
            self.searched = self.bytes.len();
            return None;
        };
        let line = &self.bytes[self.taken..end];
        self.taken = end + 1;
        self.searched = end + 1;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    pub fn unfinished(&self) -> usize {
        self.bytes.len() - self.taken
    }

    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.taken..]
    }
}

/// Bytes for the stdin of a program, which is a non-blocking pipe. A program that reads nothing blocks nobody.
#[derive(Debug)]
pub struct Outbox {
    /// `None` once either side closed it.
    pipe: Option<ChildStdin>,
    bytes: Vec<u8>,
    /// The first bytes, which are written.
    sent: usize,
}

impl Outbox {
    pub fn new(pipe: Option<ChildStdin>) -> Self {
        Self {
            pipe,
            bytes: Vec::with_capacity(256),
            sent: 0,
        }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes[self.sent..]).into_owned()
    }

    pub fn flush(&mut self) {
        if let Some(pipe) = &self.pipe {
            while self.sent < self.bytes.len() {
                match rustix::io::write(pipe, &self.bytes[self.sent..]) {
                    Ok(count) => self.sent += count,
                    Err(Errno::INTR) => {}
                    Err(Errno::AGAIN) => return,
                    // The program closed its stdin. That alone is no fault; a missing answer will be.
                    Err(_) => {
                        self.pipe = None;
                        break;
                    }
                }
            }
        }
        self.bytes.clear();
        self.sent = 0;
    }

    /// The pipe to wait for, while it has not taken everything.
    pub fn unsent(&self) -> Option<&ChildStdin> {
        self.pipe.as_ref().filter(|_| self.sent < self.bytes.len())
    }

    /// Whether the program has read everything: the pipe is empty, and so is the queue.
    pub fn is_read(&self) -> bool {
        let unread = |pipe| ioctl_fionread(pipe).unwrap_or(u64::MAX);
        let has_read = self.pipe.as_ref().is_some_and(|pipe| unread(pipe) == 0);
        has_read && self.sent == self.bytes.len()
    }

    /// Closes the program's stdin, with a last try to write the rest.
    pub fn close(&mut self) {
        self.flush();
        self.pipe = None;
    }
}

impl fmt::Write for Outbox {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}

/// Waits until one of `fds` is ready, a signal arrives, or `timeout` has passed.
pub fn poll_for(fds: &mut [PollFd<'_>], timeout: Duration) -> io::Result<()> {
    let timeout = Timespec {
        tv_sec: timeout.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: timeout.subsec_nanos().into(),
    };
    match poll(fds, Some(&timeout)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Streams of a bot that are waited for, and until when. A hang-up or an error counts as ready.
#[derive(Debug, Clone, Copy)]
pub struct Streams<'a> {
    pub stdout: &'a ChildStdout,
    pub stderr: Option<&'a ChildStderr>,
    /// Given when lines are still to be written.
    pub stdin: Option<&'a ChildStdin>,
    /// Ends the wait of a run that is stopped.
    pub cancel: Option<&'a CancelPipe>,
    /// The latest end of the wait.
    pub until: Instant,
}

#[derive(Debug, Clone, Copy)]
pub struct ReadyStreams {
    pub stdout: bool,
    pub stderr: bool,
    pub stdin: bool,
    pub cancelled: bool,
    pub due: Instant,
    /// When it ended.
    pub woke: Instant,
    /// Whether it ended as soon as it began, so that the bytes may have been there for longer.
    pub at_once: bool,
}

/// A wait that takes no longer ends as soon as it begins.
const AT_ONCE: Duration = Duration::from_micros(50);

const OF_ONE: usize = 4;

impl<'a> Streams<'a> {
    /// The streams to poll. Those that are rarely given come last, and [`Streams::used`] leaves them out.
    fn fds(&self) -> [PollFd<'a>; OF_ONE] {
        // Placeholder for a stream that is not given: stdout with no events.
        let unused = || PollFd::new(self.stdout, PollFlags::empty());
        let Self { stderr, stdin, .. } = *self;
        [
            PollFd::new(self.stdout, PollFlags::IN),
            stderr.map_or_else(unused, |pipe| PollFd::new(pipe, PollFlags::IN)),
            // `poll` always reports a hang-up, so no event is requested.
            self.cancel
                .map_or_else(unused, |pipe| PollFd::new(pipe, PollFlags::empty())),
            stdin.map_or_else(unused, |pipe| PollFd::new(pipe, PollFlags::OUT)),
        ]
    }

    /// How many of [`Streams::fds`] have to be polled: the kernel's work grows with each.
    fn used(&self) -> usize {
        match (self.stdin, self.cancel) {
            (Some(_), _) => 4,
            (None, Some(_)) => 3,
            (None, None) => 2,
        }
    }

    fn ready(&self, fds: &[PollFd<'_>], (begun, due, woke): Wakening) -> ReadyStreams {
        let is_ready = |index: usize| !fds[index].revents().is_empty();
        ReadyStreams {
            stdout: is_ready(0),
            stderr: self.stderr.is_some() && is_ready(1),
            stdin: self.stdin.is_some() && is_ready(3),
            cancelled: self.cancel.is_some() && is_ready(2),
            due,
            woke,
            at_once: woke - begun < AT_ONCE,
        }
    }

    pub fn wait(self) -> io::Result<ReadyStreams> {
        let mut fds = self.fds();
        let wakening = poll_until(&mut fds[..self.used()], self.until)?;
        Ok(self.ready(&fds, wakening))
    }

    pub fn wait_for_any(bots: Vec<Self>) -> io::Result<Vec<ReadyStreams>> {
        let mut fds: Vec<PollFd<'_>> = bots.iter().flat_map(Self::fds).collect();
        let used = bots
            .last()
            .map_or(0, |last| fds.len() - OF_ONE + last.used());
        let until = bots.iter().map(|bot| bot.until).min();
        let wakening = poll_until(&mut fds[..used], until.unwrap_or_else(Instant::now))?;
        let ready = bots.iter().zip(fds.chunks(OF_ONE));
        Ok(ready.map(|(bot, fds)| bot.ready(fds, wakening)).collect())
    }
}

/// When a wait began, when it was to end at the latest, and when it ended.
type Wakening = (Instant, Instant, Instant);

/// Waits. A deadline that was past already is no oversleep.
fn poll_until(fds: &mut [PollFd<'_>], until: Instant) -> io::Result<Wakening> {
    let begun = Instant::now();
    poll_for(fds, until.saturating_duration_since(begun))?;
    Ok((begun, until.max(begun), Instant::now()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputLimits {
    /// Maximum length of a line on stdout, in bytes.
    pub line: usize,
    /// Maximum output on stdout before an answer, debug lines included, in bytes.
    pub turn: usize,
    /// Maximum kept log (stderr and debug lines) per game, in bytes.
    pub log: usize,
}

impl Default for OutputLimits {
    fn default() -> Self {
        Self {
            line: 4 << 10,
            turn: 1 << 20,
            log: 256 << 10,
        }
    }
}
