//! An in-process player, for tests.

use std::time::Duration;

use super::{Contention, Fault, Player};
use crate::clock::{Spent, Wait};
use crate::protocol::ToBot;

#[derive(Debug)]
pub enum Reply {
    /// Answers this line, after this much wall and CPU time.
    Line(String, Duration),
    Fault(Fault),
}

/// A player whose answers are a function of the lines it has received.
pub struct Double<F> {
    brain: F,
    pub received: Vec<String>,
    /// Its contention, asked for anew each time.
    pub contention: Box<dyn FnMut() -> Contention>,
    /// How long it waits for a processor of the time of each answer, at most.
    pub waits: Duration,
}

impl<F: FnMut(&[String]) -> Reply> Double<F> {
    /// A player that answers with `brain`, called with all lines received so far.
    pub fn new(brain: F) -> Self {
        Self {
            brain,
            received: Vec::new(),
            contention: Box::new(Contention::default),
            waits: Duration::ZERO,
        }
    }
}

/// A player for a bot that could not be started: every request fails.
pub fn unstarted(fault: impl Fn() -> Fault) -> impl Player {
    Double::new(move |_: &[String]| Reply::Fault(fault()))
}

impl<F: FnMut(&[String]) -> Reply> Player for Double<F> {
    fn tell(&mut self, message: &ToBot<'_>) {
        self.received.push(message.to_string());
    }

    fn request(&mut self) {}

    fn answer(&mut self, _wait: Wait, answer: &mut String) -> Result<Spent, Fault> {
        match (self.brain)(&self.received) {
            Reply::Line(line, took) => {
                *answer = line;
                let waited = self.waits.min(took);
                Ok(Spent {
                    wall: took - waited,
                    cpu: took,
                    waited,
                    ..Spent::default()
                })
            }
            Reply::Fault(fault) => Err(fault),
        }
    }

    fn contention(&mut self) -> Contention {
        (self.contention)()
    }
}
