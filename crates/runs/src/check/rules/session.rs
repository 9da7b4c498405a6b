//! A conversation with a rules program. The requests and answers since `new` are kept.

use std::path::Path;
use std::time::Duration;

use super::CheckPlan;
use super::conversation::{Exchange, Request};
use super::problems::{Check, ENDED, MALFORMED, NO_ANSWER, Problem, Value};
use super::report::Finding;
use crate::check::findings::last_lines;
use crate::game::RulesFault;
use crate::rules::{
    Answer, AnswerReader, Hello, LegalReader, Malformed, Program, ShownPosition, ShownReader,
};

/// An answer: the part that the request asks for.
#[derive(Debug, Default)]
pub struct Reply {
    pub answer: Option<Answer>,
    legal: Vec<String>,
    shown: ShownPosition,
}

/// The variable that decides the order of a set in Python.
pub const HASH_SEED: &str = "PYTHONHASHSEED";

/// A rules program, and what it was asked since `new`.
#[derive(Debug)]
pub struct RulesSession<'a> {
    plan: &'a CheckPlan,
    program: Program,
    check: Check,
    seats: u8,
    exchanges: Vec<Exchange>,
    left: Duration,
    pub findings: Vec<Finding>,
}

/// A fault that ends a step of the check.
pub type StepFailure = Box<Finding>;

impl<'a> RulesSession<'a> {
    /// Starts the program, with variables or in a folder beyond the plan's, and asks who it is.
    pub fn start(
        plan: &'a CheckPlan,
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
        let program = started.map_err(|fault| {
            let mut finding = of_fault(check, &fault, &[]);
            finding.transcript = vec!["> rules 1".to_owned()];
            Box::new(finding)
        })?;
        Ok(Self {
            plan,
            program,
            check,
            seats: 0,
            exchanges: Vec::new(),
            left: plan.time,
            findings: Vec::new(),
        })
    }

    pub fn hello(&self) -> &Hello {
        self.program.hello()
    }

    /// Sends requests in one write, and reads the answers.
    pub fn ask(&mut self, requests: &[Request]) -> Result<Vec<Reply>, StepFailure> {
        for request in requests {
            self.program.queue_request(request.text().as_bytes());
        }
        let each = requests.iter();
        each.map(|request| self.receive(request)).collect()
    }

    /// Reads the answer to the earliest request without one, which was `request`.
    fn receive(&mut self, request: &Request) -> Result<Reply, StepFailure> {
        let mut limit = self.plan.deadlines.answer;
        if let Request::New(start) = request {
            self.seats = start.seats;
            self.exchanges.clear();
            limit = self.plan.deadlines.start;
        }
        let mut answer = Vec::new();
        let read = self.read(request, limit, &mut answer);
        self.exchanges.push(Exchange {
            request: request.clone(),
            answer,
        });
        read.map_err(|fault| self.broken(&fault))
    }

    fn read(
        &mut self,
        request: &Request,
        limit: Duration,
        kept: &mut Vec<String>,
    ) -> Result<Reply, RulesFault> {
        let lines = self.program.hello().has.lines;
        let mut reply = Reply::default();
        match request {
            Request::New(_) | Request::Play(_) => {
                let acted = match request {
                    Request::Play(actions) => actions.iter().map(|(seat, _)| *seat).collect(),
                    _ => Vec::new(),
                };
                let mut reader = AnswerReader::new(self.seats, lines, &acted);
                self.program.read_answer(limit, |line| {
                    kept.push(line.to_owned());
                    reply.answer = reader.take(line)?;
                    Ok(reply.answer.is_some())
                })?;
            }
            Request::Legal(seat) => {
                let mut reader = LegalReader::new(*seat, self.seats, lines);
                self.read_lines(limit, kept, |line| reader.take(line))?;
                reply.legal = reader.finish();
            }
            Request::Show(_) => {
                let mut reader = ShownReader::default();
                self.read_lines(limit, kept, |line| reader.take(line))?;
                reply.shown = reader.finish();
            }
        }
        Ok(reply)
    }

    /// Reads lines up to `ok`.
    fn read_lines(
        &mut self,
        limit: Duration,
        kept: &mut Vec<String>,
        mut take: impl FnMut(&str) -> Result<(), Malformed>,
    ) -> Result<(), RulesFault> {
        self.program.read_answer(limit, |line| {
            kept.push(line.to_owned());
            match line {
                "ok" => Ok(true),
                line => take(line).map(|()| false),
            }
        })
    }

    /// Sends one request, and reads its answer.
    fn ask_one(&mut self, request: &Request) -> Result<Reply, StepFailure> {
        let mut replies = self.ask(std::slice::from_ref(request))?;
        Ok(replies.pop().unwrap_or_default())
    }

    /// The answer to `new` or `play`.
    pub fn answer(&mut self, request: &Request) -> Result<Answer, StepFailure> {
        let answer = self.ask_one(request)?.answer;
        answer.ok_or_else(|| self.broken(&RulesFault::NoOutcome))
    }

    pub fn legal(&mut self, seat: u8) -> Result<Vec<String>, StepFailure> {
        Ok(self.ask_one(&Request::Legal(seat))?.legal)
    }

    /// The board as a seat may see it; all of it for `None`.
    pub fn show(&mut self, seat: Option<u8>) -> Result<ShownPosition, StepFailure> {
        Ok(self.ask_one(&Request::Show(seat))?.shown)
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

    /// Whether the program has time left for this step.
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
