//! The shim itself: one thread, which starts a bot, watches its tree and clears it away.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, FdFlags, fcntl_setfd};
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, WaitOptions, WaitStatus, getpid, pidfd_open,
    set_child_subreaper, set_dumpable_behavior, wait,
};

use super::cgroup::Cgroup;
use super::landlock_rules::VisiblePaths;
use super::restrictions::Restrictions;
use super::sandbox::Sandbox;
use super::shim_command::{self, Order};
use super::{ASK, Cleanup, Confinement, ProcessEnd, ResourceUsage, ShimMessage, Tier, sys, tree};

/// How often the tree is looked at, where looking is cheap.
const TICK: Duration = Duration::from_millis(20);

/// How often a bot's end is looked for where the system cannot tell of it.
const BLIND_TICK: Duration = Duration::from_millis(5);

/// The share of one processor that looking may cost: one part in so many.
const THRIFT: u32 = 100;

/// How long killing may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Is a shim: the arguments are the number of the lifeline's descriptor, a name for the bot's control
/// group, and the [`Order`].
pub(super) fn main(mut args: impl Iterator<Item = OsString>) -> io::Result<()> {
    let lifeline = shim_command::number(args.next())?;
    let group = shim_command::text(args.next())?;
    let order = args.collect::<Vec<_>>();
    let lifeline = sys::take_over(lifeline)?;
    fcntl_setfd(&lifeline, FdFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(&lifeline, true)?;
    close_strays(&lifeline)?;
    let own = getpid();
    set_child_subreaper(Some(own))?;
    // A bot of the same user is not to look into the process that watches it.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let confinement = Order::parse(order.clone())?.confinement;
    let scratch = (confinement.isolation == Tier::Landlock).then(|| scratch_folder(own));
    let mut group = Cgroup::make(&group, &group_limits(&confinement));
    let entrances = group.take_entrances();
    let started = match confinement.isolation {
        Tier::Strict => Sandbox::open(order, own, entrances),
        Tier::Containment | Tier::Landlock => start(order, own, scratch.as_deref(), entrances),
    };
    // Only the bot holds its pipes from now on, so that their ends are seen.
    shim_command::let_go_of_streams()?;
    let (bot, sandbox) = match started {
        Ok(started) => started,
        Err(error) => {
            let failed = ShimMessage::Failed {
                errno: error.raw_os_error(),
                why: error.to_string(),
            };
            group.remove();
            say(&lifeline, &failed);
            if let Some(scratch) = scratch {
                std::fs::remove_dir_all(scratch)?;
            }
            return Ok(());
        }
    };
    let tree_root = sandbox.as_ref().map_or(own, Sandbox::init);
    say(
        &lifeline,
        &ShimMessage::Started {
            pid: bot.as_raw_nonzero().get(),
            tree_root: tree_root.as_raw_nonzero().get(),
            // What making a room took is none of the bot's time.
            time: group.processor_file().filter(|_| sandbox.is_none()),
        },
    );
    let mut watch = Watch {
        lifeline,
        confinement,
        own,
        tree_root,
        bot,
        sandbox,
        group,
        end: None,
        usage: ResourceUsage::default(),
        has_descendants: false,
    };
    watch.until_the_end()?;
    watch.clear_away(scratch.as_deref());
    Ok(())
}

/// What a control group holds. Those of a room would count its files and what makes it as the bot's memory.
fn group_limits(confinement: &Confinement) -> Confinement {
    let memory = confinement.memory;
    Confinement {
        memory: memory.filter(|_| confinement.isolation != Tier::Strict),
        ..confinement.clone()
    }
}

/// Starts a bot as a child of this process.
fn start(
    order: Vec<OsString>,
    own: Pid,
    scratch: Option<&Path>,
    entrances: Vec<File>,
) -> io::Result<(Pid, Option<Sandbox>)> {
    let order = Order::parse(order)?;
    let visible = match scratch {
        Some(scratch) => {
            make_private_folder(scratch)?;
            Some(VisiblePaths {
                programs: order.files()?,
                folder: order.folder()?,
                scratch: scratch.to_owned(),
                writes_folder: order.confinement.writes_own_folder,
            })
        }
        None => None,
    };
    let restrictions = Restrictions::new(&order.confinement, own, visible)?;
    let child = order.command(restrictions, scratch, entrances)?.spawn()?;
    Ok((Pid::from_child(&child), None))
}

/// Where the bot below the shim `shim` may write.
pub(super) fn scratch_folder(shim: Pid) -> PathBuf {
    std::env::temp_dir().join(format!("referee-bot-{}", shim.as_raw_nonzero()))
}

/// A folder that only its owner can look into. What is there from a shim that was killed goes.
fn make_private_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let _ = std::fs::remove_dir_all(path);
    std::fs::DirBuilder::new().mode(0o700).create(path)
}

