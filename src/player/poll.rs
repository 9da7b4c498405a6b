//! Waiting for the pipes of a bot.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::CancelPipe;

/// Which streams can be read or written now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ready {
    pub stdout: bool,
    pub stderr: bool,
    pub stdin: bool,
    pub cancelled: bool,
}

/// Waits until something can be read or written, or `until`. Of the streams that may be absent
/// those that are given are waited for.
pub(super) fn wait_ready(
    stdout: &ChildStdout,
    stderr: Option<&ChildStderr>,
    stdin: Option<&ChildStdin>,
    cancel: Option<&CancelPipe>,
    until: Instant,
) -> io::Result<Ready> {
    // A stream that is not waited for is stood in for by stdout, of which nothing is asked.
    let idle = || PollFd::new(stdout, PollFlags::empty());
    let mut fds = [
        PollFd::new(stdout, PollFlags::IN),
        stderr.map_or_else(idle, |pipe| PollFd::new(pipe, PollFlags::IN)),
        stdin.map_or_else(idle, |pipe| PollFd::new(pipe, PollFlags::OUT)),
        // That it hangs up is told unasked.
        cancel.map_or_else(idle, |pipe| PollFd::new(pipe, PollFlags::empty())),
    ];
    let left = until.saturating_duration_since(Instant::now());
    let timeout = Timespec {
        tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: left.subsec_nanos().into(),
    };
    match poll(&mut fds, Some(&timeout)) {
        Ok(_) | Err(Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(Ready {
        stdout: !fds[0].revents().is_empty(),
        stderr: stderr.is_some() && !fds[1].revents().is_empty(),
        stdin: stdin.is_some() && !fds[2].revents().is_empty(),
        cancelled: cancel.is_some() && !fds[3].revents().is_empty(),
    })
}
