//! A bot in a process of its own.

use std::fmt::Write as _;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, ExitStatus};
use std::time::{Duration, Instant};

use nix::time::ClockId;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};
use wait_timeout::ChildExt;

use super::inbox::{Inbox, Pulled};
use super::{Fault, Launch, Log, OutputLimits, Player, excerpt};
use crate::clock::{Spent, Wait};
use crate::protocol::{Hello, ToBot, is_debug};

/// How long a closed stdout may precede the end of its process for the two to count as one event.
const EXIT_LAG: Duration = Duration::from_millis(200);

/// The shortest pause between two looks at a processor clock that is about to run out.
const CPU_LOOK: Duration = Duration::from_millis(1);

/// How many characters of a line are shown when it is quoted.
const EXCERPT: usize = 60;

/// A bot's process and the pipes to it. It never outlives this value.
#[derive(Debug)]
pub struct Process {
    child: Child,
    group: Pid,
    cpu_clock: Option<ClockId>,
    limits: OutputLimits,
    stdin: Option<ChildStdin>,
    outbox: String,
    sent: usize,
    inbox: Inbox,
    stderr_open: bool,
    log: Log,
    cpu_seen: Duration,
    asked: Asked,
    early: Option<Fault>,
    hello: Option<Hello>,
    reaped: bool,
}

/// Which streams can be read or written now.
#[derive(Debug, Clone, Copy)]
struct Ready {
    stdout: bool,
    stderr: bool,
    stdin: bool,
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
    /// Starts the bot. The error says whether its program or the machine is to blame.
    pub fn spawn(launch: &Launch, limits: OutputLimits) -> Result<Self, Fault> {
        let child = launch.spawn().map_err(|error| launch.blame(error))?;
        Self::new(child, limits).map_err(Fault::Machine)
    }

    fn new(mut child: Child, limits: OutputLimits) -> io::Result<Self> {
        let group = Pid::from_child(&child);
        let stdin = child.stdin.take();
        let process = Self {
            group,
            cpu_clock: ClockId::pid_cpu_clock_id(nix::unistd::Pid::from_raw(
                group.as_raw_nonzero().get(),
            ))
            .ok(),
            limits,
            stdin,
            outbox: String::with_capacity(256),
            sent: 0,
            inbox: Inbox::default(),
            stderr_open: true,
            log: Log::default(),
            cpu_seen: Duration::ZERO,
            asked: Asked {
                at: Instant::now(),
                cpu: Duration::ZERO,
                idle_cpu: Duration::ZERO,
            },
            early: None,
            hello: None,
            reaped: false,
            child,
        };
        let pipes = [
            process.stdin.as_ref().map(AsFd::as_fd),
            process.child.stdout.as_ref().map(AsFd::as_fd),
            process.child.stderr.as_ref().map(AsFd::as_fd),
        ];
        for pipe in pipes.into_iter().flatten() {
            fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
        }
        Ok(process)
    }

    /// Time on a processor that the bot's process has used.
    fn cpu(&mut self) -> Duration {
        if let Some(Ok(time)) = self.cpu_clock.map(ClockId::now) {
            self.cpu_seen = time.into();
        }
        self.cpu_seen
    }

    /// Takes lines until one is an answer, which is put into `answer`; debug lines go to the log.
    fn take_answer(&mut self, answer: &mut String) -> Result<bool, Fault> {
        while let Some(line) = self.inbox.next_line() {
            // For debug lines too: whether a long one is seen before its end is a matter of luck.
            if line.len() > self.limits.line {
                return Err(Fault::LineTooLong {
                    limit: self.limits.line,
                });
            }
            let text = std::str::from_utf8(line).map_err(|_| Fault::NotText)?;
            if is_debug(text) {
                self.log.push(text.as_bytes(), self.limits.log);
                self.log.push(b"\n", self.limits.log);
                continue;
            }
            answer.clear();
            answer.push_str(text);
            return Ok(true);
        }
        if self.inbox.unfinished() > self.limits.line {
            return Err(Fault::LineTooLong {
                limit: self.limits.line,
            });
        }
        Ok(false)
    }

    /// An answer that lies in the pipe before it was asked for is a fault.
    fn look_for_early_answer(&mut self) -> Result<(), Fault> {
        let mut early = String::new();
        let mut seen = 0;
        loop {
            if self.take_answer(&mut early)? {
                return Err(Fault::OutOfTurn {
                    line: excerpt(&early, EXCERPT),
                });
            }
            match self.pull_stdout()? {
                Pulled::Bytes(count) => seen += count,
                Pulled::Nothing => return Ok(()),
                Pulled::End => return Err(self.ended()),
            }
            if seen > self.limits.turn {
                return Err(Fault::Flood {
                    limit: self.limits.turn,
                });
            }
        }
    }

    /// Whether the bot has written something that nobody asked for since its last answer. If its
    /// game is over, nothing hangs on it any more; the bot is out of step for its next game.
    pub fn out_of_step(&mut self) -> bool {
        match self.look_for_early_answer() {
            // A bot that has ended will be found out when it is asked next, for certain.
            Ok(()) | Err(Fault::Exited { .. } | Fault::HungUp) => false,
            Err(_) => true,
        }
    }

    fn pull_stdout(&mut self) -> Result<Pulled, Fault> {
        match &self.child.stdout {
            Some(pipe) => self.inbox.pull(pipe.as_fd()).map_err(Fault::Machine),
            None => Ok(Pulled::End),
        }
    }

    /// Reads once from stderr into the log.
    fn pull_stderr(&mut self) {
        let mut chunk = [0; 8 << 10];
        let Some(pipe) = &self.child.stderr else {
            self.stderr_open = false;
            return;
        };
        match rustix::io::read(pipe, &mut chunk) {
            Ok(0) => self.stderr_open = false,
            Ok(count) => self.log.push(&chunk[..count], self.limits.log),
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => self.stderr_open = false,
        }
    }

