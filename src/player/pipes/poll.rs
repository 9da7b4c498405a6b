//! Waiting for pipes and sockets.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::CancelPipe;

/// Waits until one of `fds` is ready, a signal comes, or `timeout` is over.
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

/// Which streams of a bot can be read or written now.
#[derive(Debug, Clone, Copy)]
pub struct ReadyStreams {
    pub stdout: bool,
    pub stderr: bool,
    pub stdin: bool,
    pub cancelled: bool,
}

/// Waits until something can be read or written, or `until`. Of the optional streams, those that
/// are given are waited for.
pub fn wait_for_streams(
    stdout: &ChildStdout,
    stderr: Option<&ChildStderr>,
    stdin: Option<&ChildStdin>,
    cancel: Option<&CancelPipe>,
    until: Instant,
) -> io::Result<ReadyStreams> {
    // In place of a stream that is not waited for, stdout stands with no events to wait for.
    let unused = || PollFd::new(stdout, PollFlags::empty());
    let mut fds = [
        PollFd::new(stdout, PollFlags::IN),
        stderr.map_or_else(unused, |pipe| PollFd::new(pipe, PollFlags::IN)),
        stdin.map_or_else(unused, |pipe| PollFd::new(pipe, PollFlags::OUT)),
        // A hang-up is always reported, so no event is asked for.
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
