//! A bot in a process of its own: its requests and answers, the deadlines of these, and its build. It is handed
//! a launch and limits, and gives lines or a fault.

mod build;
mod child_process;
mod connection;
mod deadlines;
mod late_answer;
mod output;
mod service;

use std::fmt::Write as _;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use build::{BuildError, BuildLimits, BuildOutput, build};
use child_process::ChildProcess;
pub use child_process::{AtWork, Workplace};
use connection::Connection;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
pub use service::Service;

use super::engine::{Engine, EngineTerms, Language};
use super::machine::{
    Contention, ContentionMeter, CpuMeter, Lane, Patience, Probe, WatchedMeter, process_tree,
};
use super::pipes::{CancelPipe, Log, Streams};
use super::supervise::{Cleanup, Confinement, OffTurn, Supervisor};
use super::{Fault, LateAnswer, Launch, OutputLimits, Piped, Player, Values};
use crate::bot::machine;
use crate::clock::{Spent, Wait};
use crate::protocol::ToBot;

/// Allowance of CPU time off turn where that is stopped or forbidden: a bot tidies up after an answer, and some
/// languages collect garbage in threads of their own.
const OFF_TURN_ALLOWANCE: Duration = Duration::from_millis(100);

/// Minimum interval between two readings of a CPU time that decides nothing. A later turn is charged for turns in between.
const FRESH: Duration = Duration::from_micros(50);

/// A bot's process and the pipes to it. Dropping this value ends the process.
#[derive(Debug)]
pub struct Process {
    io: Connection,
    start: Start,
    /// The translator for an engine; `None` for a bot of our protocol.
    engine: Option<Box<Engine>>,
    values: Values,
    cpu_seen: Duration,
    /// Time of the last answer at which its CPU time was read; `None` before there is one.
    cpu_read: Option<Instant>,
    unread: Duration,
    pending: PendingRequest,
    /// A fault found before the bot was asked. The next answer returns it.
    early: Option<Fault>,
    overdue: Option<Duration>,
    late_answer: Option<LateAnswer>,
    /// Whether the last message was the start of a game.
    is_starting: bool,
    has_played: bool,
    /// The last words of the log that was taken last.
    words_before: Option<String>,
    off_turn: OffTurn,
    is_stopped: bool,
    contention: ContentionMeter,
    lane: Option<Arc<Lane>>,
}

#[derive(Debug)]
enum Start {
    /// The shim has not reported yet whether the bot runs. The report is awaited only with the first request, so that
    /// both bots of a game start concurrently.
    Pending(Launch),
    Running {
        pid: Pid,
        cpu: WatchedMeter,
    },
}

/// Readings of the clocks at the last request.
#[derive(Debug, Clone, Copy)]
struct PendingRequest {
    at: Instant,
    /// The bot's CPU time by then, and its increase since the last answer.
    cpu: Duration,
    idle_cpu: Duration,
    /// Whether the referee has begun to poll for the answer.
    is_awaited: bool,
    /// When there was no answer yet, if that is known.
    unanswered_at: Instant,
}

impl Process {
    /// Starts the bot below a shim, without waiting for it. The first answer reports a failed start.
    pub fn start(
        launch: &Launch,
        limits: OutputLimits,
        supervisor: &Supervisor,
        confinement: &Confinement,
    ) -> Result<Self, Fault> {
        ChildProcess::start(launch, supervisor, confinement)
            .and_then(|child| Self::new(child, launch, limits, confinement.off_turn))
            .map_err(Fault::Machine)
    }

    fn new(
        child: ChildProcess,
        launch: &Launch,
        limits: OutputLimits,
        off_turn: OffTurn,
    ) -> io::Result<Self> {
        machine::watch();
        Ok(Self {
            io: Connection::new(child, limits)?,
            engine: None,
            start: Start::Pending(launch.clone()),
            values: Values::default(),
            cpu_seen: Duration::ZERO,
            cpu_read: None,
            unread: Duration::ZERO,
            pending: PendingRequest {
                at: Instant::now(),
                cpu: Duration::ZERO,
                idle_cpu: Duration::ZERO,
                is_awaited: false,
                unanswered_at: Instant::now(),
            },
            early: None,
            overdue: None,
            late_answer: None,
            is_starting: false,
            has_played: false,
            words_before: None,
            off_turn,
            is_stopped: false,
            contention: ContentionMeter::new(Patience::Usual),
            lane: None,
        })
    }

    /// Speaks this language with the bot, whose clock forgives overruns up to `margin`.
    pub fn speaking(mut self, language: &Language, margin: Duration) -> Self {
        let terms = language.engine();
        self.engine = terms.map(|terms| Box::new(Engine::new(terms.clone(), margin)));
        self
    }

    pub fn on_machine(mut self, probe: Arc<dyn Probe>) -> Self {
        self.contention.probe = probe;
        self
    }

    pub fn with_patience(mut self, patience: Patience) -> Self {
        self.contention.patience = patience;
        self
    }

