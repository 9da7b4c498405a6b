//! The harness's end of the lifeline to a shim, and the cleanup if the shim is gone.

use std::io::{self, pipe};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::net::{Shutdown, shutdown};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, kill_process, kill_process_group, pidfd_open, waitpid,
};
use rustix::thread::{sched_getaffinity, sched_setaffinity};

use super::Shim;
use crate::bot::machine::{CpuCounter, StartedBot, process_tree};
use crate::bot::pipes::{LineBuffer, ReadOutcome, poll_for};
use crate::bot::supervise::bot_command::{BotCommand, BotOrder, BotStreams, BotSurroundings};
use crate::bot::supervise::limits::{Tier, cgroup};
use crate::bot::supervise::messages::{
    self, ASK_FOR_PEAK, Cleanup, END, ProcessEnd, ShimMessage, StartError,
};
use crate::bot::supervise::scratch::Scratch;
use crate::bot::supervise::{Supervisor, forget, kill_orphans};

/// Timeout for a shim to start a bot, on a very busy machine.
const START: Duration = Duration::from_secs(30);

/// Timeout for a shim to clean up. After it the harness does.
const PATIENCE: Duration = Duration::from_secs(8);

/// Minimum interval between two reads for messages that are not awaited.
const LISTEN: Duration = Duration::from_millis(5);

/// Interval between checks on a bot whose end is awaited (it closes its streams a moment before it is dead), and
/// minimum age of a memory figure that is asked for again.
const LOOK: Duration = Duration::from_millis(20);

/// Polling interval for the end of a shim without `pidfd`.
const TICK_WITHOUT_PIDFD: Duration = Duration::from_millis(1);

const ANSWER: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub struct Streams {
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    pub stderr: ChildStderr,
}

fn pipes() -> io::Result<(Streams, BotStreams)> {
    let ((bots_stdin, stdin), (stdout, bots_stdout), (stderr, bots_stderr)) =
        (pipe()?, pipe()?, pipe()?);
    let streams = Streams {
        stdin: OwnedFd::from(stdin).into(),
        stdout: OwnedFd::from(stdout).into(),
        stderr: OwnedFd::from(stderr).into(),
    };
    let bots = [bots_stdin.into(), bots_stdout.into(), bots_stderr.into()];
    Ok((streams, bots))
}

/// A shim, with the state reported by its messages.
#[derive(Debug)]
pub struct ShimHandle {
    shim: Arc<Shim>,
    /// The writable folder, in the tier that has one.
    scratch: Option<Scratch>,
    /// Name of the bot's control group, which need not exist.
    cgroup: String,
    cpu_decides: bool,
    cpu_counter: Option<CpuCounter>,
    messages: LineBuffer,
    bot: Option<StartedBot>,
    tree_root: Option<Pid>,
    failed: Option<StartError>,
    end: Option<ProcessEnd>,
    /// The last reported peak memory, in KiB, and the time of the report.
    peak: Option<(u64, Instant)>,
    cleanup: Option<Cleanup>,
    has_descendants: bool,
    /// Time of the last read for messages that were not awaited.
    listened: Instant,
    is_cut: bool,
    /// Whether the shim has cleaned up after this bot and may serve another.
    is_free: bool,
}

impl ShimHandle {
    /// Has a shim start `bot`. Also returns the harness's ends of the bot's pipes.
    pub fn start(
        supervisor: &Supervisor,
        surroundings: BotSurroundings,
        bot: BotCommand,
    ) -> io::Result<(Self, Streams)> {
        let program = &supervisor.program;
        let (streams, bots) = pipes()?;
        let mut order = BotOrder {
            cgroup: cgroup::new_name(),
            needs_account: false,
            scratch: None,
            surroundings,
            bot,
        };
        while let Some(shim) = Shim::idle(program) {
            // The idle shim may have been killed a moment ago.
            if let Ok(handle) = Self::employ(shim, &mut order, &bots) {
                return Ok((handle, streams));
            }
        }
        // A bot of the same user may have killed the maker of shims. The second call starts another.
        let shim = Shim::make(program).or_else(|_| Shim::make(program))?;
        Ok((Self::employ(shim, &mut order, &bots)?, streams))
    }

