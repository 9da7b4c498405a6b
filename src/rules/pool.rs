//! Running processes of one rules program. A game borrows one and gives it back, so that a worker's games share a
//! process.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::program::{Deadlines, Program};
use crate::bot::{Confinement, Launch, Supervisor};
use crate::game::{RulesCommand, RulesFault};

/// Memory of a rules program with all its processes.
const MEMORY: u64 = 2 << 30;

/// Gives the supervisor that ends a rules program with all that it started, or why there is none.
pub type SupervisorSource = fn() -> Result<Supervisor, String>;

/// The launch of a rules program.
pub fn launch(command: &RulesCommand) -> Launch {
    let mut words = command.words.iter().cloned();
    Launch {
        program: words.next().map(PathBuf::from).unwrap_or_default(),
        args: words.collect(),
        dir: Some(command.dir.clone()),
        env: Vec::new(),
        course_files: None,
    }
}

/// The limits of a rules program.
pub fn confinement() -> Confinement {
    Confinement {
        memory: Some(MEMORY),
        ..Confinement::default()
    }
}

/// The processes of one rules program.
#[derive(Debug)]
pub struct Pool {
    launch: Launch,
    deadlines: Deadlines,
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
                answer: Duration::from_millis(command.deadline_ms),
                ..Deadlines::default()
            },
            hello: hello.map(str::to_owned),
            supervisor,
            idle: Mutex::default(),
        }
    }

    /// This pool, whose processes must say this hello.
    pub(super) fn with_hello(self, hello: &str) -> Self {
        Self {
            hello: Some(hello.to_owned()),
            ..self
        }
    }

    /// A process without a game.
    ///
    /// # Errors
    /// It cannot be started, or does not say the hello.
    pub(super) fn take(&self) -> Result<Program, RulesFault> {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        idle.map_or_else(|| self.start(), Ok)
    }

    fn start(&self) -> Result<Program, RulesFault> {
        let checked = self.launch.check();
        checked.map_err(|error| RulesFault::Ended(error.to_string()))?;
        let supervisor = (self.supervisor)().map_err(RulesFault::Ended)?;
        let program = Program::start(
            &self.launch,
            self.deadlines,
            &supervisor,
            &confinement(),
            None,
        )?;
        match &self.hello {
            Some(hello) if hello != program.hello_text() => {
                let changed = changed_line(hello, program.hello_text());
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

    /// Ends all processes that no game uses.
    pub(super) fn close(&self) {
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        idle.into_iter().for_each(Program::close);
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
