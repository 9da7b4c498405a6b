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

/// Streams of a bot that are ready.
#[derive(Debug, Clone, Copy)]
pub struct ReadyStreams {
    pub stdout: bool,
    pub stderr: bool,
    pub stdin: bool,
    pub cancelled: bool,
}

/// Waits until a given stream is ready, or `until`. A hang-up or an error counts as ready.
pub fn wait_for_streams(
    stdout: &ChildStdout,
    stderr: Option<&ChildStderr>,
    stdin: Option<&ChildStdin>,
    cancel: Option<&CancelPipe>,
    until: Instant,
) -> io::Result<ReadyStreams> {
    // Placeholder for a stream that is not given: stdout with no events.
    let unused = || PollFd::new(stdout, PollFlags::empty());
    let mut fds = [
        PollFd::new(stdout, PollFlags::IN),
        stderr.map_or_else(unused, |pipe| PollFd::new(pipe, PollFlags::IN)),
        stdin.map_or_else(unused, |pipe| PollFd::new(pipe, PollFlags::OUT)),
        // `poll` always reports a hang-up, so no event is requested.
        cancel.map_or_else(unused, |pipe| PollFd::new(pipe, PollFlags::empty())),
    ];
    poll_for(&mut fds, until.saturating_duration_since(Instant::now()))?;
    Ok(ReadyStreams {
        stdout: !fds[0].revents().is_empty(),
        stderr: stderr.is_some() && !fds[1].revents().is_empty(),
        stdin: stdin.is_some() && !fds[2].revents().is_empty(),
        cancelled: cancel.is_some() && !fds[3].revents().is_empty(),
    })
}
