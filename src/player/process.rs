//! A bot in a process of its own.

use std::fmt::Write as _;
use std::io;
use std::os::fd::AsFd;
use std::process::ChildStdin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::Signal;

use super::child_process::ChildProcess;
use super::contention::{ContentionMeter, Verdict};
use super::cpu_meter::CpuMeter;
use super::line_buffer::{LineBuffer, ReadOutcome};
use super::poll::{Ready, wait_ready};
use super::probe::Probe;
use super::supervise::{Cleanup, Confinement, OffTurn, ResourceUsage, Supervisor};
use super::{CancelPipe, Contention, Fault, Launch, Log, OutputLimits, Player};
use crate::clock::{Spent, Wait};
use crate::protocol::ToBot;

mod output;

/// The shortest pause between two looks at a processor clock that is about to run out.
const CPU_LOOK: Duration = Duration::from_millis(1);

/// What a bot may compute after an answer where it may not compute off turn: it has to tidy up, and
/// some languages collect garbage in threads of their own.
const OFF_TURN_ALLOWANCE: Duration = Duration::from_millis(100);

/// A bot's process and the pipes to it. It never outlives this value.
#[derive(Debug)]
pub struct Process {
    child: ChildProcess,
    launch: Launch,
    /// `None` until its process is known to run: a shim tells of it some time after it was started.
    cpu_meter: Option<CpuMeter>,
    limits: OutputLimits,
    stdin: Option<ChildStdin>,
    outbox: String,
    sent: usize,
    inbox: LineBuffer,
    stderr_open: bool,
    log: Log,
    cpu_seen: Duration,
    asked: Asked,
    early: Option<Fault>,
    off_turn: OffTurn,
    halted: bool,
    cancel: Option<Arc<CancelPipe>>,
    contention_meter: ContentionMeter,
}

/// The clocks at the last request.
#[derive(Debug, Clone, Copy)]
struct Asked {
    at: Instant,
    /// What the bot had used of a processor by then, and how much of it since its last answer.
    cpu: Duration,
    idle_cpu: Duration,
}

impl Process {
    /// Starts the bot without supervision: what it leaves behind outside its process group stays. The
    /// error says whether its program or the machine is to blame.
    pub fn spawn(launch: &Launch, limits: OutputLimits) -> Result<Self, Fault> {
        let child = ChildProcess::bare(launch).map_err(|error| launch.blame(error))?;
        Self::around(child, launch, limits)
    }

    /// Starts the bot below a shim, and does not wait for it. Whether it could be started is told
    /// with the first answer.
    pub fn supervised(
        launch: &Launch,
        limits: OutputLimits,
        supervisor: &Supervisor,
        confinement: &Confinement,
    ) -> Result<Self, Fault> {
        let child =
            ChildProcess::supervised(launch, supervisor, confinement).map_err(Fault::Machine)?;
        let mut process = Self::around(child, launch, limits)?;
        process.off_turn = confinement.off_turn;
        Ok(process)
    }

    /// Has another probe measure the load of the machine.
    pub fn on_machine(mut self, probe: Arc<dyn Probe>) -> Self {
        self.contention_meter = ContentionMeter::new(probe);
        self
    }

    fn around(child: ChildProcess, launch: &Launch, limits: OutputLimits) -> Result<Self, Fault> {
        Self::with_pipes(child, launch, limits).map_err(Fault::Machine)
    }

    fn with_pipes(
        mut child: ChildProcess,
        launch: &Launch,
        limits: OutputLimits,
    ) -> io::Result<Self> {
        let stdin = child.take_stdin();
        let process = Self {
            child,
            launch: launch.clone(),
            cpu_meter: None,
            limits,
            stdin,
            outbox: String::with_capacity(256),
            sent: 0,
            inbox: LineBuffer::default(),
            stderr_open: true,
            log: Log::default(),
            cpu_seen: Duration::ZERO,
            asked: Asked {
                at: Instant::now(),
                cpu: Duration::ZERO,
                idle_cpu: Duration::ZERO,
            },
            early: None,
            off_turn: OffTurn::Log,
            halted: false,
            cancel: None,
            contention_meter: ContentionMeter::default(),
        };
        let pipes = [
            process.stdin.as_ref().map(AsFd::as_fd),
            process.child.stdout().map(AsFd::as_fd),
            process.child.stderr().map(AsFd::as_fd),
        ];
        for pipe in pipes.into_iter().flatten() {
            fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
        }
        Ok(process)
    }

