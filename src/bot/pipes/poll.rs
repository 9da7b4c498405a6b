//! Polling of pipes and sockets.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::CancelPipe;

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
    pub stdin: Option<&'a ChildStdin>,
    pub cancel: Option<&'a CancelPipe>,
    pub until: Instant,
}

/// Streams of a bot that are ready.
#[derive(Debug, Clone, Copy)]
pub struct ReadyStreams {
    pub stdout: bool,
    pub stderr: bool,
    pub stdin: bool,
    pub cancelled: bool,
    /// When the wait was to end, at the latest, and when it ended.
    pub due: Instant,
    pub woke: Instant,
}

/// Number of streams of one bot.
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

    fn ready(&self, fds: &[PollFd<'_>], due: Instant, woke: Instant) -> ReadyStreams {
        let is_ready = |index: usize| !fds[index].revents().is_empty();
        ReadyStreams {
            stdout: is_ready(0),
            stderr: self.stderr.is_some() && is_ready(1),
            stdin: self.stdin.is_some() && is_ready(3),
            cancelled: self.cancel.is_some() && is_ready(2),
            due,
            woke,
        }
    }

    /// Waits until one of them is ready.
    pub fn wait(self) -> io::Result<ReadyStreams> {
        let mut fds = self.fds();
        let (due, woke) = poll_until(&mut fds[..self.used()], self.until)?;
        Ok(self.ready(&fds, due, woke))
    }

    /// Waits until a stream of one of these bots is ready.
    pub fn wait_for_any(bots: Vec<Self>) -> io::Result<Vec<ReadyStreams>> {
        let mut fds: Vec<PollFd<'_>> = bots.iter().flat_map(Self::fds).collect();
        let used = bots
            .last()
            .map_or(0, |last| fds.len() - OF_ONE + last.used());
        let until = bots.iter().map(|bot| bot.until).min();
        let (due, woke) = poll_until(&mut fds[..used], until.unwrap_or_else(Instant::now))?;
        let ready = bots.iter().zip(fds.chunks(OF_ONE));
        Ok(ready.map(|(bot, fds)| bot.ready(fds, due, woke)).collect())
    }
}

/// Returns when the wait was to end, at the latest, and when it ended. A deadline that was past already is no
/// oversleep.
fn poll_until(fds: &mut [PollFd<'_>], until: Instant) -> io::Result<(Instant, Instant)> {
    let begun = Instant::now();
    poll_for(fds, until.saturating_duration_since(begun))?;
    Ok((until.max(begun), Instant::now()))
}
