//! Builds a bot's program. The build command is the bot author's, so it runs like a bot: below a shim, with a deadline
//! and a limit on its output.

use std::fmt::{self, Display};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use thiserror::Error;

use super::child_process::ChildProcess;
use crate::bot::pipes::{CancelPipe, Log, poll_for};
use crate::bot::supervise::{Confinement, ProcessEnd, Supervisor};
use crate::bot::{Fault, Launch, seconds};
use crate::text::excerpt;

/// Interval between checks whether a silent build has ended.
const LOOK: Duration = Duration::from_millis(20);

/// Number of quoted lines of a compiler's output, and maximum characters of each and of the command.
const QUOTED: usize = 4;
const EXCERPT: usize = 120;

/// Maximum capacity of a pipe, in bytes.
const PIPE: usize = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildLimits {
    pub time: Duration,
    /// Maximum kept output, in bytes.
    pub log: usize,
    /// Confinement of the build. Its tier is the bots' one: [`Tier::of_builds`](crate::bot::Tier::of_builds) maps it.
    pub confinement: Confinement,
}

impl Default for BuildLimits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(120),
            log: 256 << 10,
            confinement: Confinement {
                memory: Some(2 << 30),
                writes_own_folder: true,
                ..Confinement::default()
            },
        }
    }
}

#[derive(Debug)]
pub struct BuildOutput {
    pub log: Log,
    pub result: Result<(), BuildError>,
}

#[derive(Debug, Error)]
pub struct BuildError {
    command: String,
    #[source]
    reason: BuildFailure,
    /// Excerpt of the output around the first error.
    pub output: String,
}

impl BuildError {
    pub fn exit_code(&self) -> Option<i32> {
        match self.reason {
            BuildFailure::Ended(ProcessEnd::Code(code)) => Some(code),
            _ => None,
        }
    }
}

impl Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command = excerpt(&self.command, EXCERPT);
        write!(f, "`{command}` {}", self.reason)?;
        match self.output.as_str() {
            "" => Ok(()),
            output => write!(f, ": {output}"),
        }
    }
}

/// Cause of a failed build, as a fragment that follows the command.
#[derive(Debug, Error)]
enum BuildFailure {
    #[error("could not be started: {0}")]
    NotStarted(#[source] Fault),
    #[error("{0}")]
    Ended(ProcessEnd),
    #[error("did not end within {}", seconds(*.0))]
    TooSlow(Duration),
    #[error("was broken off")]
    BrokenOff,
}

/// Runs a build until it ends or is cancelled. None of its processes survive.
///
/// # Errors
///
/// The machine failed. A failed build is reported in [`BuildOutput`].
pub fn build(
    command: &Launch,
    limits: &BuildLimits,
    supervisor: &Supervisor,
    cancel: Option<&CancelPipe>,
) -> io::Result<BuildOutput> {
    let mut log = Log::default();
    let outcome = match start(command, limits, supervisor) {
        Ok(child) => watch(child, limits, cancel, &mut log)?,
        Err(Fault::Machine(error)) => return Err(error),
        Err(fault) => Err(BuildFailure::NotStarted(fault)),
    };
    let result = outcome.map_err(|reason| BuildError {
        command: command.to_string(),
        reason,
        output: telling_lines(&String::from_utf8_lossy(&log.text())),
    });
    Ok(BuildOutput { log, result })
}

fn start(
    command: &Launch,
    limits: &BuildLimits,
    supervisor: &Supervisor,
) -> Result<ChildProcess, Fault> {
    let confinement = Confinement {
        isolation: limits.confinement.isolation.of_builds(),
        ..limits.confinement.clone()
    };
    let mut child =
        ChildProcess::start(command, supervisor, &confinement).map_err(Fault::Machine)?;
    child
        .wait_for_start()
        .map_err(|error| command.fault(error))?;
    // Stdin is closed at once: a build has nothing to read.
    drop(child.take_stdin());
    Ok(child)
}

fn watch(
    mut child: ChildProcess,
    limits: &BuildLimits,
    cancel: Option<&CancelPipe>,
    log: &mut Log,
) -> io::Result<Result<(), BuildFailure>> {
    let deadline = Instant::now() + limits.time;
    let mut open = [true; 2];
    child.set_nonblocking()?;
    let end = loop {
        if let Some(end) = child.look_for_end(Duration::ZERO)? {
            break Ok(end);
        }
        if cancel.is_some_and(CancelPipe::is_cancelled) {
            break Err(BuildFailure::BrokenOff);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break Err(BuildFailure::TooSlow(limits.time));
        }
        wait(&child, open, LOOK.min(left))?;
        pull(&child, &mut open, limits.log, log);
    };
    // All writers are dead now, but the pipes may still hold output. Two full pipes bound the rest.
    child.finish();
    let mut left = 2 * PIPE;
    while left > 0 && open != [false; 2] {
        match pull(&child, &mut open, limits.log, log) {
            0 => break,
            count => left = left.saturating_sub(count),
        }
    }
    Ok(match end {
        Ok(ProcessEnd::Code(0)) => Ok(()),
        Ok(end) => Err(BuildFailure::Ended(end)),
        Err(failure) => Err(failure),
    })
}

fn pipes(child: &ChildProcess, open: [bool; 2]) -> [Option<BorrowedFd<'_>>; 2] {
    [
        child.stdout().map(AsFd::as_fd).filter(|_| open[0]),
        child.stderr().map(AsFd::as_fd).filter(|_| open[1]),
    ]
}

fn wait(child: &ChildProcess, open: [bool; 2], patience: Duration) -> io::Result<()> {
    let pipes = pipes(child, open);
    let mut fds: Vec<PollFd<'_>> = pipes
        .iter()
        .flatten()
        .map(|pipe| PollFd::new(pipe, PollFlags::IN))
        .collect();
    poll_for(&mut fds, patience)
}

/// Reads once from each stream into the log. Returns the number of bytes.
fn pull(child: &ChildProcess, open: &mut [bool; 2], limit: usize, log: &mut Log) -> usize {
    let mut pulled = 0;
    for (pipe, is_open) in pipes(child, *open).into_iter().zip(open) {
        match pipe.and_then(|pipe| log.read_from(pipe, limit)) {
            Some(count) => pulled += count,
            None => *is_open = false,
        }
    }
    pulled
}

/// Lines of a compiler's output to quote: from the first error on, or the last ones.
fn telling_lines(output: &str) -> String {
    let lines: Vec<&str> = output
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let is_error = |line: &&str| {
        let line = line.to_lowercase();
        line.contains("error:") || line.contains("error[")
    };
    let last = lines.len().saturating_sub(QUOTED);
    let first = lines.iter().position(is_error).unwrap_or(last).min(last);
    let told: Vec<String> = lines[first..]
        .iter()
        .take(QUOTED)
        .map(|line| excerpt(line, EXCERPT))
        .collect();
    told.join(" / ")
}
