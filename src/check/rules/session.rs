//! A conversation with a rules program. The requests and answers since `new` are kept.

use std::path::PathBuf;
use std::time::Duration;

use super::CheckPlan;
use super::report::{Check, Difference, Finding, RulesFlaw, Transcript};
use super::request::{Actions, Request};
use crate::game::RulesFault;
use crate::rules::{
    Answer, AnswerReader, Hello, LegalReader, Malformed, Program, ShownPosition, ShownReader,
};
use crate::text::excerpt;

/// Maximum number of quoted lines of standard error, and maximum characters of a quoted line.
const STDERR_LINES: usize = 6;
const EXCERPT: usize = 160;

/// Number of requests at the end of a transcript whose answers it has.
const ANSWERED: usize = 2;

/// A request and the lines of its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    pub request: Request,
    pub answer: Vec<String>,
}

/// An answer.
#[derive(Debug)]
pub enum Reply {
    Answer(Answer),
    Legal(Vec<String>),
    Shown(ShownPosition),
}

/// Surroundings of a process beyond the plan's.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    pub env: Vec<(String, String)>,
    pub dir: Option<PathBuf>,
}

/// The variable that decides the order of a set in Python.
pub const HASH_SEED: &str = "PYTHONHASHSEED";

/// A rules program, and what it was asked since `new`.
#[derive(Debug)]
pub struct RulesSession<'a> {
    plan: &'a CheckPlan,
    program: Program,
    /// The check that a fault belongs to.
    pub check: Check,
    seats: u8,
    exchanges: Vec<Exchange>,
}

/// A fault that ends a step of the check.
pub type StepFailure = Box<Finding>;

impl<'a> RulesSession<'a> {
    /// Starts the program and asks who it is.
    pub fn start(
        plan: &'a CheckPlan,
        surroundings: &Surroundings,
        check: Check,
    ) -> Result<Self, StepFailure> {
        let mut launch = plan.rules.clone();
        // Equal in all processes, so that a check gives the same report each time.
        let fixed = [(HASH_SEED.to_owned(), "0".to_owned())];
        launch.env.extend(fixed);
        launch.env.extend(surroundings.env.iter().cloned());
        launch.dir = surroundings.dir.clone().or(launch.dir);
        let started = Program::start(
            &launch,
            plan.deadlines,
            &plan.supervisor,
            &plan.confinement,
            None,
        );
        let program = started.map_err(|fault| {
            Box::new(Finding {
                check,
                problem: RulesFlaw::Fault {
                    fault,
                    stderr: Vec::new(),
                },
                transcript: vec!["> rules 1".to_owned()],
            })
        })?;
        Ok(Self {
            plan,
            program,
            check,
            seats: 0,
            exchanges: Vec::new(),
        })
    }

    pub fn hello(&self) -> &Hello {
        self.program.hello()
    }

    /// Sends a request and reads its answer.
    pub fn ask(&mut self, request: &Request) -> Result<Reply, StepFailure> {
        self.send(request);
        self.receive(request)
    }

    /// Queues a request. It goes out with all that is queued once an answer is waited for.
    pub fn send(&mut self, request: &Request) {
        self.program.queue_request(request.text().as_bytes());
    }

    /// Reads the answer to the earliest request without one, which was `request`.
    pub fn receive(&mut self, request: &Request) -> Result<Reply, StepFailure> {
        let limit = match request {
            Request::New(start) => {
                self.seats = start.seats;
                self.exchanges.clear();
                self.plan.deadlines.start
            }
            _ => self.plan.deadlines.answer,
        };
        self.exchanges.push(Exchange {
            request: request.clone(),
            answer: Vec::new(),
        });
        let acted = match request {
            Request::Play(actions) => acted(actions),
            Request::Drop(seat) => vec![*seat],
            _ => Vec::new(),
        };
        let read = match request {
            Request::New(_) | Request::Play(_) | Request::Drop(_) => {
                self.read_answer(limit, &acted)
            }
            Request::Legal(seat) => self.read_legal(limit, *seat),
            Request::Show(_) => self.read_shown(limit),
        };
        read.map_err(|fault| self.broken(fault))
    }

    /// The answer to `new`, `play` or `drop`.
    pub fn answer(&mut self, request: &Request) -> Result<Answer, StepFailure> {
        match self.ask(request)? {
            Reply::Answer(answer) => Ok(answer),
            Reply::Legal(_) | Reply::Shown(_) => Err(self.broken(RulesFault::NoOutcome)),
        }
    }

    /// The legal actions of a seat.
    pub fn legal(&mut self, seat: u8) -> Result<Vec<String>, StepFailure> {
        match self.ask(&Request::Legal(seat))? {
            Reply::Legal(actions) => Ok(actions),
            Reply::Answer(_) | Reply::Shown(_) => Err(self.broken(RulesFault::NoOutcome)),
        }
    }

    /// The board as a seat may see it; all of it for `None`.
    pub fn show(&mut self, seat: Option<u8>) -> Result<ShownPosition, StepFailure> {
        match self.ask(&Request::Show(seat))? {
            Reply::Shown(shown) => Ok(shown),
            Reply::Answer(_) | Reply::Legal(_) => Err(self.broken(RulesFault::NoOutcome)),
        }
    }

