//! Why a bot gave no usable answer.

use std::borrow::Cow;
use std::io;
use std::time::Duration;

use rustix::io::Errno;
use thiserror::Error;

use crate::protocol::Millis;

#[derive(Debug, Error)]
pub enum Fault {
    #[error("the bot's program cannot be run: {problem}")]
    NotStarted { problem: String },
    #[error("the build failed: {problem}")]
    NotBuilt { problem: String },
    #[error(
        "no {} within {}{}{}",
        missing.answer, seconds(*limit), awaited(*limit, *waited), unended_line(&missing.unended)
    )]
    Late {
        missing: Box<Missing>,
        limit: Duration,
        waited: Duration,
    },
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
    #[error("no answer after {} of processor time", seconds(*used))]
    CpuSpent { used: Duration },
    #[error("the bot used {} of processor time while it was not its turn", seconds(*used))]
    OffTurn { used: Duration },
    #[error(
        "the bot runs a program that may be executed and not read, or has such an ELF interpreter, so its processor time \
         cannot be counted; make both readable for everybody who may execute them (chmod +r)"
    )]
    Uncounted,
    #[error("the bot's process {how}")]
    Exited { how: String },
    #[error(
        "the bot and its descendants held {} of memory; the limit is {}",
        mebibytes(*held),
        mebibytes(*limit)
    )]
    Memory { held: u64, limit: u64 },
    /// The bot closed its stdout and is still alive.
    #[error("the bot closed its standard output")]
    HungUp,
    #[error("the player left")]
    Left,
    #[error(
        "the bot wrote {line} before it was asked; one line answers one request, and debug \
         lines begin with #"
    )]
    OutOfTurn { line: String },
    #[error("the engine wrote `{line}` without {rule}")]
    MoveUnasked { line: String, rule: &'static str },
    /// An engine cannot be set up as its entry says.
    #[error("{problem}")]
    EngineOption { problem: String },
    /// An engine refused a command without which it cannot play on.
    #[error("the engine refused {refused}")]
    Refused { refused: String },
    #[error("the bot wrote a line of more than {limit} bytes")]
    LineTooLong { limit: usize },
    #[error("the bot wrote more than {limit} bytes without an answer among them")]
    Flood { limit: usize },
    #[error("the bot wrote a line that is not UTF-8 text, and looks like {encoding}: `{line}`")]
    NotText {
        line: String,
        encoding: &'static str,
    },
    #[error("the game was broken off")]
    BrokenOff,
    #[error("the harness failed: {}", words_of_machine(.0))]
    Machine(#[source] io::Error),
}

/// An answer that did not come, for the message.
#[derive(Debug)]
pub struct Missing {
    pub answer: Cow<'static, str>,
    /// An excerpt of the line without an end that came; empty without one.
    pub unended: String,
}

impl From<&'static str> for Box<Missing> {
    fn from(answer: &'static str) -> Self {
        let (answer, unended) = (answer.into(), String::new());
        Box::new(Missing { answer, unended })
    }
}

/// An error of the system, and what helps against a lack of something.
pub fn words_of_machine(error: &io::Error) -> String {
    let remedy = match Errno::from_io_error(error) {
        Some(Errno::MFILE | Errno::NFILE) => {
            ": allow more open files (`ulimit -n`), or play fewer games at a time (-j)"
        }
        Some(Errno::AGAIN) => {
            ": allow more processes (`ulimit -u`), or play fewer games at a time (-j)"
        }
        _ => "",
    };
    format!("{error}{remedy}")
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

fn unended_line(line: &str) -> String {
    match line {
        "" => String::new(),
        line => format!("; its last line, `{line}`, has no newline"),
    }
}

pub fn seconds(duration: Duration) -> String {
    format!("{:.3} s", duration.as_secs_f64())
}

/// A time in the protocol's unit: whole milliseconds, rounded down.
pub fn millis(time: Option<Duration>) -> Millis {
    Millis(time.map(|time| time.as_millis().try_into().unwrap_or(u64::MAX)))
}

pub fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