    /// Waits until something can be read or written, or `until`.
    fn wait_ready(&self, until: Instant) -> io::Result<Ready> {
        let Some(stdout) = &self.child.stdout else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let stderr = self.child.stderr.as_ref().filter(|_| self.stderr_open);
        let unsent = self.sent < self.outbox.len();
        let stdin = self.stdin.as_ref().filter(|_| unsent);
        // A stream that is not waited for is stood in for by stdout, of which nothing is asked.
        let idle = || PollFd::new(stdout, PollFlags::empty());
        let mut fds = [
            PollFd::new(stdout, PollFlags::IN),
            stderr.map_or_else(idle, |pipe| PollFd::new(pipe, PollFlags::IN)),
            stdin.map_or_else(idle, |pipe| PollFd::new(pipe, PollFlags::OUT)),
        ];
        let left = until.saturating_duration_since(Instant::now());
        let timeout = Timespec {
            tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: left.subsec_nanos().into(),
        };
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(Ready {
            stdout: !fds[0].revents().is_empty(),
            stderr: stderr.is_some() && !fds[1].revents().is_empty(),
            stdin: stdin.is_some() && !fds[2].revents().is_empty(),
        })
    }

    /// The fault of a bot whose stdout has ended.
    fn ended(&mut self) -> Fault {
        match self.child.wait_timeout(EXIT_LAG) {
            Ok(Some(status)) => {
                self.reaped = true;
                Fault::Exited {
                    how: describe(status),
                }
            }
            Ok(None) => Fault::HungUp,
            Err(error) => Fault::Machine(error),
        }
    }

    fn kill_group(&self) {
        // The group may be gone already; there is nothing to do about that.
        let _ = kill_process_group(self.group, Signal::KILL);
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
        self.early = self.look_for_early_answer().err();
        let idle_from = self.cpu_seen;
        let cpu = self.cpu();
        self.flush();
        self.asked = Asked {
            at: Instant::now(),
            cpu,
            idle_cpu: cpu.saturating_sub(idle_from),
        };
    }

    fn answer(&mut self, wait: Wait, answer: &mut String) -> Result<Spent, Fault> {
        if let Some(fault) = self.early.take() {
            return Err(fault);
        }
        let asked = self.asked;
        let deadline = asked.at + wait.wall;
        let mut look = match wait.cpu {
            Some(limit) => deadline.min(asked.at + limit.max(CPU_LOOK)),
            None => deadline,
        };
        let mut read = 0;
        loop {
            let ready = self.wait_ready(look).map_err(Fault::Machine)?;
            if ready.stdin {
                self.flush();
            }
            if ready.stderr {
                self.pull_stderr();
            }
            if ready.stdout {
                match self.pull_stdout()? {
                    Pulled::Nothing => {}
                    Pulled::End => return Err(self.ended()),
                    Pulled::Bytes(count) => {
                        let answered = Instant::now();
                        read += count;
                        if self.take_answer(answer)? {
                            return Ok(Spent {
                                wall: answered - asked.at,
                                cpu: self.cpu().saturating_sub(asked.cpu),
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
                return Err(Fault::Late {
                    waited: now - asked.at,
                });
            }
            if let Some(limit) = wait.cpu
                && now >= look
            {
                let used = self.cpu().saturating_sub(asked.cpu);
                if used > limit {
                    return Err(Fault::CpuSpent { used });
                }
                look = deadline.min(now + (limit - used).max(CPU_LOOK));
            }
        }
    }

    fn hello(&self) -> Option<&Hello> {
        self.hello.as_ref()
    }

    fn set_hello(&mut self, hello: Hello) {
        self.hello = Some(hello);
    }

    fn take_log(&mut self) -> Log {
        // What the bot wrote last may still lie in the pipe; a few reads get all that it can hold.
        for _ in 0..9 {
            if !self.stderr_open {
                break;
            }
            let before = self.log.kept.len() as u64 + self.log.dropped;
            self.pull_stderr();
            if self.log.kept.len() as u64 + self.log.dropped == before {
                break;
            }
        }
        std::mem::take(&mut self.log)
    }

    fn dismiss(&mut self) {
        self.tell(&ToBot::Quit);
        self.flush();
        self.stdin = None;
        self.child.stdout = None;
    }

    fn close(&mut self, grace: Duration) {
        if !self.reaped {
            self.reaped = matches!(self.child.wait_timeout(grace), Ok(Some(_)));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_group();
        if !self.reaped {
            // A killed process ends; waiting for it leaves no zombie.
            let _ = self.child.wait();
        }
    }
}

/// How a process ended, as a fragment that follows its name.
fn describe(status: ExitStatus) -> String {
    const SIGNALS: [(i32, &str); 9] = [
        (4, "SIGILL, an illegal instruction"),
        (6, "SIGABRT, it aborted itself"),
        (7, "SIGBUS, a bad memory access"),
        (8, "SIGFPE, an arithmetic error"),
        (9, "SIGKILL, it was killed"),
        (11, "SIGSEGV, a bad memory access"),
        (13, "SIGPIPE, it wrote to a closed pipe"),
        (15, "SIGTERM, it was told to end"),
        (24, "SIGXCPU, it used too much processor time"),
    ];
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with code {code}"),
        (None, Some(signal)) => match SIGNALS.iter().find(|(number, _)| *number == signal) {
            Some((_, name)) => format!("was ended by {name}"),
            None => format!("was ended by signal {signal}"),
        },
        (None, None) => "ended".to_owned(),
    }
}
