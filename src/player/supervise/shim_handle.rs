//! The harness's end of the lifeline, and what it does when there is nobody at the other end.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, FdFlags, fcntl_setfd};
use rustix::net::{Shutdown, shutdown};
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, kill_process_group, set_child_subreaper,
    waitpid,
};
use wait_timeout::ChildExt;

use super::super::line_buffer::{LineBuffer, ReadOutcome};
use super::shim::scratch_folder;
use super::{
    ASK, Cleanup, Confinement, HAS_FOLDER, ProcessEnd, ResourceUsage, SUBCOMMAND, ShimMessage,
    Supervisor, Tier, cgroup, tree,
};

/// How long a shim may take to start a bot, on a machine that is very busy.
const START: Duration = Duration::from_secs(30);

/// How long a shim may take to clear up, after which the harness does it.
const PATIENCE: Duration = Duration::from_secs(8);

/// The shortest pause between two times that a shim is listened to without need.
const LISTEN: Duration = Duration::from_millis(5);

/// How long an answer to a question may take.
const ANSWER: Duration = Duration::from_millis(500);

/// The children of this process that were started as bots or shims and not waited for yet. Held
/// while one is started, so that nobody takes it for an orphan before it is in here.
static CHILDREN: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Whether orphans of dead shims become children of this process.
static ADOPTS: AtomicBool = AtomicBool::new(false);

/// From now on, what a bot leaves behind after it killed its own shim becomes this process's, which
/// then finds and kills it. For a program that has no other children than bots: any child that it
/// did not start as one is taken for such an orphan.
pub fn adopt_orphans() -> io::Result<()> {
    set_child_subreaper(Some(getpid()))?;
    ADOPTS.store(true, Ordering::Relaxed);
    Ok(())
}

/// Starts a child and remembers it.
pub(in crate::player) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut children = CHILDREN.lock().unwrap_or_else(PoisonError::into_inner);
    let child = command.spawn()?;
    children.insert(child.id());
    Ok(child)
}

/// Forgets a child that has been waited for.
pub(in crate::player) fn forget(child: &Child) {
    let mut children = CHILDREN.lock().unwrap_or_else(PoisonError::into_inner);
    children.remove(&child.id());
}

/// The lifeline to a shim.
#[derive(Debug)]
pub(in crate::player) struct ShimHandle {
    socket: UnixStream,
    shim: Pid,
    /// The folder that the bot may write to, in the tiers that have one.
    scratch: Option<PathBuf>,
    /// The name of its control group, which need not be there.
    group: String,
    time: Option<PathBuf>,
    inbox: LineBuffer,
    bot: Option<Pid>,
    /// What is below this process is the bot's.
    tree_root: Option<Pid>,
    failed: Option<io::Error>,
    end: Option<ProcessEnd>,
    usage: Option<ResourceUsage>,
    cleared: Option<Cleanup>,
    has_descendants: bool,
    /// When it was last listened to for news of a has_descendants.
    listened: Instant,
    /// The other end is closed.
    cut: bool,
}

impl ShimHandle {
    /// Has a shim started in place of `bot`, whose streams, folder and environment it inherits.
    pub(in crate::player) fn start(
        supervisor: &Supervisor,
        confinement: &Confinement,
        bot: &Command,
        arg0: &std::ffi::OsStr,
        has_folder: bool,
        arrange: impl FnOnce(&mut Command),
    ) -> io::Result<(Child, Self)> {
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let group = cgroup::new_name();
        let mut command = Command::new(&supervisor.program);
        command
            .arg(SUBCOMMAND)
            .arg(theirs.as_raw_fd().to_string())
            .arg(&group)
            .arg(serde_json::to_string(confinement)?)
            .arg(bot.get_program())
            .arg(if has_folder { HAS_FOLDER } else { "" })
            .arg(arg0)
            .args(bot.get_args());
        arrange(&mut command);
        // Its own group, so that an interrupt from the terminal reaches the harness alone.
        command.process_group(0);
        // Another thread may start a process meanwhile, which then inherits this end too. It does
        // no harm there: the lifeline is cut by closing ours, and a shim closes what it was not given.
        fcntl_setfd(&theirs, FdFlags::empty())?;
        let child = spawn(&mut command)?;
        let link = Self {
            socket: ours,
            shim: Pid::from_child(&child),
            scratch: (confinement.isolation == Tier::Landlock)
                .then(|| scratch_folder(Pid::from_child(&child))),
            group,
            time: None,
            inbox: LineBuffer::default(),
            bot: None,
            tree_root: None,
            failed: None,
            end: None,
            usage: None,
            cleared: None,
            has_descendants: false,
            listened: Instant::now(),
            cut: false,
        };
        Ok((child, link))
    }

    /// The bot's process, once the shim has started it.
    pub(in crate::player) fn bot(&mut self) -> io::Result<Pid> {
        let until = Instant::now() + START;
        while self.bot.is_none() && self.failed.is_none() && self.hear(until)? {}
        match (self.bot, self.failed.take()) {
            (Some(bot), _) => Ok(bot),
            (None, Some(error)) => Err(error),
            (None, None) => Err(io::Error::other("the bot's supervisor did not start it")),
        }
    }

    /// The file that tells what processor time the bot's control group has used, once it runs.
    pub(in crate::player) fn time(&self) -> Option<&Path> {
        self.time.as_deref()
    }

