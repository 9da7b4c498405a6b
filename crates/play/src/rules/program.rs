//! A running rules program: requests go out, and each gets its answer or a fault.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use super::answer::{Answer, AnswerReader, parse_can};
use super::hello::Hello;
use super::request::{NewGame, Request};
use super::show::{ShownPosition, ShownReader};
use super::{Limits, Malformed};
use crate::bot::{
    CancelPipe, Confinement, Fault, Launch, Log, OutputLimits, Service, Supervisor, Workplace,
    mebibytes, words_of_machine,
};
use crate::game::RulesFault;

pub(super) const GRACE: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    pub answer: Duration,
    /// Time for the hello, and for the answer to `new`.
    pub start: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(10),
            start: Duration::from_secs(60),
        }
    }
}

const QUOTED: usize = 300;

const LOG: usize = 256 << 10;

#[derive(Debug)]
pub struct Program {
    service: Service,
    deadlines: Deadlines,
    hello: Hello,
    pub hello_text: String,
    seats: u8,
    answers: RunningDigest,
    line: String,
    /// Time between requests and their answers since it was last taken.
    spent: Duration,
    /// The lines of answers since they were last taken, if they are kept.
    kept: Option<Vec<String>>,
}

#[derive(Debug, Clone, Default)]
struct RunningDigest(Sha256);

impl RunningDigest {
    fn add(&mut self, line: &str) {
        self.0.update(line.as_bytes());
        self.0.update(b"\n");
    }

    fn hex(&self) -> String {
        let digest = self.0.clone().finalize();
        digest[..8]
            .iter()
            .fold(String::with_capacity(16), |mut text, byte| {
                // Writing to a `String` cannot fail.
                let _ = write!(text, "{byte:02x}");
                text
            })
    }
}

impl Program {
    pub fn start(
        launch: &Launch,
        deadlines: Deadlines,
        supervisor: &Supervisor,
        confinement: &Confinement,
        cancel: Option<Arc<CancelPipe>>,
    ) -> Result<Self, RulesFault> {
        let limits = Limits::default();
        let output = OutputLimits {
            line: limits.line,
            turn: limits.answer,
            log: LOG,
        };
        let mut service = Service::start(launch, output, supervisor, confinement).map_err(fault)?;
        service.set_cancel(cancel);
        let mut program = Self {
            service,
            deadlines,
            hello: Hello::default(),
            hello_text: String::new(),
            seats: 0,
            answers: RunningDigest::default(),
            line: String::new(),
            spent: Duration::ZERO,
            kept: None,
        };
        program.queue(&Request::Hello);
        let mut text = String::new();
        let mut hello = Hello::default();
        let greeted = program.until_ok(deadlines.start, |line| {
            text.push_str(line);
            text.push('\n');
            hello.add(line)
        });
        let hello = greeted.and_then(|()| Ok(hello.finish()?));
        program.hello = hello.map_err(|fault| match fault {
            RulesFault::Ended(how) if program.service.was_killed() => RulesFault::Killed(how),
            fault => program.with_log(fault),
        })?;
        program.hello_text = text;
        Ok(program)
    }

    pub(super) fn works_at(&self, place: Option<&Arc<Workplace>>) -> bool {
        self.service.works_at(place)
    }

    /// Whether it works at no place, or at one that was left.
    pub(super) fn is_free(&self) -> bool {
        self.service.is_free()
    }

    pub(super) fn move_to(&mut self, place: Option<Arc<Workplace>>) {
        self.service.move_to(place);
    }

    /// A fault with the last words of the program on standard error.
    pub(super) fn with_log(&mut self, fault: RulesFault) -> RulesFault {
        if fault == RulesFault::BrokenOff {
            return fault;
        }
        let log = self.take_log();
        match log.last_words(QUOTED) {
            None => fault,
            Some(words) => RulesFault::WithLog {
                cause: Box::new(fault),
                words,
                log: log.text(),
            },
        }
    }

    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    pub(super) fn has_played(&self) -> bool {
        self.seats > 0
    }

