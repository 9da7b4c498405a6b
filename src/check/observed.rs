//! A player that records notes on a bot's process.

use std::time::Duration;

use crate::bot::{Contention, Fault, LateAnswer, Log, Player, Process};
use crate::clock::{Spent, Wait};
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
            ToBot::Did { .. }
            | ToBot::See { .. }
            | ToBot::Can { .. }
            | ToBot::End { .. }
            | ToBot::Quit => {}
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
            (Ok(spent), Some(Request::Hello)) => self.notes.hello = Some((answer.clone(), *spent)),
            (Ok(spent), Some(Request::Start)) => self.notes.ready = Some(*spent),
            (Ok(_), Some(Request::Act)) if said_illegal(answer).is_some() => {}
            (Ok(spent), Some(Request::Act)) => self.notes.actions.push(*spent),
            (Ok(_), None) | (Err(_), _) => {}
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