    /// The process that has the bot's whole tree below it and nothing else, if the bot is known to
    /// have descendants or to have had some. Waits for nothing.
    pub(in crate::player) fn tree_root(&mut self) -> Option<Pid> {
        // The shim looks 50 times a second; listening more often would cost every ply a system call.
        if !self.has_descendants && !self.cut && self.listened.elapsed() >= LISTEN {
            self.listened = Instant::now();
            // What goes wrong here will go wrong again where it matters.
            let _ = self.hear(Instant::now());
        }
        self.tree_root.filter(|_| self.has_descendants)
    }

    /// How the bot's process ended, if it has, or does before `until`.
    pub(in crate::player) fn end(&mut self, until: Instant) -> io::Result<Option<ProcessEnd>> {
        while self.end.is_none() && !self.cut {
            let lives = self.bot.is_some_and(tree::lives);
            // What is dead will be reported, however busy the machine; the living may go on.
            let limit = if lives { until } else { until + START };
            if !lives {
                // It may have stopped its shim before it died.
                let _ = kill_process(self.shim, Signal::CONT);
            }
            if !self.hear(limit.min(Instant::now() + ANSWER))? && Instant::now() >= limit {
                return Ok(None);
            }
        }
        Ok(self.end.or(Some(ProcessEnd::Unsupervised)))
    }

    /// What the bot's tree used since this was last asked; `None` if the shim does not answer.
    pub(in crate::player) fn usage(&mut self) -> Option<ResourceUsage> {
        self.usage = None;
        let until = Instant::now() + ANSWER;
        if rustix::io::write(&self.socket, &[ASK]).is_ok() {
            while self.usage.is_none() && self.cleared.is_none() && self.hear(until).ok()? {}
        }
        self.usage
    }

    /// Waits until all is cleared away, for as long as `grace`; true if it is.
    pub(in crate::player) fn wait(&mut self, grace: Duration) -> bool {
        let until = Instant::now() + grace;
        while self.cleared.is_none() && matches!(self.hear(until), Ok(true)) {}
        self.cleared.is_some()
    }

    /// Ends the bot and everything below it, and then its shim.
    pub(in crate::player) fn finish(&mut self, shim: &mut Child) -> Cleanup {
        // Errors mean that the other end is gone, which is seen below.
        let _ = shutdown(&self.socket, Shutdown::Write);
        // A bot may have stopped its shim.
        let _ = kill_process(self.shim, Signal::CONT);
        if !self.wait(PATIENCE) {
            self.force();
        }
        if !matches!(shim.wait_timeout(PATIENCE), Ok(Some(_))) {
            self.force();
            let _ = shim.wait();
        }
        forget(shim);
        if self.cleared.is_none() && self.failed.is_none() {
            clear_orphans();
            // The shim would have removed these.
            cgroup::remove(&self.group);
            if let Some(scratch) = &self.scratch {
                let _ = std::fs::remove_dir_all(scratch);
            }
        }
        self.cleared.unwrap_or_default()
    }

    /// Kills a shim that does not do its work, and all below it.
    fn force(&self) {
        let shim = self.shim;
        tree::kill_below(shim, PATIENCE, || {
            !tree::descendants(shim).into_iter().any(tree::lives)
        });
        let _ = kill_process(shim, Signal::KILL);
        if let Some(bot) = self.bot {
            // Where the shim was gone already, this much can be found without it.
            let _ = kill_process_group(bot, Signal::KILL);
        }
    }

    /// Takes in one word of the shim; false if none came before `until`.
    fn hear(&mut self, until: Instant) -> io::Result<bool> {
        loop {
            if let Some(line) = self.inbox.next_line() {
                let word = serde_json::from_slice(line)?;
                self.take_in(word);
                return Ok(true);
            }
            if self.cut {
                return Ok(false);
            }
            match self.inbox.pull(self.socket.as_fd()) {
                Ok(ReadOutcome::Bytes(_)) => continue,
                Ok(ReadOutcome::Nothing) => {}
                // A shim that was killed with a question unread resets the connection.
                Ok(ReadOutcome::End) | Err(_) => {
                    self.cut = true;
                    continue;
                }
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            let timeout = Timespec {
                tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
                tv_nsec: left.subsec_nanos().into(),
            };
            match poll(
                &mut [PollFd::new(&self.socket, PollFlags::IN)],
                Some(&timeout),
            ) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn take_in(&mut self, word: ShimMessage) {
        match word {
            ShimMessage::Started {
                pid,
                tree_root,
                time,
            } => {
                self.bot = Pid::from_raw(pid);
                self.tree_root = Pid::from_raw(tree_root);
                self.time = time;
            }
            ShimMessage::Failed { errno, why } => {
                self.failed = Some(match errno {
                    Some(errno) => io::Error::from_raw_os_error(errno),
                    None => io::Error::other(why),
                });
            }
            ShimMessage::HasDescendants => self.has_descendants = true,
            ShimMessage::Ended(end) => self.end = Some(end),
            ShimMessage::Usage(usage) => self.usage = Some(usage),
            ShimMessage::Done(cleared) => self.cleared = Some(cleared),
        }
    }
}

/// Kills the orphans that became children of this process.
fn clear_orphans() {
    if !ADOPTS.load(Ordering::Relaxed) {
        return;
    }
    let children = CHILDREN.lock().unwrap_or_else(PoisonError::into_inner);
    let until = Instant::now() + PATIENCE;
    loop {
        let orphans: Vec<Pid> = tree::children(getpid())
            .into_iter()
            .filter(|child| !children.contains(&child.as_raw_nonzero().get().unsigned_abs()))
            .collect();
        if orphans.is_empty() || Instant::now() >= until {
            return;
        }
        for orphan in orphans {
            tree::kill_below(orphan, Duration::from_millis(100), || {
                tree::descendants(orphan).is_empty()
            });
            let _ = kill_process(orphan, Signal::KILL);
            let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}