    fn employ(shim: Arc<Shim>, order: &mut BotOrder, bots: &BotStreams) -> io::Result<Self> {
        let in_landlock = order.bot.confinement.isolation == Tier::Landlock;
        let scratch = in_landlock.then(Scratch::make).transpose();
        let mut handle = Self {
            scratch: None,
            shim,
            cgroup: order.cgroup.clone(),
            cpu_decides: order.bot.confinement.cpu_counter,
            cpu_counter: None,
            messages: LineBuffer::default(),
            bot: None,
            tree_root: None,
            failed: None,
            end: None,
            peak: None,
            cleanup: None,
            has_descendants: false,
            listened: Instant::now(),
            is_cut: false,
            is_free: false,
        };
        let told = scratch.and_then(|scratch| {
            order.scratch = scratch.as_ref().map(|scratch| scratch.path().into());
            handle.scratch = scratch;
            handle.tell(order, bots)
        });
        match told {
            Ok(()) => Ok(handle),
            Err(error) => {
                handle.end_shim();
                Err(error)
            }
        }
    }

    fn tell(&mut self, order: &mut BotOrder, bots: &BotStreams) -> io::Result<()> {
        let Shim {
            process, lifeline, ..
        } = &*self.shim;
        // Opened before the shim starts the bot, so that no CPU time goes uncounted.
        if self.cpu_decides {
            self.cpu_counter = CpuCounter::where_allowed(*process)?;
            order.needs_account = self.cpu_counter.is_none();
        }
        // The shim inherited the affinity of the maker, or of the thread that used it before. A shim that is gone is
        // noticed below.
        let _ = sched_getaffinity(None).and_then(|own| sched_setaffinity(Some(*process), &own));
        lifeline.set_nonblocking(false)?;
        messages::send(lifeline, order, &bots.each_ref().map(AsFd::as_fd))?;
        lifeline.set_nonblocking(true)
    }

    /// Waits until the shim has started the bot. The error is the cause of a failed start.
    pub fn wait_for_start(&mut self) -> Result<StartedBot, StartError> {
        let until = Instant::now() + START;
        while self.bot.is_none() && self.failed.is_none() && self.receive(until)? {}
        match (&self.bot, self.failed.take()) {
            (Some(bot), _) => Ok(bot.clone()),
            (None, Some(error)) => Err(error),
            (None, None) => Err(io::Error::other("the bot's supervisor did not start it").into()),
        }
    }

    /// The counter of the bot's CPU time, if the system allows one.
    pub fn take_cpu_counter(&mut self) -> Option<CpuCounter> {
        self.cpu_counter.take()
    }

    /// Root of the bot's process tree, if descendants were reported, present or past. Does not block.
    pub fn tree_root(&mut self, now: Instant) -> Option<Pid> {
        // The shim samples the tree 50 times a second. Reading at every call would cost every ply a system call.
        if !self.has_descendants && !self.is_cut && now - self.listened >= LISTEN {
            self.listened = now;
            // An error here will recur where it matters.
            let _ = self.receive(now);
        }
        self.tree_root.filter(|_| self.has_descendants)
    }

    /// Root of the bot's process tree, whether or not descendants were reported.
    pub fn tree_root_in_any_case(&self) -> Option<Pid> {
        self.tree_root
    }

    /// Exit status of the bot, if its process ends before `until`.
    pub fn end(&mut self, until: Instant) -> io::Result<Option<ProcessEnd>> {
        // For a bot that was not started, `Done` of its shim ends the loop.
        while self.end.is_none() && self.cleanup.is_none() && !self.is_cut {
            let lives = self
                .bot
                .as_ref()
                .is_some_and(|bot| process_tree::lives(bot.pid));
            // The end of a dead bot will be reported, however busy the machine is, so it has more time. A living one
            // may go on.
            let limit = if lives { until } else { until + START };
            if !lives {
                // The bot may have stopped its shim before it died.
                let _ = kill_process(self.shim.process, Signal::CONT);
            }
            let now = Instant::now();
            if !self.receive(limit.min(now + LOOK))? && now >= limit {
                return Ok(None);
            }
        }
        Ok(self.end.or(Some(ProcessEnd::Unsupervised)))
    }

    /// Peak memory of the bot's tree since the last question, in KiB; `None` if the shim does not answer.
    pub fn peak_kib(&mut self) -> Option<u64> {
        // A recent figure is reused: games may be shorter than the shim's sampling interval, and one more sample costs
        // as much as some plies.
        if let Some((kib, told)) = self.peak
            && told.elapsed() < LOOK
            && self.end.is_none()
        {
            return Some(kib);
        }
        self.peak = None;
        let until = Instant::now() + ANSWER;
        if rustix::io::write(&self.shim.lifeline, &[ASK_FOR_PEAK]).is_ok() {
            while self.peak.is_none() && self.cleanup.is_none() && self.receive(until).ok()? {}
        }
        self.peak.map(|(kib, _)| kib)
    }