/// Closes whatever else this process was started with: it is the harness's, or that of who started it.
fn close_strays(lifeline: &OwnedFd) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let open: Vec<i32> = std::fs::read_dir("/proc/self/fd")?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|fd| *fd > 2 && *fd != lifeline.as_raw_fd())
        .collect();
    for fd in open {
        // One of them was the folder that was read, closed by now.
        let _ = nix::unistd::close(fd);
    }
    Ok(())
}

/// A word that nobody takes is lost: the harness is gone, or about to clear up by itself.
pub(super) fn say(lifeline: &OwnedFd, word: &ShimMessage) {
    if let Ok(mut line) = serde_json::to_vec(word) {
        line.push(b'\n');
        let _ = rustix::io::write(lifeline, &line);
    }
}

/// How a process ended of which its parent was told; stops and continuations are no end.
pub(super) fn end_of(status: WaitStatus) -> Option<ProcessEnd> {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Some(ProcessEnd::Code(code)),
        (None, signal) => signal.map(ProcessEnd::Signal),
    }
}

struct Watch {
    lifeline: OwnedFd,
    confinement: Confinement,
    own: Pid,
    /// What is below this process is the bot's, and nothing else is.
    tree_root: Pid,
    bot: Pid,
    sandbox: Option<Sandbox>,
    group: Cgroup,
    end: Option<ProcessEnd>,
    usage: ResourceUsage,
    /// Whether the harness knows of descendants.
    has_descendants: bool,
}

impl Watch {
    /// Watches until the bot's own process has ended, must end, or the lifeline is cut.
    fn until_the_end(&mut self) -> io::Result<()> {
        // Of a bot in a room, only its parent in there can tell how it ended.
        let pidfd = match self.sandbox {
            Some(_) => None,
            None => pidfd_open(self.bot, PidfdFlags::empty()).ok(),
        };
        let mut tick = self.look();
        loop {
            if self.end.is_some() {
                return Ok(());
            }
            let (news, wait) = match (&self.sandbox, &pidfd) {
                (Some(sandbox), _) => (sandbox.as_fd(), tick),
                (None, Some(pidfd)) => (pidfd.as_fd(), tick),
                (None, None) => (self.lifeline.as_fd(), tick.min(BLIND_TICK)),
            };
            let timeout = Timespec {
                tv_sec: 0,
                // Ticks are far below a second.
                tv_nsec: wait.subsec_nanos().into(),
            };
            let mut fds = [
                PollFd::new(&self.lifeline, PollFlags::IN),
                PollFd::from_borrowed_fd(news, PollFlags::IN),
            ];
            match poll(&mut fds, Some(&timeout)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            self.reap();
            if self.end.is_none() {
                tick = self.look();
            }
            if !self.listen() {
                return Ok(());
            }
        }
    }

    /// Hears what the harness asks; false once the lifeline is cut.
    fn listen(&mut self) -> bool {
        let mut asked = [0; 16];
        loop {
            match rustix::io::read(&self.lifeline, &mut asked) {
                Ok(0) => return false,
                Ok(count) => {
                    for _ in asked[..count].iter().filter(|byte| **byte == ASK) {
                        say(&self.lifeline, &ShimMessage::Usage(self.usage));
                        self.usage = ResourceUsage::default();
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return true,
                Err(_) => return false,
            }
        }
    }

    /// Takes the dead away: the bot, and orphans that became the shim's. True if no child is left.
    fn reap(&mut self) -> bool {
        if let Some(end) = self.sandbox.as_mut().and_then(Sandbox::end) {
            self.over(self.out_of_memory().unwrap_or(end));
        }
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((process, status))) if process == self.bot => {
                    if let Some(end) = end_of(status) {
                        self.over(self.out_of_memory().unwrap_or(end));
                    }
                }
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => return false,
                Err(_) => return true,
            }
        }
    }