    /// Begins a game and forgets the last one. `options` has a value for each option of the hello.
    pub fn new_game(
        &mut self,
        seed: u64,
        seats: u8,
        options: &[(String, String)],
    ) -> Result<Answer, RulesFault> {
        let options = options.to_vec();
        self.queue(&Request::New(NewGame {
            seed,
            seats,
            options,
        }));
        self.next_beginning(seats)
    }

    /// The answer to a queued request for a new game of so many seats.
    pub fn next_beginning(&mut self, seats: u8) -> Result<Answer, RulesFault> {
        self.seats = seats;
        self.answers = RunningDigest::default();
        self.answer(self.deadlines.start, &[])
    }

    /// Plays the actions of the seats that act, in rising order of the seats. A refusal changes nothing.
    pub fn play(&mut self, actions: &[(u8, &str)]) -> Result<Answer, RulesFault> {
        self.queue_play(actions);
        let acted: Vec<u8> = actions.iter().map(|(seat, _)| *seat).collect();
        self.next_answer(&acted)
    }

    /// Queues the actions of a ply, whose answer [`Program::next_answer`] reads. So a whole game goes out in one write.
    pub fn queue_play(&mut self, actions: &[(u8, &str)]) {
        let actions = actions.iter();
        let actions = actions.map(|(seat, action)| (*seat, (*action).to_owned()));
        self.queue(&Request::Play(actions.collect()));
    }

    /// The answer to the earliest queued ply without one. These seats acted in it.
    pub fn next_answer(&mut self, acted: &[u8]) -> Result<Answer, RulesFault> {
        self.answer(self.deadlines.answer, acted)
    }

    pub fn drop_seat(&mut self, seat: u8) -> Result<Answer, RulesFault> {
        self.service.queue(format!("drop {seat}\n").as_bytes());
        self.answer(self.deadlines.answer, &[])
    }

    pub fn legal(&mut self, seat: u8) -> Result<Vec<String>, RulesFault> {
        self.queue(&Request::Legal(seat));
        self.next_legal(seat)
    }

    /// The answer to the earliest queued request for the legal actions of a seat.
    pub fn next_legal(&mut self, seat: u8) -> Result<Vec<String>, RulesFault> {
        let (seats, lines) = (self.seats, self.hello.has.lines);
        let mut actions = Vec::new();
        self.until_ok(self.deadlines.answer, |line| {
            match parse_can(line, seats, lines) {
                Ok((of, some)) if of == seat => actions.extend(some),
                Ok(_) => return Err(Malformed::new(line, format!("`can {seat} ACTION…`"))),
                Err(expected) => return Err(Malformed::new(line, expected)),
            }
            Ok(())
        })?;
        Ok(actions)
    }

    /// The board as `seat` may see it; all of it for `None`.
    pub fn show(&mut self, seat: Option<u8>) -> Result<ShownPosition, RulesFault> {
        self.queue(&Request::Show(seat));
        self.next_shown()
    }

    /// The answer to the earliest queued request for a board.
    pub fn next_shown(&mut self) -> Result<ShownPosition, RulesFault> {
        let mut reader = ShownReader::default();
        self.until_ok(self.deadlines.answer, |line| reader.take(line))?;
        Ok(reader.finish())
    }

    /// 16 hexadecimal digits of the running SHA-256 of the lines that answered `new` and all that was played since,
    /// each with a line feed.
    pub fn answers(&self) -> String {
        self.answers.hex()
    }

    pub fn take_time(&mut self) -> Duration {
        std::mem::take(&mut self.spent)
    }

    /// Takes the lines of its answers since the last call. From the first call on, they are kept.
    pub fn take_lines(&mut self) -> Vec<String> {
        self.kept.replace(Vec::new()).unwrap_or_default()
    }

    pub fn take_log(&mut self) -> Log {
        self.service.take_log()
    }

    /// Queues a request, whose answer one of the methods reads whose names begin with `next`.
    pub fn queue(&mut self, request: &Request) {
        self.queue_request(request.to_string().as_bytes());
    }

    /// Queues a request as it is, whose answer [`Program::read_answer`] reads.
    pub fn queue_request(&mut self, request: &[u8]) {
        self.service.queue(request);
    }

