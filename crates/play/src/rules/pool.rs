//! Running processes of one rules program. A game borrows one and gives it back, so that a worker's games share a
//! process.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::program::{Deadlines, GRACE, Program};
use crate::bot::{Confinement, Launch, Supervisor, Workplace};
use crate::game::{RulesCommand, RulesFault};

/// Gives the supervisor that ends a rules program with all that it started, or why there is none.
pub type SupervisorSource = fn() -> Result<Supervisor, String>;

pub fn launch(command: &RulesCommand) -> Launch {
    let mut words = command.words.iter().cloned();
    Launch {
        program: words.next().map(PathBuf::from).unwrap_or_default(),
        args: words.collect(),
        dir: Some(command.dir.clone()),
        ..Launch::default()
    }
}

/// The limits of a rules program that may use so much memory, in bytes.
pub fn confinement(memory: u64) -> Confinement {
    Confinement {
        memory: Some(memory),
        ..Confinement::default()
    }
}

#[derive(Debug)]
pub struct Pool {
    launch: Launch,
    deadlines: Deadlines,
    confinement: Confinement,
    /// The hello that each process must say; `None` accepts any.
    hello: Option<String>,
    supervisor: SupervisorSource,
    idle: Mutex<Vec<Program>>,
}

impl Pool {
    pub(super) fn new(
        command: &RulesCommand,
        hello: Option<&str>,
        supervisor: SupervisorSource,
    ) -> Self {
        Self {
            launch: launch(command),
            deadlines: Deadlines {
                answer: Duration::from_millis(command.answer_ms),
                start: Duration::from_millis(command.start_ms),
            },
            confinement: confinement(command.memory),
            hello: hello.map(str::to_owned),
            supervisor,
            idle: Mutex::default(),
        }
    }

    pub(super) fn with_hello(self, hello: &str) -> Self {
        Self {
            hello: Some(hello.to_owned()),
            ..self
        }
    }

    pub(super) fn take(&self) -> Result<Program, RulesFault> {
        let place = Workplace::of_this_thread();
        let Some(mut program) = self.take_idle(place.as_ref()) else {
            return self.take_new();
        };
        program.move_to(place);
        Ok(program)
    }

    pub(super) fn take_new(&self) -> Result<Program, RulesFault> {
        let place = Workplace::of_this_thread();
        let mut program = self.start(place.as_deref())?;
        program.move_to(place);
        Ok(program)
    }

    /// A process of this place, or one that works nowhere.
    fn take_idle(&self, place: Option<&Arc<Workplace>>) -> Option<Program> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let own = idle.iter().position(|program| program.works_at(place));
        let index = own.or_else(|| idle.iter().position(Program::is_free))?;
        Some(idle.swap_remove(index))
    }

    fn start(&self, place: Option<&Workplace>) -> Result<Program, RulesFault> {
        if let Some(lane) = place.and_then(|place| place.lane.as_ref()) {
            lane.before_start();
        }
        let checked = self.launch.check();
        checked.map_err(|error| RulesFault::Ended(error.to_string()))?;
        let supervisor = (self.supervisor)().map_err(RulesFault::Ended)?;
        let program = Program::start(
            &self.launch,
            self.deadlines,
            &supervisor,
            &self.confinement,
            place.and_then(|place| place.cancel.clone()),
        )?;
        match &self.hello {
            Some(hello) if *hello != program.hello_text => {
                let changed = changed_line(hello, &program.hello_text);
                program.close();
                Err(changed)
            }
            _ => Ok(program),
        }
    }

    /// Takes a process back, whose game is over or was left.
    pub(super) fn give_back(&self, program: Program) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(program);
    }

    /// Ends all processes that no game uses. They have one grace period together.
    pub(super) fn close(&self) {
        let mut idle =
            std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        idle.iter_mut().for_each(Program::dismiss);
        let end = Instant::now() + GRACE;
        for program in idle {
            program.close_within(end.saturating_duration_since(Instant::now()));
        }
    }
}

/// The fault of a program that describes another game than before.
fn changed_line(before: &str, now: &str) -> RulesFault {
    let mut before = before.lines().chain(std::iter::repeat("ok"));
    let line = now.lines().chain(["ok"]);
    let (line, expected) = line
        .zip(&mut before)
        .find(|(now, before)| now != before)
        .unwrap_or_default();
    RulesFault::Malformed {
        line: line.to_owned(),
        expected: format!("`{expected}`, as it said before"),
    }
}