    /// The end of a bot whose control group reached its limit of memory.
    fn out_of_memory(&self) -> Option<ProcessEnd> {
        let limit = self.confinement.memory?;
        let held = self.group.ran_out(limit)?;
        Some(ProcessEnd::Memory { held, limit })
    }

    /// The bot's end is known; the first that is said counts.
    fn over(&mut self, end: ProcessEnd) {
        if self.end.is_none() {
            self.end = Some(end);
            say(&self.lifeline, &ShimMessage::Ended(end));
        }
    }

    /// Looks at the tree, and says how long to wait until the next look.
    fn look(&mut self) -> Duration {
        let begun = Instant::now();
        let tree = tree::descendants(self.tree_root);
        let count = tree.len() as u32;
        if !self.has_descendants && (count > 1 || self.had_descendants()) {
            self.has_descendants = true;
            say(&self.lifeline, &ShimMessage::HasDescendants);
        }
        let held: u64 = tree
            .iter()
            .map(|process| tree::resident_kib(*process))
            .sum();
        self.usage.peak_kib = self.usage.peak_kib.max(held);
        self.usage.processes = self.usage.processes.max(count);
        if let Some(limit) = self.confinement.processes
            && count > limit
        {
            self.over(ProcessEnd::Processes { count, limit });
        }
        if let Some(limit) = self.confinement.memory
            && held > limit >> 10
        {
            // Pages that the processes of the tree share were counted for each of them.
            let held: u64 = tree
                .iter()
                .map(|process| tree::proportional_kib(*process))
                .sum();
            if held > limit >> 10 {
                let held = held << 10;
                self.over(ProcessEnd::Memory { held, limit });
            }
        }
        if let Some(end) = self.out_of_memory() {
            self.over(end);
        }
        (begun.elapsed() * THRIFT).clamp(TICK, 25 * TICK)
    }

    /// Whether descendants that used some time have come and gone.
    fn had_descendants(&self) -> bool {
        [self.bot, self.tree_root]
            .iter()
            .any(|process| !tree::time_of_ended_children(*process).is_zero())
    }

    /// Kills whoever is left, and reports.
    fn clear_away(&mut self, scratch: Option<&Path>) {
        let (own, bot) = (self.own, self.bot);
        let known = self.end;
        let mut killed = self.group.kill();
        killed.extend(tree::kill_below(own, PATIENCE, || self.reap()));
        killed.remove(&bot);
        for process in self.sandbox.iter().flat_map(Sandbox::processes) {
            killed.remove(&process);
        }
        let survivors = tree::descendants(own)
            .into_iter()
            .filter(|process| tree::lives(*process));
        // The bot may have ended by itself just now, or because it was killed here.
        if known.is_none() && self.end.is_none() {
            self.over(ProcessEnd::Signal(rustix::process::Signal::KILL.as_raw()));
        }
        self.group.remove();
        if let Some(scratch) = scratch {
            // Everybody who could write to it is dead.
            let _ = std::fs::remove_dir_all(scratch);
        }
        let cpu_us = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| {
            let times = [usage.user_time(), usage.system_time()];
            times
                .iter()
                .map(|time| time.tv_sec() as u64 * 1_000_000 + time.tv_usec() as u64)
                .sum()
        });
        let cleared = Cleanup {
            killed: killed.len() as u32,
            survivors: survivors.count() as u32,
            cpu_us,
        };
        say(&self.lifeline, &ShimMessage::Done(cleared));
    }
}
