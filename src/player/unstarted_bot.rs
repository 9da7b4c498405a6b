//! A player whose bot could not be started.

use std::time::Duration;

use super::{Contention, Fault, Log, Player};
use crate::clock::{Spent, Wait};
use crate::protocol::ToBot;

/// Takes the seat of a bot that could not be started, and fails at the first request.
#[derive(Debug)]
pub struct UnstartedBot {
    problem: String,
    built: bool,
}

impl UnstartedBot {
    /// A player that is not there because of `problem`.
    pub fn new(problem: impl Into<String>) -> Self {
        Self {
            problem: problem.into(),
            built: true,
        }
    }

    /// A player whose program could not be built because of `problem`.
    pub fn not_built(problem: impl Into<String>) -> Self {
        Self {
            problem: problem.into(),
            built: false,
        }
    }
}

impl Player for UnstartedBot {
    fn tell(&mut self, _message: &ToBot<'_>) {}

    fn flush(&mut self) {}

    fn request(&mut self) {}

    fn answer(&mut self, _wait: Wait, _answer: &mut String) -> Result<Spent, Fault> {
        let problem = self.problem.clone();
        Err(match self.built {
            true => Fault::NotStarted { problem },
            false => Fault::NotBuilt { problem },
        })
    }

    fn contention(&mut self) -> Contention {
        Contention::default()
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
}