    /// Every wait for an answer ends with [`Fault::BrokenOff`] once `pipe` is cancelled.
    pub fn cancelled_by(mut self, pipe: Arc<CancelPipe>) -> Self {
        self.io.cancel = Some(pipe);
        self
    }

    /// Shares a processor with the asking thread as long as the bot answers at once.
    pub fn on_lane(mut self, lane: Arc<Lane>) -> Self {
        self.lane = Some(lane);
        self
    }

    fn wait_for_start(&mut self) -> Result<Pid, Fault> {
        let launch = match &self.start {
            Start::Running { pid, .. } => return Ok(*pid),
            Start::Pending(launch) => launch,
        };
        let bot = self.io.child.wait_for_start();
        let bot = bot.map_err(|error| launch.fault(error))?;
        let counter = self.io.child.take_cpu_counter();
        self.start = Start::Running {
            pid: bot.pid,
            cpu: WatchedMeter::new(CpuMeter::new(&bot, counter)),
        };
        if let Some(lane) = &self.lane {
            lane.join(bot.pid, self.io.child.tree_root_in_any_case());
        }
        Ok(bot.pid)
    }

    /// The first of these options and variants that an engine does not have or take, in words. The engine has answered its
    /// handshake.
    pub fn unfit_option(&self, terms: &EngineTerms, variants: &[String]) -> Option<String> {
        let engine = self.engine.as_ref()?;
        engine.translator.check(terms, variants).err()
    }

    /// The lines that the next request sends, in the bot's language.
    pub fn queued(&self) -> String {
        self.io.outbox.text()
    }

    /// PID of the bot's own process. Waits until it runs.
    pub fn pid(&mut self) -> Result<i32, Fault> {
        Ok(self.wait_for_start()?.as_raw_nonzero().get())
    }

    pub fn finish(&mut self) -> Cleanup {
        self.leave_lane();
        self.io.child.finish()
    }

    /// Lets a dismissed bot exit by itself within `grace`. Returns whether it did.
    pub fn exits_within(&mut self, grace: Duration) -> bool {
        let begun = Instant::now();
        if let Some(limit) = self.overdue.take() {
            self.late_answer = self.let_go_late(limit, grace);
        }
        self.io.child.wait(grace.saturating_sub(begun.elapsed()))
    }

    fn is_kept(&self) -> bool {
        self.lane.as_ref().is_some_and(|lane| lane.is_kept())
    }

    /// Leaves the lane, so that no processor is kept for a bot that ends.
    fn leave_lane(&mut self) {
        if let (Some(lane), Start::Running { pid, .. }) = (self.lane.take(), &self.start) {
            lane.leave(*pid);
        }
    }

    fn say_quit(&mut self) {
        self.tell(&ToBot::Quit);
        self.io.outbox.close();
    }

    fn cpu(&mut self, now: Instant) -> Duration {
        let tree_root = self.io.child.tree_root(now);
        if let Start::Running { cpu, .. } = &self.start {
            self.cpu_seen = cpu.lock().read(tree_root, now);
        }
        self.cpu_seen
    }

    fn is_cpu_fresh(&self, now: Instant) -> bool {
        self.cpu_read.is_some_and(|read| now - read < FRESH)
    }

    /// Refuses a bot that escaped the counter of its CPU time: its limit was not enforced.
    fn is_counted(&self) -> Result<(), Fault> {
        match &self.start {
            Start::Running { cpu, .. } if cpu.lock().has_lost_counter => Err(Fault::Uncounted),
            _ => Ok(()),
        }
    }

    fn cpu_since_asked(&mut self, now: Instant) -> Duration {
        self.cpu(now).saturating_sub(self.pending.cpu)
    }

    fn tree(&mut self) -> Vec<Pid> {
        let Start::Running { pid: bot, .. } = self.start else {
            return Vec::new();
        };
        let root = self.io.child.tree_root(Instant::now());
        let descendants = root.map(process_tree::descendants);
        let descendants = descendants.into_iter().flatten();
        let descendants = descendants.filter(|process| *process != bot);
        [bot].into_iter().chain(descendants).collect()
    }

    /// Watches a bot that may not compute until its next request, and stops it where that is asked for.
    fn stop(&mut self) {
        if self.off_turn == OffTurn::Log {
            return;
        }
        let Start::Running { pid: bot, cpu } = &self.start else {
            return;
        };
        let (bot, cpu) = (*bot, cpu.clone());
        let root = self.io.child.tree_root_in_any_case();
        if self.off_turn == OffTurn::Stop {
            self.is_stopped = true;
            let _ = kill_process_group(bot, Signal::STOP);
            root.map(process_tree::stop_below);
            // On a busy machine the referee stops it late, which is no fault of the bot.
            self.cpu(Instant::now());
        }
        if let Some(root) = root {
            cpu.watch(root);
        }
    }