    /// Has every wait for an answer end with [`Fault::BrokenOff`] once `pipe` is cancelled.
    pub fn cancelled_by(mut self, pipe: Arc<CancelPipe>) -> Self {
        self.cancel = Some(pipe);
        self
    }

    /// Waits until the bot runs.
    fn attach(&mut self) -> Result<(), Fault> {
        if self.cpu_meter.is_none() {
            let pid = self.child.pid().map_err(|error| self.launch.blame(error))?;
            self.cpu_meter = Some(CpuMeter::new(pid, self.child.time()));
        }
        Ok(())
    }

    /// The number of the bot's own process. Waits until it runs; the fault is why it does not.
    pub fn pid(&mut self) -> Result<i32, Fault> {
        self.attach()?;
        let pid = self.child.pid().map_err(Fault::Machine)?;
        Ok(pid.as_raw_nonzero().get())
    }

    /// What the bot with its descendants used since this was last asked; known of a supervised bot.
    pub fn usage(&mut self) -> Option<ResourceUsage> {
        self.child.usage()
    }

    /// Ends the bot at once, and says what was left of it; that is known of a supervised bot.
    pub fn finish(&mut self) -> Cleanup {
        self.child.finish()
    }

    /// Lets a dismissed bot exit by itself for as long as `grace`; whether it did.
    pub fn exits_within(&mut self, grace: Duration) -> bool {
        self.child.wait(grace)
    }

    /// Closes the bot's stdin, and takes the answer that comes then, within `patience`: one that lay
    /// in a buffer of the bot.
    pub fn hang_up(&mut self, patience: Duration) -> Option<String> {
        self.stdin = None;
        let until = Instant::now() + patience;
        let (mut answer, mut read) = (String::new(), 0);
        while read <= self.limits.turn && Instant::now() < until {
            if self.take_answer(&mut answer).ok()? {
                return Some(answer);
            }
            let ready = self.wait_ready(until).ok()?;
            if ready.stderr {
                self.pull_stderr();
            }
            if ready.stdout {
                match self.pull_stdout().ok()? {
                    ReadOutcome::Bytes(count) => read += count,
                    ReadOutcome::Nothing => {}
                    ReadOutcome::End => return None,
                }
            }
        }
        None
    }

    /// Time on a processor that the bot has used, with all that it started where it is supervised.
    fn cpu(&mut self) -> Duration {
        let tree_root = self.child.tree_root();
        if let Some(cpu_meter) = &mut self.cpu_meter {
            self.cpu_seen = cpu_meter.read(tree_root);
        }
        self.cpu_seen
    }

    /// Stops a bot that is to do nothing until it is asked again.
    fn halt(&mut self) {
        if self.off_turn == OffTurn::Stop {
            self.halted = true;
            self.child.signal(Signal::STOP);
        }
    }

    /// Lets a stopped bot go on.
    fn go_on(&mut self) {
        if std::mem::take(&mut self.halted) {
            self.child.signal(Signal::CONT);
        }
    }

    /// Waits until something can be read or written, or `until`.
    fn wait_ready(&mut self, until: Instant) -> io::Result<Ready> {
        let Some(stdout) = self.child.stdout() else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let stderr = self.child.stderr().filter(|_| self.stderr_open);
        let unsent = self.sent < self.outbox.len();
        let stdin = self.stdin.as_ref().filter(|_| unsent);
        let begun = Instant::now();
        let ready = wait_ready(stdout, stderr, stdin, self.cancel.as_deref(), until)?;
        self.contention_meter
            .record_wake_up(until.max(begun), Instant::now());
        Ok(ready)
    }

    /// What the bot has used since it was asked.
    fn cpu_since_asked(&mut self) -> Duration {
        self.cpu().saturating_sub(self.asked.cpu)
    }

    /// Works out what the machine kept from the bot in the time since it was asked.
    fn measure_contention(&mut self, elapsed: Duration) -> Duration {
        let cpu = self.cpu_since_asked();
        self.contention_meter
            .measure(&self.child.tree(), elapsed, cpu)
    }
}

impl Player for Process {
    fn tell(&mut self, message: &ToBot<'_>) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.outbox, "{message}");
    }

