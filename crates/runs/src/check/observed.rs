//! A bot whose answers are noted as it plays.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::bot::{
    AnswerWait, Contention, Fault, LateAnswer, Piped, Player, Process, ReadyStreams, Streams,
    Values,
};
use crate::clock::{Spent, Wait};
use crate::protocol::{ToBot, said_illegal};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    Hello,
    Start,
    Act,
}

#[derive(Debug, Default)]
pub(super) struct Notes {
    pub hello: Option<(String, Spent)>,
    pub ready: Option<Spent>,
    pub actions: Vec<Spent>,
    pub request: Option<Request>,
}

impl Notes {
    fn add(&mut self, answer: &str, spent: Spent) {
        match self.request {
            Some(Request::Hello) => self.hello = Some((answer.to_owned(), spent)),
            Some(Request::Start) => self.ready = Some(spent),
            Some(Request::Act) if said_illegal(answer).is_some() => {}
            Some(Request::Act) => self.actions.push(spent),
            None => {}
        }
    }

    /// Whether the handshake was requested and not answered.
    pub fn is_silent(&self) -> bool {
        self.request == Some(Request::Hello) && self.hello.is_none()
    }
}

/// Forwards what a game asks of a process, and takes notes.
pub(super) struct ObservedProcess {
    pub process: Process,
    pub notes: Notes,
    /// How long it is left alone once, before its second action of a game.
    pub pause: Duration,
    /// How long it may still wait without computing, where its clock does not count that; then it is asked no more.
    pub may_wait: Option<Duration>,
}

impl ObservedProcess {
    pub fn waited_enough(&self) -> bool {
        self.may_wait == Some(Duration::ZERO)
    }

    fn check_wait(&self) -> Result<(), Fault> {
        match self.waited_enough() {
            true => Err(Fault::BrokenOff),
            false => Ok(()),
        }
    }

    fn add(&mut self, answer: &str, spent: Spent) {
        self.notes.add(answer, spent);
        if let (Some(Request::Act), Some(left)) = (self.notes.request, &mut self.may_wait) {
            *left = left.saturating_sub(spent.idle());
        }
    }
}

impl Player for ObservedProcess {
    fn tell(&mut self, message: &ToBot<'_>) {
        match message {
            ToBot::Hello { .. } => self.notes.request = Some(Request::Hello),
            ToBot::Start(_) => self.notes.request = Some(Request::Start),
            ToBot::Act { .. } => {
                self.notes.request = Some(Request::Act);
                if self.notes.actions.len() == 1 {
                    std::thread::sleep(std::mem::take(&mut self.pause));
                }
            }
            ToBot::Set { .. }
            | ToBot::Did { .. }
            | ToBot::See { .. }
            | ToBot::Can { .. }
            | ToBot::Points { .. }
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
        self.check_wait()?;
        let spent = self.process.answer(wait, answer)?;
        self.add(answer, spent);
        Ok(spent)
    }

    fn piped(&mut self) -> Option<&mut dyn Piped> {
        Some(self)
    }

    fn unanswered(&mut self) -> Spent {
        self.process.unanswered()
    }

    fn contention(&mut self) -> Contention {
        self.process.contention()
    }

    fn values(&self) -> &Values {
        self.process.values()
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

impl Piped for ObservedProcess {
    fn begin_wait(
        &mut self,
        wait: Wait,
        answer: &mut String,
    ) -> Result<ControlFlow<Spent, AnswerWait>, Fault> {
        self.check_wait()?;
        let begun = self.process.begin_wait(wait, answer)?;
        if let ControlFlow::Break(spent) = begun {
            self.add(answer, spent);
        }
        Ok(begun)
    }

    fn streams(&self, waiting: &AnswerWait) -> Option<Streams<'_>> {
        self.process.streams(waiting)
    }

    fn wait_on(
        &mut self,
        waiting: &mut AnswerWait,
        ready: ReadyStreams,
        answer: &mut String,
    ) -> Result<Option<Spent>, Fault> {
        let spent = self.process.wait_on(waiting, ready, answer)?;
        if let Some(spent) = spent {
            self.add(answer, spent);
        }
        Ok(spent)
    }
}