    /// Waits up to `grace` until the bot has ended and everything is cleaned up. Returns whether it is.
    pub fn wait(&mut self, grace: Duration) -> bool {
        let until = Instant::now() + grace;
        while self.cleanup.is_none() && matches!(self.receive(until), Ok(true)) {}
        self.cleanup.is_some()
    }

    pub fn finish(&mut self) -> Cleanup {
        if self.cleanup.is_none() {
            // An error means that the other end is gone, which is handled below.
            let _ = rustix::io::write(&self.shim.lifeline, &[END]);
            // The bot may have stopped its shim.
            let _ = kill_process(self.shim.process, Signal::CONT);
            self.wait(PATIENCE);
        }
        if let Some(left) = &mut self.cleanup
            && std::mem::take(&mut left.group_remains)
        {
            cgroup::remove_in_background(self.cgroup.clone());
        }
        self.is_free = self.cleanup.is_some_and(|left| left.survivors == 0) && !self.is_cut;
        if !self.is_free {
            self.end_shim();
        }
        self.cleanup.unwrap_or_default()
    }

    /// Ends a shim that cannot be reused, and all processes below it.
    fn end_shim(&self) {
        let shim = self.shim.process;
        // At the end of its lifeline the shim cleans up and exits by itself.
        let _ = shutdown(&self.shim.lifeline, Shutdown::Write);
        if self.cleanup.is_none() {
            self.kill_shim_and_below();
        }
        if !self.has_exited(PATIENCE) {
            self.kill_shim_and_below();
            let _ = waitpid(Some(shim), WaitOptions::empty());
        }
        forget(shim);
        if self.cleanup.is_none() {
            kill_orphans();
            // The shim would have removed these.
            cgroup::remove_in_background(self.cgroup.clone());
            if let Some(scratch) = &self.scratch {
                scratch.remove();
            }
        }
    }

    fn has_exited(&self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        let pidfd = pidfd_open(self.shim.process, PidfdFlags::empty()).ok();
        loop {
            match waitpid(Some(self.shim.process), WaitOptions::NOHANG) {
                Ok(None) | Err(Errno::INTR) => {}
                Ok(Some(_)) | Err(_) => return true,
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let _ = match &pidfd {
                Some(pidfd) => poll_for(&mut [PollFd::new(pidfd, PollFlags::IN)], left),
                None => poll_for(&mut [], left.min(TICK_WITHOUT_PIDFD)),
            };
        }
    }

    fn kill_shim_and_below(&self) {
        let shim = self.shim.process;
        process_tree::kill_below(shim, PATIENCE, || {
            !process_tree::descendants(shim)
                .into_iter()
                .any(process_tree::lives)
        });
        let _ = kill_process(shim, Signal::KILL);
        if let Some(bot) = &self.bot {
            // If the shim was gone already, only the bot's process group can be found without it.
            let _ = kill_process_group(bot.pid, Signal::KILL);
        }
    }

    /// Receives one message. Returns false if none came before `until`.
    fn receive(&mut self, until: Instant) -> io::Result<bool> {
        loop {
            if let Some(line) = self.messages.next_line() {
                let message = serde_json::from_slice(line)?;
                self.take_in(message);
                return Ok(true);
            }
            if self.is_cut {
                return Ok(false);
            }
            match self.messages.pull(self.shim.lifeline.as_fd()) {
                Ok(ReadOutcome::Bytes(_)) => continue,
                Ok(ReadOutcome::Nothing) => {}
                // A shim killed with an unread question resets the connection.
                Ok(ReadOutcome::End) | Err(_) => {
                    self.is_cut = true;
                    continue;
                }
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            poll_for(&mut [PollFd::new(&self.shim.lifeline, PollFlags::IN)], left)?;
        }
    }

    fn take_in(&mut self, message: ShimMessage) {
        match message {
            ShimMessage::Started {
                pid,
                tree_root,
                cpu_file,
                earlier,
            } => {
                self.bot = Pid::from_raw(pid).map(|pid| StartedBot {
                    pid,
                    cpu_file,
                    earlier,
                    cpu_decides: self.cpu_decides,
                });
                self.tree_root = Pid::from_raw(tree_root);
            }
            ShimMessage::Failed(error) => self.failed = Some(error),
            ShimMessage::HasDescendants => self.has_descendants = true,
            ShimMessage::Ended(end) => self.end = Some(end),
            ShimMessage::PeakMemory { kib } => self.peak = Some((kib, Instant::now())),
            ShimMessage::Done(cleanup) => self.cleanup = Some(cleanup),
        }
    }
}

impl Drop for ShimHandle {
    /// Returns the shim to the pool only now: while this bot's counter can be read, it must not count another bot.
    fn drop(&mut self) {
        if self.is_free {
            Shim::keep(&self.shim);
        }
    }
}