    fn go_on(&mut self) {
        let Start::Running { pid: bot, cpu } = &self.start else {
            return;
        };
        if self.off_turn != OffTurn::Log {
            cpu.unwatch();
        }
        if std::mem::take(&mut self.is_stopped) {
            let _ = kill_process_group(*bot, Signal::CONT);
            let root = self.io.child.tree_root_in_any_case();
            for process in root.map(process_tree::descendants).unwrap_or_default() {
                let _ = kill_process(process, Signal::CONT);
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.leave_lane();
        if let Start::Running { cpu, .. } = &self.start {
            cpu.unwatch();
        }
    }
}

impl Player for Process {
    fn tell(&mut self, message: &ToBot<'_>) {
        self.is_starting = matches!(message, ToBot::Start(_));
        self.has_played |= matches!(message, ToBot::End { .. });
        match &mut self.engine {
            Some(engine) => engine.translator.tell(message, &mut self.io.outbox),
            None => {
                let _ = writeln!(self.io.outbox, "{message}");
            }
        }
    }

    fn flush(&mut self) {
        self.io.outbox.flush();
    }

    fn await_start(&mut self) {
        if self.early.is_none() {
            self.early = self.wait_for_start().err();
        }
    }

    fn request(&mut self) {
        self.await_start();
        if self.early.is_none() {
            self.early = self.look_for_early_answer().err();
        }
        self.values.clear();
        if let Some(engine) = &mut self.engine {
            engine.translator.ask();
        }
        self.go_on();
        if self.contention.begin_turn() {
            let tree = self.tree();
            self.contention.take_baseline(&tree, Duration::ZERO);
        }
        let idle_from = self.cpu_seen;
        let mut now = Instant::now();
        let mut cpu = idle_from;
        let mut unread = Duration::ZERO;
        if !self.is_cpu_fresh(now) {
            cpu = self.cpu(now);
            unread = self.unread.min(cpu.saturating_sub(idle_from));
            now = Instant::now();
        }
        // Before its first answer a bot is starting, which is nobody's turn.
        let idle_cpu = match self.cpu_read {
            None => Duration::ZERO,
            Some(_) => cpu.saturating_sub(idle_from + unread),
        };
        // Taken before the write: a bot on the same processor may run, and answer, before this thread resumes.
        self.pending = PendingRequest {
            at: now,
            cpu: cpu - unread,
            idle_cpu,
            is_awaited: false,
            unanswered_at: now,
        };
        self.contention.record_request(now);
        self.flush();
    }

    fn act_beside_another(&mut self) {
        if let Some(lane) = &self.lane {
            lane.release();
        }
    }

    fn answer(&mut self, wait: Wait, answer: &mut String) -> Result<Spent, Fault> {
        let mut waiting = match self.begin_wait(wait, answer)? {
            ControlFlow::Break(spent) => return Ok(spent),
            ControlFlow::Continue(waiting) => waiting,
        };
        loop {
            let streams = self
                .streams(&waiting)
                .ok_or(io::ErrorKind::BrokenPipe.into());
            let ready = streams.and_then(Streams::wait).map_err(Fault::Machine)?;
            if let Some(spent) = self.wait_on(&mut waiting, ready, answer)? {
                return Ok(spent);
            }
        }
    }

    fn piped(&mut self) -> Option<&mut dyn Piped> {
        Some(self)
    }

    fn unanswered(&mut self) -> Spent {
        let now = Instant::now();
        let wall = now - self.pending.at;
        let cpu = self.cpu_since_asked(now);
        let lost = machine::lost(self.pending.at, now);
        let waited = match self.contention.measures_all() {
            true => self.measure_contention(wall),
            false => self.contention.measured.cpu_wait,
        };
        let wall = wall.saturating_sub(waited);
        Spent {
            wall: wall - machine::given_back(lost, wall, cpu),
            cpu,
            idle_cpu: self.pending.idle_cpu,
            waited,
        }
    }

    fn contention(&mut self) -> Contention {
        let before = self.cpu_seen;
        let off_turn = self.cpu(Instant::now()).saturating_sub(before);
        // The next call, and the next request, count from the last answer too.
        self.cpu_seen = before;
        Contention {
            off_turn,
            ..self.contention.measured
        }
    }

    fn take_log(&mut self) -> Log {
        let log = self.io.take_log();
        self.words_before = log.last_words(output::LAST_WORDS);
        log
    }

    fn output(&self) -> u64 {
        self.io.log.len()
    }

    fn values(&self) -> &Values {
        &self.values
    }

    fn out_of_step(&mut self) -> bool {
        // A late bot writes its late answer, and an exited one fails at its next request anyway.
        self.overdue.is_none()
            && !matches!(
                self.look_for_early_answer(),
                Ok(()) | Err(Fault::Exited { .. } | Fault::HungUp)
            )
    }

    fn peak_kib(&mut self) -> Option<u64> {
        self.io.child.peak_kib()
    }

    fn dismiss(&mut self) {
        self.leave_lane();
        self.go_on();
        // A late bot's behaviour before it reads `quit` shows why it was late, so `quit` waits for `exits_within`.
        if self.overdue.is_none() {
            self.say_quit();
            self.io.child.close_stdout();
        }
    }

    fn close(&mut self, grace: Duration) {
        self.exits_within(grace);
    }

    fn end(&mut self) {
        self.finish();
    }

    fn late_answer(&mut self) -> Option<LateAnswer> {
        self.late_answer.take()
    }
}
