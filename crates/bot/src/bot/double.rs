//! An in-process player, for tests.

use std::time::Duration;

use super::{Contention, Fault, LateAnswer, Log, Player};
use crate::clock::{Spent, Wait};
use crate::protocol::ToBot;

/// Reaction of a [`Double`] to a request.
#[derive(Debug)]
pub enum Reply {
    /// Answers this line, after this much wall and CPU time.
    Line(String, Duration),
    /// Fails.
    Fault(Fault),
}

/// A player whose answers are a function of the lines it has received.
pub struct Double<F> {
    brain: F,
    told: Vec<String>,
    contention: Box<dyn FnMut() -> Contention>,
    waits: Duration,
}

impl<F: FnMut(&[String]) -> Reply> Double<F> {
    /// A player that answers with `brain`, called with all lines received so far.
    pub fn new(brain: F) -> Self {
        Self {
            brain,
            told: Vec::new(),
            contention: Box::new(Contention::default),
            waits: Duration::ZERO,
        }
    }

    /// Reports this contention, anew each time it is asked.
    pub fn with_contention(mut self, contention: impl FnMut() -> Contention + 'static) -> Self {
        self.contention = Box::new(contention);
        self
    }

    /// Waits for a processor for so long of the time of each answer, or all of it.
    pub fn with_waits(mut self, waits: Duration) -> Self {
        self.waits = waits;
        self
    }

    /// All lines received.
    pub fn received(&self) -> &[String] {
        &self.told
    }
}

/// A player for a bot that could not be started: every request fails.
pub fn unstarted(fault: impl Fn() -> Fault) -> impl Player {
    Double::new(move |_: &[String]| Reply::Fault(fault()))
}

impl<F: FnMut(&[String]) -> Reply> Player for Double<F> {
    fn tell(&mut self, message: &ToBot<'_>) {
        self.told.push(message.to_string());
    }

    fn flush(&mut self) {}

    fn request(&mut self) {}

    fn answer(&mut self, _wait: Wait, answer: &mut String) -> Result<Spent, Fault> {
        match (self.brain)(&self.told) {
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

    fn take_log(&mut self) -> Log {
        Log::default()
    }

    fn out_of_step(&mut self) -> bool {
        false
    }

    fn peak_kib(&mut self) -> Option<u64> {
        None
    }

    fn dismiss(&mut self) {}

    fn close(&mut self, _grace: Duration) {}

    fn late_answer(&mut self) -> Option<LateAnswer> {
        None
    }
}
