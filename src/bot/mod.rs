//! One bot as the referee sees it: lines, deadlines and limits. This module knows no rules and no opponent.
//!
//! [`Process`] is a bot in a process of its own. [`Double`] answers from inside this process: for tests that are not
//! about processes, and for a bot that cannot be started.
//!
//! A `Process` is made of `pipes` that are waited for, of `machine`, which measures, of `supervise`, which
//! keeps a bot within its limits, and of a `launch`. Each knows only those before it.

use std::io;
use std::time::Duration;

use thiserror::Error;

use crate::clock::{Spent, Wait};
use crate::protocol::{Millis, ToBot};

mod process;
mod double;

mod launch;
pub mod supervise;
mod machine;
mod pipes;

mod environment;
mod untrusted_folder;

pub use double::{Double, Reply, unstarted};
pub use environment::is_of_the_harness;
pub(crate) use launch::without_detours;
pub use launch::{Launch, LaunchError, Peculiarities, package_places};
pub use machine::{Contention, CpuSource, Lane, Lanes, Patience, Probe, probe};
pub use pipes::{CancelPipe, Log};
pub use process::{BuildError, BuildLimits, BuildOutput, LateAnswer, LateCause, Process, build};
pub use supervise::{
    Cleanup, Confinement, IsolationError, OffTurn, SCRATCH_PREFIX, Supervisor, Tier,
};
pub use untrusted_folder::{TreeBounds, TreeProblem, open_to_owner, remove_tree};

/// One bot, ready to receive messages.
pub trait Player {
    /// Queues a message. The next [`Player::request`] or [`Player::flush`] sends all queued messages in one write.
    fn tell(&mut self, message: &ToBot<'_>);

    /// Sends queued messages, as many bytes as the pipe takes without blocking.
    fn flush(&mut self);

    /// Sends queued messages; the last one is a request. The time for its answer starts now.
    fn request(&mut self);

    /// Waits for the line that answers the last request, and stores it in `answer` without its line ending. The
    /// deadline is absolute: debug lines and output on stderr do not extend it.
    ///
    /// # Errors
    ///
    /// No usable answer came; the fault says why, and whether the bot is to blame.
    fn answer(&mut self, wait: Wait, answer: &mut String) -> Result<Spent, Fault>;

    /// Time spent so far on a request without an answer yet.
    fn unanswered(&mut self) -> Spent {
        Spent::default()
    }

    /// CPU wait in the turn that has just ended too late, and CPU time since the bot's last answer.
    fn contention(&mut self) -> Contention;

    /// Takes the output on stderr and the debug lines since the last call.
    fn take_log(&mut self) -> Log;

    /// Whether the bot has written unrequested output since its last answer. It does not change a finished game, but
    /// the bot would be out of step in its next one.
    fn out_of_step(&mut self) -> bool;

    /// Peak memory of the bot and its descendants since the last call, in KiB, where known.
    fn peak_kib(&mut self) -> Option<u64>;

    /// Sends `quit` and lets the bot exit, without waiting for it.
    fn dismiss(&mut self);

    /// Ends the bot for good, by force if it has not exited within `grace`.
    fn close(&mut self, grace: Duration);

    /// A closed bot's answer that came after its deadline, if there was one.
    fn late_answer(&mut self) -> Option<LateAnswer>;
}

/// Why a bot gave no usable answer.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Fault {
    /// The program exists and cannot be executed.
    #[error(
        "the bot's program cannot be run: {problem}; a script begins with a line such as \
         #!/usr/bin/env python3, and a program is built for this machine"
    )]
    NotStarted { problem: String },
    /// The program could not be built.
    #[error("the build failed: {problem}")]
    NotBuilt { problem: String },
    /// No answer within the wall-clock limit.
    #[error("no answer within {}{}", seconds(*limit), awaited(*limit, *waited))]
    Late { limit: Duration, waited: Duration },
    /// No answer within the wall-clock limit, but the bot waited so long for a processor that nobody can say whether
    /// it would have answered.
    #[error(
        "no answer within {}{}, and for {} the machine kept the bot from a processor",
        seconds(*limit),
        awaited(*limit, *waited),
        seconds(*cpu_wait)
    )]
    Starved {
        limit: Duration,
        waited: Duration,
        cpu_wait: Duration,
    },
    /// No answer within the limit on CPU time.
    #[error("no answer after {} of processor time", seconds(*used))]
    CpuSpent { used: Duration },
    /// The bot used CPU time off turn where that is forbidden.
    #[error("the bot used {} of processor time while it was not its turn", seconds(*used))]
    OffTurn { used: Duration },
    /// The bot escaped the counter of its CPU time.
    #[error(
        "the bot runs a program that may be executed and not read, so its processor time cannot be counted; \
         make the program readable for everybody who may execute it (chmod +r)"
    )]
    Uncounted,
    /// The bot's process ended.
    #[error("the bot's process {how}")]
    Exited { how: String },
    /// Killed: the bot and its descendants held more memory than the limit.
    #[error(
        "the bot and its descendants held {} of memory; the limit is {}",
        mebibytes(*held),
        mebibytes(*limit)
    )]
    Memory { held: u64, limit: u64 },
    /// The bot closed its stdout and is still alive.
    #[error("the bot closed its standard output")]
    HungUp,
    /// The human player left.
    #[error("the player left")]
    Left,
    /// The bot wrote an answer before it was asked.
    #[error(
        "the bot wrote `{line}` before it was asked; one line answers one request, and debug \
         lines begin with #"
    )]
    OutOfTurn { line: String },
    /// A line over the limit on its length.
    #[error("the bot wrote a line of more than {limit} bytes")]
    LineTooLong { limit: usize },
    /// Too much output before an answer.
    #[error("the bot wrote more than {limit} bytes without an answer among them")]
    Flood { limit: usize },
    /// A line that is not UTF-8 text.
    #[error("the bot wrote a line that is not UTF-8 text")]
    NotText,
    /// The game was aborted while its answer was awaited.
    #[error("the game was broken off")]
    BrokenOff,
    /// The machine or the harness failed; the bot is not to blame.
    #[error("the harness failed: {0}")]
    Machine(#[source] io::Error),
}

/// Formats a duration for people: seconds with three decimals.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{:.3} s", duration.as_secs_f64())
}

/// The referee's wait for an answer, for a message; empty unless it was noticeably longer than the limit, as on a busy
/// machine.
fn awaited(limit: Duration, waited: Duration) -> String {
    if waited > limit + limit / 10 + Duration::from_millis(10) {
        format!(
            " (the referee waited {}, because the machine was busy)",
            seconds(waited)
        )
    } else {
        String::new()
    }
}

/// A time in the protocol's unit: whole milliseconds, rounded down.
pub(crate) fn millis(time: Option<Duration>) -> Millis {
    Millis(time.map(|time| time.as_millis().try_into().unwrap_or(u64::MAX)))
}

/// Formats an amount of memory for people, in MiB.
pub(crate) fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// Limits on a bot's output.
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
