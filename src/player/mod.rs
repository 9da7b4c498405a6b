//! One bot as the referee sees it: lines, deadlines and limits. This module knows no rules and no
//! opponent.
//!
//! [`Process`] is a bot in a process of its own. [`Double`] answers from inside this process: for
//! tests that are about everything but processes, and for a bot that cannot be started.

use std::io;
use std::time::Duration;

use thiserror::Error;

use crate::clock::{Spent, Wait};
use crate::protocol::{Millis, ToBot};

mod process;
mod double;

mod launch;
mod environment;
pub mod supervise;

mod machine;
mod pipes;

mod unusable;
mod untrusted_folder;

pub use double::{Double, Reply, unstarted};
pub use environment::is_of_the_harness;
pub(crate) use launch::without_detours;
pub use launch::{Launch, LaunchError, Peculiarities, package_places};
pub use machine::{Contention, CpuSource, Lane, Lanes, Patience, Probe, probe};
pub use pipes::{CancelPipe, Log};
pub use process::{BuildError, BuildLimits, Built, LateAnswer, Process, build};
pub use supervise::{
    Cleanup, Confinement, IsolationError, OffTurn, SCRATCH_PREFIX, Supervisor, Tier,
};
pub use untrusted_folder::{TreeBounds, TreeProblem, open_to_owner, remove_tree};
pub use unusable::UnusableOutput;

/// One bot, ready to be spoken to.
pub trait Player {
    /// Queues a message. It goes out with the next [`Player::request`] or [`Player::flush`], in one
    /// write with whatever else is queued.
    fn tell(&mut self, message: &ToBot<'_>);

    /// Sends what is queued, as far as the bot takes it without waiting.
    fn flush(&mut self);

    /// Sends what is queued, the last of which wants an answer. The time for it runs from now.
    fn request(&mut self);

    /// Waits for the line that answers the last request, and puts it into `answer` without its line
    /// ending. The deadline is absolute: debug lines and output on stderr do not extend it.
    ///
    /// # Errors
    ///
    /// No usable answer came; the fault says why, and whether the bot is to blame.
    fn answer(&mut self, wait: Wait, answer: &mut String) -> Result<Spent, Fault>;

    /// What the bot has spent so far on a request that it has not answered.
    fn unanswered(&mut self) -> Spent {
        Spent::default()
    }

    /// How long the machine made the bot wait in the turn that has just ended too late, and what the
    /// bot has used of a processor since its last answer.
    fn contention(&mut self) -> Contention;

    /// What the bot wrote to stderr and as debug lines since this was last called.
    fn take_log(&mut self) -> Log;

    /// Whether the bot has written something that nobody asked for since its last answer. That does
    /// not change a game that is over, but the bot would be out of step in its next game.
    fn out_of_step(&mut self) -> bool;

    /// The most memory that the bot and its descendants held since this was last asked, in KiB,
    /// where that is known.
    fn peak_kib(&mut self) -> Option<u64>;

    /// Tells the bot to exit and lets it do so, without waiting for it.
    fn dismiss(&mut self);

    /// Ends the bot for good, by force if it has not exited within `grace`.
    fn close(&mut self, grace: Duration);

    /// The answer that a closed bot gave after its time was over, if it gave one.
    fn late_answer(&mut self) -> Option<LateAnswer>;
}

/// Why a bot gave no usable answer.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Fault {
    /// Its program is there and cannot be run.
    #[error(
        "the bot's program cannot be run: {problem}; a script begins with a line such as \
         #!/usr/bin/env python3, and a program is built for this machine"
    )]
    NotStarted { problem: String },
    /// Its program could not be built.
    #[error("the build failed: {problem}")]
    NotBuilt { problem: String },
    /// No answer in time on the wall.
    #[error("no answer within {}{}", seconds(*limit), awaited(*limit, *waited))]
    Late { limit: Duration, waited: Duration },
    /// No answer in time on the wall. The bot had to wait for a processor for so long that nobody can
    /// say whether the answer would have come.
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
    /// No answer before its time on the processor was used up.
    #[error("no answer after {} of processor time", seconds(*used))]
    CpuSpent { used: Duration },
    /// It computed while it was not asked, and may not.
    #[error("the bot used {} of processor time while it was not its turn", seconds(*used))]
    OffTurn { used: Duration },
    /// It got rid of the counter of its processor time.
    #[error(
        "the bot runs a program that may be executed and not read, so its processor time cannot be counted; \
         make the program readable for everybody who may execute it (chmod +r)"
    )]
    Uncounted,
    /// Its process ended.
    #[error("the bot's process {how}")]
    Exited { how: String },
    /// It was killed because it and its descendants held more memory than they may.
    #[error(
        "the bot and its descendants held {} of memory; the limit is {}",
        mebibytes(*held),
        mebibytes(*limit)
    )]
    Memory { held: u64, limit: u64 },
    /// It closed its stdout and lives on.
    #[error("the bot closed its standard output")]
    HungUp,
    /// The person who played went away.
    #[error("the player left")]
    Left,
    /// It wrote an answer before it was asked.
    #[error(
        "the bot wrote `{line}` before it was asked; one line answers one request, and debug \
         lines begin with #"
    )]
    OutOfTurn { line: String },
    /// A line without end.
    #[error("the bot wrote a line of more than {limit} bytes")]
    LineTooLong { limit: usize },
    /// Too much output before an answer.
    #[error("the bot wrote more than {limit} bytes without an answer among them")]
    Flood { limit: usize },
    /// A line that is not UTF-8 text.
    #[error("the bot wrote a line that is not UTF-8 text")]
    NotText,
    /// The game was broken off while its answer was awaited.
    #[error("the game was broken off")]
    BrokenOff,
    /// The machine or the harness failed; the bot is not to blame.
    #[error("the harness failed: {0}")]
    Machine(#[source] io::Error),
}

/// A duration for people: seconds with three decimals.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{:.3} s", duration.as_secs_f64())
}

/// How long the referee waited for an answer, where that is worth saying: on a busy machine it waits for longer than an
/// answer may take.
fn awaited(limit: Duration, waited: Duration) -> String {
    match waited > limit + limit / 10 + Duration::from_millis(10) {
        true => format!(
            " (the referee waited {}, because the machine was busy)",
            seconds(waited)
        ),
        false => String::new(),
    }
}

/// A time as the protocol has it: whole milliseconds, rounded down.
pub(crate) fn millis(time: Option<Duration>) -> Millis {
    Millis(time.map(|time| time.as_millis().try_into().unwrap_or(u64::MAX)))
}

/// An amount of memory for people.
pub(crate) fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// How much output of a bot is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputLimits {
    /// The greatest length of a line on stdout, in bytes.
    pub line: usize,
    /// The greatest amount on stdout before an answer, debug lines included, in bytes.
    pub turn: usize,
    /// How much of stderr and debug lines is kept for one game, in bytes.
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
