//! A player inside this process.

use std::time::Duration;

use super::{Contention, Fault, LateAnswer, Log, Player};
use crate::clock::{Spent, Wait};
use crate::protocol::ToBot;

/// What a [`Double`] does when it is asked.
#[derive(Debug)]
pub enum Reply {
    /// It answers this line, after this long on the wall and on the processor.
    Line(String, Duration),
    /// It fails.
    Fault(Fault),
}

/// A player whose answers come from a function of all that it was told so far.
pub struct Double<F> {
    brain: F,
    told: Vec<String>,
    contention: Contention,
}

impl<F: FnMut(&[String]) -> Reply> Double<F> {
    /// A player that answers with `brain`, which is shown every line that the player was sent.
    pub fn new(brain: F) -> Self {
        Self {
            brain,
            told: Vec::new(),
            contention: Contention::default(),
        }
    }

    /// The player, on a machine that does this to it in every turn.
    pub fn with_contention(mut self, contention: Contention) -> Self {
        self.contention = contention;
        self
    }

    /// All lines that the player was sent.
    pub fn told(&self) -> &[String] {
        &self.told
    }
}

/// A player whose bot could not be started: it fails at each request.
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
                Ok(Spent {
                    wall: took,
                    cpu: took,
                    idle_cpu: Duration::ZERO,
                })
            }
            Reply::Fault(fault) => Err(fault),
        }
    }

    fn contention(&mut self) -> Contention {
        self.contention
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