    fn flush(&mut self) {
        let Some(pipe) = &self.stdin else {
            self.outbox.clear();
            self.sent = 0;
            return;
        };
        while self.sent < self.outbox.len() {
            match rustix::io::write(pipe, &self.outbox.as_bytes()[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                // The bot closed its stdin. That alone is no fault; that it cannot answer will be.
                Err(_) => {
                    self.stdin = None;
                    break;
                }
            }
        }
        self.outbox.clear();
        self.sent = 0;
    }

    fn request(&mut self) {
        self.early = match self.attach() {
            Ok(()) => self.look_for_early_answer().err(),
            Err(fault) => Some(fault),
        };
        self.go_on();
        let idle_from = self.cpu_seen;
        let cpu = self.cpu();
        self.flush();
        self.asked = Asked {
            at: Instant::now(),
            cpu,
            idle_cpu: cpu.saturating_sub(idle_from),
        };
        self.contention_meter.begin_turn();
    }

    fn answer(&mut self, wait: Wait, answer: &mut String) -> Result<Spent, Fault> {
        if let Some(fault) = self.early.take() {
            return Err(fault);
        }
        let asked = self.asked;
        if self.off_turn == OffTurn::Forbid && asked.idle_cpu > OFF_TURN_ALLOWANCE {
            return Err(Fault::OffTurn {
                used: asked.idle_cpu,
            });
        }
        let mut deadline = asked.at + wait.wall;
        let mut baseline_at = Some(asked.at + ContentionMeter::baseline_delay(wait));
        let mut cpu_look = wait.cpu.map(|limit| asked.at + limit.max(CPU_LOOK));
        let mut read = 0;
        loop {
            let looks = [baseline_at, cpu_look];
            let look = looks.into_iter().flatten().fold(deadline, Instant::min);
            let ready = self.wait_ready(look).map_err(Fault::Machine)?;
            if ready.cancelled {
                return Err(Fault::BrokenOff);
            }
            if ready.stdin {
                self.flush();
            }
            if ready.stderr {
                self.pull_stderr();
            }
            if ready.stdout {
                match self.pull_stdout()? {
                    ReadOutcome::Nothing => {}
                    ReadOutcome::End => return Err(self.ended()),
                    ReadOutcome::Bytes(count) => {
                        let took = Instant::now() - asked.at;
                        read += count;
                        if self.take_answer(answer)? {
                            if took > wait.wall {
                                self.measure_contention(took);
                            }
                            let cpu = self.cpu_since_asked();
                            self.halt();
                            return Ok(Spent {
                                wall: took,
                                cpu,
                                idle_cpu: asked.idle_cpu,
                            });
                        }
                        if read > self.limits.turn {
                            return Err(Fault::Flood {
                                limit: self.limits.turn,
                            });
                        }
                    }
                }
            }
            let now = Instant::now();
            if now >= deadline {
                let waited = now - asked.at;
                let cpu_wait = self.measure_contention(waited);
                match self.contention_meter.verdict(asked.at, wait.wall) {
                    Verdict::Late => return Err(Fault::Late { waited }),
                    Verdict::Starved => return Err(Fault::Starved { waited, cpu_wait }),
                    Verdict::WaitUntil(later) => deadline = later,
                }
            }
            if baseline_at.is_some_and(|look| now >= look) {
                baseline_at = None;
                let cpu = self.cpu_since_asked();
                self.contention_meter.take_baseline(&self.child.tree(), cpu);
            }
            if let Some(limit) = wait.cpu
                && cpu_look.is_some_and(|look| now >= look)
            {
                let used = self.cpu_since_asked();
                if used > limit {
                    return Err(Fault::CpuSpent { used });
                }
                cpu_look = Some(now + (limit - used).max(CPU_LOOK));
            }
        }
    }

    fn contention(&mut self) -> Contention {
        let before = self.cpu_seen;
        Contention {
            off_turn: self.cpu().saturating_sub(before),
            ..self.contention_meter.measured()
        }
    }

    fn take_log(&mut self) -> Log {
        // What the bot wrote last may still lie in the pipe.
        self.drain_stderr();
        std::mem::take(&mut self.log)
    }

    fn out_of_step(&mut self) -> bool {
        match self.look_for_early_answer() {
            // A bot that has ended will be found out when it is asked next, for certain.
            Ok(()) | Err(Fault::Exited { .. } | Fault::HungUp) => false,
            Err(_) => true,
        }
    }

    fn peak_kib(&mut self) -> Option<u64> {
        Some(self.usage()?.peak_kib)
    }

    fn dismiss(&mut self) {
        self.go_on();
        self.tell(&ToBot::Quit);
        self.flush();
        self.stdin = None;
        self.child.close_stdout();
    }

    fn close(&mut self, grace: Duration) {
        self.exits_within(grace);
    }
}
