//! A player that records notes on a bot's process.

use std::time::Duration;

use crate::clock::{Spent, Wait};
use crate::player::{Contention, Fault, LateAnswer, Log, Player, Process};
use crate::protocol::{ToBot, said_illegal};

/// Kind of request to a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// The handshake.
    Hello,
    /// Get ready for a game.
    Start,
    /// An action.
    Act,
}

/// Kind of fault, by the help that it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// No answer within the limit.
    Late,
    /// The process ended, or closed its output.
    Gone,
    /// The program could not be run.
    NotStarted,
    /// Output that is no answer.
    Noise,
    /// Too much memory.
    Memory,
    /// A bridge to another program reported that the program gave no action.
    NoAction,
    /// The CPU time was used up.
    CpuSpent,
    /// CPU time off turn, where that is forbidden.
    OffTurn,
    /// The bot escaped the counter of its CPU time.
    Uncounted,
}

/// Notes on a bot in one game.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Answer to the handshake, and the time it took.
    pub hello: Option<(String, Spent)>,
    /// Time until it was ready.
    pub ready: Option<Spent>,
    /// Time spent on each action.
    pub actions: Vec<Spent>,
    /// The last request.
    pub request: Option<Request>,
    /// Kind of fault of the last answer, unless its content was at fault.
    pub trouble: Option<Trouble>,
}

impl Notes {
    /// Whether the handshake was requested and not answered.
    pub fn is_silent(&self) -> bool {
        self.request == Some(Request::Hello) && self.hello.is_none()
    }
}

/// Forwards all calls to a process, and takes notes.
pub(super) struct ObservedProcess {
    pub process: Process,
    pub notes: Notes,
}

impl Player for ObservedProcess {
    fn tell(&mut self, message: &ToBot<'_>) {
        match message {
            ToBot::Hello { .. } => self.notes.request = Some(Request::Hello),
            ToBot::Start(_) => self.notes.request = Some(Request::Start),
            ToBot::Act { .. } => self.notes.request = Some(Request::Act),
            ToBot::Did { .. } | ToBot::End { .. } | ToBot::Quit => {}
        }
        self.process.tell(message);
    }

    fn flush(&mut self) {
        self.process.flush();
    }

    fn request(&mut self) {
        self.process.request();
    }

    fn answer(&mut self, wait: Wait, answer: &mut String) -> Result<Spent, Fault> {
        let result = self.process.answer(wait, answer);
        match (&result, self.notes.request) {
            (Ok(_), Some(Request::Act)) if said_illegal(answer).is_some() => {
                self.notes.trouble = Some(Trouble::NoAction);
            }
            (Ok(spent), Some(Request::Hello)) => self.notes.hello = Some((answer.clone(), *spent)),
            (Ok(spent), Some(Request::Start)) => self.notes.ready = Some(*spent),
            (Ok(spent), Some(Request::Act)) => self.notes.actions.push(*spent),
            (Ok(_), None) => {}
            (Err(fault), _) => self.notes.trouble = trouble(fault),
        }
        result
    }

    fn unanswered(&mut self) -> Spent {
        self.process.unanswered()
    }

    fn contention(&mut self) -> Contention {
        self.process.contention()
    }

    fn take_log(&mut self) -> Log {
        self.process.take_log()
    }

    fn out_of_step(&mut self) -> bool {
        self.process.out_of_step()
    }

    fn peak_kib(&mut self) -> Option<u64> {
        self.process.peak_kib()
    }

    fn dismiss(&mut self) {
        self.process.dismiss();
    }

    fn close(&mut self, grace: Duration) {
        self.process.close(grace);
    }

    fn late_answer(&mut self) -> Option<LateAnswer> {
        self.process.late_answer()
    }
}

/// Kind of a fault, if the bot is to blame.
fn trouble(fault: &Fault) -> Option<Trouble> {
    Some(match fault {
        Fault::Late { .. } => Trouble::Late,
        Fault::Exited { .. } | Fault::HungUp => Trouble::Gone,
        Fault::NotStarted { .. } | Fault::NotBuilt { .. } => Trouble::NotStarted,
        Fault::OutOfTurn { .. }
        | Fault::LineTooLong { .. }
        | Fault::Flood { .. }
        | Fault::NotText => Trouble::Noise,
        Fault::Memory { .. } => Trouble::Memory,
        Fault::CpuSpent { .. } => Trouble::CpuSpent,
        Fault::OffTurn { .. } => Trouble::OffTurn,
        Fault::Uncounted => Trouble::Uncounted,
        Fault::Starved { .. } | Fault::Left | Fault::BrokenOff | Fault::Machine(_) => return None,
    })
}