    /// Reads the lines of an answer until `take` says that one was the last.
    pub fn read_answer(
        &mut self,
        limit: Duration,
        mut take: impl FnMut(&str) -> Result<bool, Malformed>,
    ) -> Result<(), RulesFault> {
        let begun = Instant::now();
        self.service.begin_answer();
        loop {
            self.next_line(limit)?;
            if take(&self.line)? {
                self.add_time(begun.elapsed());
                return Ok(());
            }
        }
    }

    /// Peak memory of the program and all that it started since the last call, in KiB, where known.
    pub fn peak_kib(&mut self) -> Option<u64> {
        self.service.peak_kib()
    }

    pub(super) fn dismiss(&mut self) {
        self.queue(&Request::Quit);
        self.service.exits(Duration::ZERO);
    }

    pub fn close(mut self) {
        self.dismiss();
        self.close_within(GRACE);
    }

    /// Ends a program that was asked to quit, by force after `grace`.
    pub(super) fn close_within(mut self, grace: Duration) {
        self.service.close(grace);
    }

    /// Reads the answer to `new`, `play` or `drop`. A refusal leaves the running digest as it was.
    fn answer(&mut self, limit: Duration, acted: &[u8]) -> Result<Answer, RulesFault> {
        let mut reader = AnswerReader::new(self.seats, self.hello.has.lines, acted);
        let mut answers = self.answers.clone();
        let begun = Instant::now();
        self.service.begin_answer();
        let answer = loop {
            self.next_line(limit)?;
            answers.add(&self.line);
            if let Some(answer) = reader.take(&self.line)? {
                break answer;
            }
        };
        self.add_time(begun.elapsed());
        if matches!(answer, Answer::Turn(_)) {
            self.answers = answers;
        }
        Ok(answer)
    }

    /// Reads an answer of any lines up to `ok`.
    fn until_ok(
        &mut self,
        limit: Duration,
        mut take: impl FnMut(&str) -> Result<(), Malformed>,
    ) -> Result<(), RulesFault> {
        self.read_answer(limit, |line| match line {
            "ok" => Ok(true),
            line => take(line).map(|()| false),
        })
    }

    fn add_time(&mut self, took: Duration) {
        self.spent += took;
        self.service.answered(took);
    }

    fn next_line(&mut self, limit: Duration) -> Result<(), RulesFault> {
        self.service.line(limit, &mut self.line).map_err(fault)?;
        if let Some(kept) = &mut self.kept {
            kept.push(self.line.clone());
        }
        Ok(())
    }
}

impl From<Malformed> for RulesFault {
    fn from(Malformed { line, expected }: Malformed) -> Self {
        Self::Malformed { line, expected }
    }
}

/// A fault of a process, as a fault of rules. The harness ends a program that breaks a limit.
fn fault(fault: Fault) -> RulesFault {
    RulesFault::Ended(match fault {
        Fault::Late { limit, .. } => {
            let millis = limit.as_millis().try_into();
            return RulesFault::TimedOut(millis.unwrap_or(u64::MAX));
        }
        Fault::BrokenOff => return RulesFault::BrokenOff,
        Fault::Machine(error) => return RulesFault::Machine(words_of_machine(&error)),
        Fault::Exited { how } => how,
        Fault::NotStarted { problem } => format!("it cannot be run: {problem}"),
        Fault::HungUp => "it closed its standard output".to_owned(),
        Fault::NotText { line, encoding } => {
            format!("it wrote a line that is not UTF-8 text, and looks like {encoding}: `{line}`")
        }
        Fault::LineTooLong { limit } => format!("it wrote a line of more than {limit} bytes"),
        Fault::Memory { held, limit } => format!(
            "it held {} of memory; the limit is {} (rules-memory)",
            mebibytes(held),
            mebibytes(limit)
        ),
        Fault::Flood { limit } => format!("it wrote more than {limit} bytes in one answer"),
        other => other.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::referee::Void;

    #[test]
    fn a_lack_of_files_is_not_the_fault_of_the_rules() {
        let fault = fault(Fault::Machine(io::Error::from_raw_os_error(24)));
        assert!(fault.to_string().contains("`ulimit -n`"), "{fault}");
        assert_eq!(Void::from(fault).rules_fault(), None);
    }
}