    /// Whether an action of any bytes, which the harness would not send, is accepted.
    pub fn accepts_bytes(&mut self, seat: u8, action: &[u8]) -> Result<bool, RulesFault> {
        let mut request = format!("play {seat} ").into_bytes();
        request.extend_from_slice(action);
        request.push(b'\n');
        self.program.queue_request(&request);
        let reply = self.read_answer(self.plan.deadlines.answer, &[seat])?;
        Ok(matches!(reply, Reply::Answer(Answer::Turn(_))))
    }

    fn read_answer(&mut self, limit: Duration, acted: &[u8]) -> Result<Reply, RulesFault> {
        let lines = self.program.hello().has.lines;
        let mut reader = AnswerReader::new(self.seats, lines, acted);
        let mut kept = self.exchanges.last_mut();
        let mut answer = None;
        self.program.read_answer(limit, |line| {
            if let Some(exchange) = &mut kept {
                exchange.answer.push(line.to_owned());
            }
            answer = reader.take(line)?;
            Ok(answer.is_some())
        })?;
        answer.map(Reply::Answer).ok_or(RulesFault::NoOutcome)
    }

    fn read_legal(&mut self, limit: Duration, seat: u8) -> Result<Reply, RulesFault> {
        let lines = self.program.hello().has.lines;
        let mut reader = LegalReader::new(seat, self.seats, lines);
        self.read_lines(limit, |line| reader.take(line))?;
        Ok(Reply::Legal(reader.finish()))
    }

    fn read_shown(&mut self, limit: Duration) -> Result<Reply, RulesFault> {
        let mut reader = ShownReader::default();
        self.read_lines(limit, |line| reader.take(line))?;
        Ok(Reply::Shown(reader.finish()))
    }

    /// Reads lines up to `ok`.
    fn read_lines(
        &mut self,
        limit: Duration,
        mut take: impl FnMut(&str) -> Result<(), Malformed>,
    ) -> Result<(), RulesFault> {
        let mut kept = self.exchanges.last_mut();
        self.program.read_answer(limit, |line| {
            if let Some(exchange) = &mut kept {
                exchange.answer.push(line.to_owned());
            }
            match line {
                "ok" => Ok(true),
                line => take(line).map(|()| false),
            }
        })
    }

    /// A finding of the current check, with the conversation that shows it.
    pub fn finding(&self, problem: RulesFlaw) -> Finding {
        Finding {
            check: self.check,
            problem,
            transcript: transcript(&self.exchanges),
        }
    }

    fn broken(&mut self, fault: RulesFault) -> StepFailure {
        let text = self.program.take_log().text();
        let text = String::from_utf8_lossy(&text);
        let mut stderr: Vec<String> = text
            .lines()
            .rev()
            .filter(|line| !line.trim().is_empty())
            .take(STDERR_LINES)
            .map(|line| excerpt(line, EXCERPT))
            .collect();
        stderr.reverse();
        Box::new(self.finding(RulesFlaw::Fault { fault, stderr }))
    }

    /// Requests and answers since `new`.
    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    /// Takes the time that the program took for its answers since the last call.
    pub fn take_time(&mut self) -> Duration {
        self.program.take_time()
    }

    /// Peak memory since the last call, in bytes, where known.
    pub fn peak_memory(&mut self) -> Option<u64> {
        self.program.peak_kib().map(|kib| kib << 10)
    }

    /// The program itself, with the game as it is.
    pub fn into_program(self) -> Program {
        self.program
    }
}

/// The seats of some actions.
pub fn acted(actions: &Actions) -> Vec<u8> {
    actions.iter().map(|(seat, _)| *seat).collect()
}

/// The conversation in lines: all requests that change something and the last one, and the last answers.
pub fn transcript(exchanges: &[Exchange]) -> Transcript {
    let mut lines = Vec::new();
    let answered = exchanges.len().saturating_sub(ANSWERED);
    for (index, exchange) in exchanges.iter().enumerate() {
        let asks = matches!(exchange.request, Request::Legal(_) | Request::Show(_));
        if asks && index < answered {
            continue;
        }
        let text = exchange.request.text();
        lines.extend(
            text.lines()
                .map(|line| format!("> {}", excerpt(line, EXCERPT))),
        );
        if index >= answered {
            lines.extend(answer_lines(&exchange.answer));
        }
    }
    lines
}

/// The lines of an answer in a transcript.
pub fn answer_lines(answer: &[String]) -> impl Iterator<Item = String> {
    answer
        .iter()
        .map(|line| format!("< {}", excerpt(line, EXCERPT)))
}

/// The first request whose answers differ, and the difference.
pub fn first_difference(one: &[Exchange], other: &[Exchange]) -> Option<(usize, Difference)> {
    let mut pairs = one.iter().zip(other).enumerate();
    let (index, (one, other)) = pairs.find(|(_, (one, other))| one.answer != other.answer)?;
    Some((
        index,
        Difference {
            part: one.request.part(),
            is_order: words(&one.answer) == words(&other.answer),
        },
    ))
}

/// The words of an answer without their order.
fn words(answer: &[String]) -> Vec<&str> {
    let lines = answer.iter().flat_map(|line| line.split(' '));
    let mut words: Vec<&str> = lines.collect();
    words.sort_unstable();
    words
}
