//! A conversation with a rules program. The requests and answers since `new` are kept.

use std::path::Path;
use std::time::Duration;

use super::CheckPlan;
use super::conversation::Exchange;
use super::problems::{Check, ENDED, MALFORMED, NO_ANSWER, Problem, Value};
use super::report::Finding;
use crate::check::findings::last_lines;
use crate::game::RulesFault;
use crate::rules::{Answer, Hello, Program, Request, ShownPosition};

#[derive(Debug)]
pub enum Reply {
    Answer(Answer),
    Legal(Vec<String>),
    Shown(ShownPosition),
}

/// The variable that decides the order of a set in Python.
pub const HASH_SEED: &str = "PYTHONHASHSEED";

#[derive(Debug)]
pub struct RulesSession {
    program: Program,
    check: Check,
    exchanges: Vec<Exchange>,
    left: Duration,
    pub findings: Vec<Finding>,
}

pub type StepFailure = Box<Finding>;

impl RulesSession {
    /// Starts the program, with variables or in a folder beyond the plan's, and asks who it is.
    pub fn start(
        plan: &CheckPlan,
        check: Check,
        env: &[(&str, &str)],
        dir: Option<&Path>,
    ) -> Result<Self, StepFailure> {
        let mut launch = plan.rules.clone();
        // Equal in all processes, so that a check gives the same report each time.
        for (key, value) in [(HASH_SEED, "0")].iter().chain(env) {
            launch.env.push(((*key).to_owned(), (*value).to_owned()));
        }
        launch.dir = dir.map(Path::to_owned).or(launch.dir);
        let started = Program::start(
            &launch,
            plan.deadlines,
            &plan.supervisor,
            &plan.confinement,
            None,
        );
        let mut program = started.map_err(|fault| {
            let mut finding = of_fault(check, &fault, &[]);
            finding.transcript = vec!["> rules 1".to_owned()];
            Box::new(finding)
        })?;
        program.take_lines();
        Ok(Self {
            program,
            check,
            exchanges: Vec::new(),
            left: plan.time,
            findings: Vec::new(),
        })
    }

    pub fn hello(&self) -> &Hello {
        self.program.hello()
    }

    pub fn ask(&mut self, requests: &[Request]) -> Result<Vec<Reply>, StepFailure> {
        for request in requests {
            self.program.queue(request);
        }
        let each = requests.iter();
        each.map(|request| self.receive(request)).collect()
    }

    fn receive(&mut self, request: &Request) -> Result<Reply, StepFailure> {
        let program = &mut self.program;
        let reply = match request {
            Request::New(start) => {
                self.exchanges.clear();
                program.next_beginning(start.seats).map(Reply::Answer)
            }
            Request::Play(actions) => {
                let acted: Vec<u8> = actions.iter().map(|(seat, _)| *seat).collect();
                program.next_answer(&acted).map(Reply::Answer)
            }
            Request::Legal(seat) => program.next_legal(*seat).map(Reply::Legal),
            // Nothing else is asked.
            Request::Show(_) | Request::Hello | Request::Quit => {
                program.next_shown().map(Reply::Shown)
            }
        };
        self.exchanges.push(Exchange {
            request: request.clone(),
            answer: self.program.take_lines(),
        });
        reply.map_err(|fault| self.broken(&fault))
    }

    fn ask_one(&mut self, request: &Request) -> Result<Reply, StepFailure> {
        self.program.queue(request);
        self.receive(request)
    }

    pub fn answer(&mut self, request: &Request) -> Result<Answer, StepFailure> {
        match self.ask_one(request)? {
            Reply::Answer(answer) => Ok(answer),
            _ => Err(self.broken(&RulesFault::NoOutcome)),
        }
    }

    pub fn legal(&mut self, seat: u8) -> Result<Vec<String>, StepFailure> {
        match self.ask_one(&Request::Legal(seat))? {
            Reply::Legal(legal) => Ok(legal),
            _ => Ok(Vec::new()),
        }
    }

    /// The board as a seat may see it; all of it for `None`.
    pub fn show(&mut self, seat: Option<u8>) -> Result<ShownPosition, StepFailure> {
        match self.ask_one(&Request::Show(seat))? {
            Reply::Shown(shown) => Ok(shown),
            _ => Ok(ShownPosition::default()),
        }
    }

    pub fn finding(&self, problem: Problem, values: &[Value<'_>]) -> Finding {
        Finding::new(problem, values, &self.exchanges)
    }

    pub fn report(&mut self, problem: Problem, values: &[Value<'_>]) {
        self.findings.push(self.finding(problem, values));
    }

    fn broken(&mut self, fault: &RulesFault) -> StepFailure {
        let mut finding = of_fault(self.check, fault, &self.exchanges);
        finding.stderr = last_lines(&self.program.take_log());
        Box::new(finding)
    }

    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    pub fn has_time(&mut self) -> bool {
        self.left = self.left.saturating_sub(self.program.take_time());
        !self.left.is_zero()
    }

    /// Peak memory since the last call, in bytes, where known.
    pub fn peak_memory(&mut self) -> Option<u64> {
        self.program.peak_kib().map(|kib| kib << 10)
    }
}

fn of_fault(check: Check, fault: &RulesFault, exchanges: &[Exchange]) -> Finding {
    let cause = match fault {
        RulesFault::WithLog { cause, .. } => cause,
        fault => fault,
    };
    let problem = match cause {
        RulesFault::TimedOut(_) => NO_ANSWER,
        RulesFault::Malformed { .. } => MALFORMED,
        _ => ENDED,
    };
    Finding {
        check,
        ..Finding::new(problem, &[("fault", fault)], exchanges)
    }
}
