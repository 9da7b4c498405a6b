//! The shim: a single thread that starts a bot, watches its process tree and cleans up.

use std::io;
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, getpid, pidfd_open,
    set_child_subreaper, set_dumpable_behavior, wait,
};
use rustix::thread::set_name;

use crate::bot::machine::memory::{Status, proportional_kib};
use crate::bot::machine::{BotSample, SmallTree, process_tree};
use crate::bot::pipes::poll_for;
use crate::bot::supervise::bot_command::{BotOrder, BotStreams, SandboxedBot};
use crate::bot::supervise::limits::{
    Cgroup, CgroupEntry, Confinement, Restrictions, Tier, VisiblePaths,
};
use crate::bot::supervise::messages::{
    self, ASK_FOR_PEAK, Cleanup, END, ProcessEnd, ShimMessage, StartError,
};
use crate::bot::supervise::sandbox::Sandbox;
use crate::bot::supervise::scratch::Scratch;

/// Sampling interval of the tree, if a sample is cheap.
const TICK: Duration = Duration::from_millis(20);

/// Polling interval for a bot's end without `pidfd`.
const TICK_WITHOUT_PIDFD: Duration = Duration::from_millis(5);

/// Maximum share of a processor spent on sampling: one part in this many.
const LOOKING_SHARE: u32 = 100;

/// Memory allowance for creating a sandbox, in bytes.
const SANDBOX_MEMORY: u64 = 64 << 20;

const PATIENCE: Duration = Duration::from_secs(5);

pub fn main(lifeline: UnixStream) -> io::Result<()> {
    close_other_descriptors(&lifeline)?;
    // A name for process listings.
    set_name(c"referee-shim")?;
    let own = getpid();
    set_child_subreaper(Some(own))?;
    while let Some((order, streams)) = messages::receive(&lifeline)? {
        lifeline.set_nonblocking(true)?;
        // A bot of the same user must not look into the process that watches it.
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        let cleanup = supervise(&lifeline, own, order, streams)?;
        // An unprivileged user may be refused a CPU counter on a process that is not dumpable.
        set_dumpable_behavior(DumpableBehavior::Dumpable)?;
        std::env::set_current_dir("/")?;
        lifeline.set_nonblocking(false)?;
        ShimMessage::Done(cleanup).send(&lifeline);
    }
    Ok(())
}

fn supervise(
    lifeline: &UnixStream,
    own: Pid,
    order: BotOrder,
    streams: BotStreams,
) -> io::Result<Cleanup> {
    let confinement = order.bot.confinement.clone();
    let scratch = match order
        .scratch
        .clone()
        .map(|path| Scratch::hold(path.into()))
        .transpose()
    {
        Ok(scratch) => scratch,
        Err(error) => {
            ShimMessage::Failed(error.into()).send(lifeline);
            return Ok(Cleanup::default());
        }
    };
    let limits = Confinement {
        memory: group_memory(&confinement),
        ..confinement.clone()
    };
    let mut cgroup = Cgroup::make(&order.cgroup, &limits, order.needs_account);
    let cgroup_entry = cgroup.take_entry();
    let earlier = time_of_earlier_bots();
    let (bot, sandbox) = match start(order, own, streams, cgroup_entry) {
        Ok(started) => started,
        Err(error) => {
            cgroup.remove();
            scratch.as_ref().inspect(|scratch| scratch.remove());
            ShimMessage::Failed(error).send(lifeline);
            return Ok(Cleanup::default());
        }
    };
    let tree_root = sandbox.as_ref().map_or(own, Sandbox::init);
    let mut watch = Watch {
        lifeline,
        confinement,
        own,
        tree_root,
        small_tree: SmallTree::open(tree_root, bot),
        earlier: sandbox.as_ref().map_or(earlier, |_| Duration::ZERO),
        bot,
        sandbox,
        cgroup,
        scratch,
        end: None,
        peak_kib: 0,
        has_descendants: false,
    };
    watch.report_start();
    watch.until_the_end()?;
    Ok(watch.clean_up())
}

/// Upper bound on the CPU time of this process's reaped children that belongs to earlier bots. The kernel rounds user
/// and system time down to ticks separately, so two ticks are added.
fn time_of_earlier_bots() -> Duration {
    let before = process_tree::time_of_ended_children(getpid());
    let tick = Duration::from_secs(1) / rustix::param::clock_ticks_per_second().max(1) as u32;
    if before.is_zero() {
        before
    } else {
        before + 2 * tick
    }
}

/// Closes all other inherited descriptors: they belong to the harness, or to its parent.
fn close_other_descriptors(lifeline: &UnixStream) -> io::Result<()> {
    let open: Vec<RawFd> = std::fs::read_dir("/proc/self/fd")?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|fd| *fd > 2 && *fd != lifeline.as_raw_fd())
        .collect();
    for fd in open {
        // One of them is the descriptor of the listing itself, closed by now.
        let _ = nix::unistd::close(fd);
    }
    Ok(())
}

/// Memory limit of the control group. In the tier `strict` the group includes the sandbox's files and the processes
/// that create it, so there it is only a backstop, against kernel memory used by the bot.
fn group_memory(confinement: &Confinement) -> Option<u64> {
    let memory = confinement.memory?;
    Some(match confinement.isolation {
        Tier::Strict => memory
            .saturating_add(2 * confinement.scratch)
            .saturating_add(SANDBOX_MEMORY),
        Tier::Containment | Tier::Landlock => memory,
    })
}

fn start(
    order: BotOrder,
    own: Pid,
    streams: BotStreams,
    cgroup_entry: CgroupEntry,
) -> Result<(Pid, Option<Sandbox>), StartError> {
    let BotOrder {
        surroundings,
        bot,
        scratch,
        ..
    } = order;
    std::env::set_current_dir(&surroundings.folder)?;
    if bot.confinement.isolation == Tier::Strict {
        let environment = surroundings.environment;
        let sandboxed = SandboxedBot { bot, environment };
        let (bot, sandbox) = Sandbox::start(&sandboxed, streams, own, cgroup_entry)?;
        return Ok((bot, Some(sandbox)));
    }
    let visible = match scratch.clone() {
        Some(scratch) => Some(VisiblePaths {
            programs: [bot.languages(&surroundings.environment)?, bot.files()?].concat(),
            folder: bot.folder()?,
            scratch: scratch.into(),
            writes_folder: bot.confinement.writes_own_folder,
        }),
        None => None,
    };
    let restrictions = Restrictions::new(&bot.confinement, own, visible)?;
    let environment = surroundings.environment.into_iter();
    let mut command = bot.into_command(
        streams,
        environment,
        restrictions,
        scratch.as_ref().map(Path::new),
    )?;
    Ok((cgroup_entry.spawn(&mut command)?, None))
}

struct Watch<'a> {
    lifeline: &'a UnixStream,
    confinement: Confinement,
    own: Pid,
    /// Root of the process tree that holds only the bot and its descendants.
    tree_root: Pid,
    /// For cheap samples while the bot has no descendants; `None` if the system lacks a file.
    small_tree: Option<SmallTree>,
    /// Upper bound on the CPU time of reaped children that `tree_root` has from earlier bots.
    earlier: Duration,
    bot: Pid,
    sandbox: Option<Sandbox>,
    cgroup: Cgroup,
    scratch: Option<Scratch>,
    end: Option<ProcessEnd>,
    peak_kib: u64,
    has_descendants: bool,
}

impl Watch<'_> {
    fn report_start(&self) {
        let started = ShimMessage::Started {
            pid: self.bot.as_raw_nonzero().get(),
            tree_root: self.tree_root.as_raw_nonzero().get(),
            // The group's account includes the creation of the sandbox, which is not the bot's CPU time.
            cpu_file: self.cgroup.cpu_file().filter(|_| self.sandbox.is_none()),
            earlier: self.earlier,
        };
        started.send(self.lifeline);
    }

    /// Watches until the bot's own process has ended or must end, or the lifeline is cut.
    fn until_the_end(&mut self) -> io::Result<()> {
        // Only PID 1 of a sandbox can tell the exit status of its bot.
        let pidfd = match self.sandbox {
            Some(_) => None,
            None => pidfd_open(self.bot, PidfdFlags::empty()).ok(),
        };
        let mut tick = TICK;
        loop {
            if self.end.is_some() {
                return Ok(());
            }
            let (news, wait) = match (&self.sandbox, &pidfd) {
                (Some(sandbox), _) => (sandbox.as_fd(), tick),
                (None, Some(pidfd)) => (pidfd.as_fd(), tick),
                (None, None) => (self.lifeline.as_fd(), tick.min(TICK_WITHOUT_PIDFD)),
            };
            let mut fds = [
                PollFd::new(self.lifeline, PollFlags::IN),
                PollFd::from_borrowed_fd(news, PollFlags::IN),
            ];
            poll_for(&mut fds, wait)?;
            self.reap();
            if self.end.is_none() {
                tick = self.sample_tree();
            }
            if !self.answer_harness() {
                return Ok(());
            }
        }
    }

    /// Answers requests of the harness. Returns false if the bot is to be ended, or the lifeline is cut.
    fn answer_harness(&mut self) -> bool {
        let mut asked = [0; 16];
        loop {
            match rustix::io::read(self.lifeline, &mut asked) {
                Ok(0) => return false,
                Ok(count) if asked[..count].contains(&END) => return false,
                Ok(count) => {
                    for _ in asked[..count].iter().filter(|byte| **byte == ASK_FOR_PEAK) {
                        let kib = std::mem::take(&mut self.peak_kib);
                        ShimMessage::PeakMemory { kib }.send(self.lifeline);
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return true,
                Err(_) => return false,
            }
        }
    }

    /// Reaps the bot, and orphans adopted by the shim. Returns true if no child is left.
    fn reap(&mut self) -> bool {
        if let Some(end) = self.sandbox.as_mut().and_then(Sandbox::end) {
            self.ended(self.out_of_memory().unwrap_or(end));
        }
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((process, status))) if process == self.bot => {
                    if let Some(end) = ProcessEnd::from_status(status) {
                        self.ended(self.out_of_memory().unwrap_or(end));
                    }
                }
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => return false,
                Err(_) => return true,
            }
        }
    }

    /// The exit status for a bot whose control group reached its memory limit.
    fn out_of_memory(&self) -> Option<ProcessEnd> {
        let held = self
            .cgroup
            .out_of_memory(group_memory(&self.confinement)?)?;
        let limit = self.confinement.memory?;
        Some(ProcessEnd::Memory { held, limit })
    }

    /// Reports how the bot ended. Only the first report counts.
    fn ended(&mut self, end: ProcessEnd) {
        if self.end.is_none() {
            self.end = Some(end);
            ShimMessage::Ended(end).send(self.lifeline);
        }
    }

    fn sample_tree(&mut self) -> Duration {
        let begun = Instant::now();
        let alone = self.small_tree.as_ref().and_then(SmallTree::sample);
        let tree = match alone {
            Some(_) => vec![self.bot],
            None => process_tree::descendants(self.tree_root),
        };
        let count = tree.len() as u32;
        if !self.has_descendants && (count > 1 || self.had_descendants(alone)) {
            self.has_descendants = true;
            ShimMessage::HasDescendants.send(self.lifeline);
        }
        let files = self
            .sandbox
            .as_ref()
            .map_or(0, Sandbox::memory_of_files_kib);
        let status = alone.map_or_else(|| Status::of_all(&tree), |alone| alone.status);
        let limit = self.confinement.memory.unwrap_or(u64::MAX);
        let held = status.held_kib(&tree, limit >> 10) + files;
        self.peak_kib = self.peak_kib.max(held);
        if let Some(limit) = self.confinement.processes
            && count > limit
        {
            self.ended(ProcessEnd::Processes { count, limit });
        }
        if let Some(limit) = self.confinement.threads()
            && status.threads > limit.into()
        {
            let count = status.threads;
            self.ended(ProcessEnd::Threads { count, limit });
        }
        // The sum counts a shared page once per process. The exact figure is slow, so it is read only above the limit.
        if held > limit >> 10 {
            let held = proportional_kib(&tree) + files;
            if held > limit >> 10 {
                let held = held << 10;
                self.ended(ProcessEnd::Memory { held, limit });
            }
        }
        if let Some(end) = self.out_of_memory() {
            self.ended(end);
        }
        (begun.elapsed() * LOOKING_SHARE).clamp(TICK, 25 * TICK)
    }

    /// Whether the bot had descendants that used some CPU time and were reaped. `alone` is a sample of a bot without
    /// any.
    fn had_descendants(&self, alone: Option<BotSample>) -> bool {
        let [of_root, of_bot] = match alone {
            Some(alone) => alone.ended_children,
            None => [self.tree_root, self.bot].map(process_tree::time_of_ended_children),
        };
        !of_bot.is_zero() || of_root > self.earlier
    }

    fn clean_up(&mut self) -> Cleanup {
        let mut killed = self.cgroup.kill();
        // The shim adopts a killed process's children, and a bot may fork until the last moment. So the shim kills
        // until the kernel reports that no child is left.
        killed.extend(process_tree::kill_below(self.own, PATIENCE, || self.reap()));
        killed.remove(&self.bot);
        for process in self.sandbox.iter().flat_map(Sandbox::own_processes) {
            killed.remove(&process);
        }
        let survivors = if self.reap() {
            0
        } else {
            let left = process_tree::descendants(self.own).into_iter();
            left.filter(|process| process_tree::lives(*process)).count()
        };
        // An end at this very moment cannot be told from the kill, so it counts as killed.
        if self.end.is_none() {
            self.ended(ProcessEnd::Signal(Signal::KILL.as_raw()));
        }
        let group_remains = !self.cgroup.remove();
        if let Some(scratch) = &self.scratch {
            // All processes that could write to it are dead.
            scratch.remove();
        }
        Cleanup {
            killed: killed.len() as u32,
            survivors: survivors as u32,
            group_remains,
        }
    }
}
