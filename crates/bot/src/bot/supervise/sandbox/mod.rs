//! The tier `strict`: a bot in a sandbox of namespaces, created by bubblewrap.
//!
//! ```text
//! shim ── bubblewrap ── the sandbox's first process ── bot ── whatever the bot starts
//!                      └─────────────────── the sandbox ───────────────────┘
//! ```
//!
//! Only the bot and its descendants count as the bot's. The first process (PID 1) starts the bot
//! and reports its exit status to the shim, over a socket that is its stderr.

mod bubblewrap;

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub use bubblewrap::probe;
use bubblewrap::{
    COMPLAINT, SCRATCH, WRITABLE, bubblewrap, can_be_reached, drop_root, not_started,
};
use rustix::event::{PollFd, PollFlags};
use rustix::fs::statvfs;
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Pid, Signal, WaitOptions, getpid, set_dumpable_behavior, setsid, wait,
};

use super::limits::{die_with, prefer_for_oom_kill};
use super::{SUBCOMMAND, sys};
use crate::bot::machine::process_tree;
use crate::bot::pipes::{LineBuffer, ReadOutcome, poll_for};
use crate::bot::supervise::bot_command::{BotStreams, SandboxedBot};
use crate::bot::supervise::limits::{CgroupEntry, Restrictions};
use crate::bot::supervise::messages::{self, ProcessEnd, ShimMessage, StartError};

/// Timeout for creating a sandbox, on a very busy machine.
const PATIENCE: Duration = Duration::from_secs(25);

/// Kernel memory per file in tmpfs, apart from its content: inode and name.
const KIB_PER_FILE: u64 = 1;

/// A sandbox with a bot in it, as seen by its shim.
pub(super) struct Sandbox {
    bubblewrap: Pid,
    init: Pid,
    channel: UnixStream,
    messages: LineBuffer,
}

impl Sandbox {
    pub(super) fn start(
        sandboxed: &SandboxedBot,
        streams: BotStreams,
        own: Pid,
        cgroup_entry: CgroupEntry,
    ) -> Result<(Pid, Self), StartError> {
        let (channel, theirs) = UnixStream::pair()?;
        let mut command = command(sandboxed)?;
        command
            // The bot's variables are for the bot only: the dynamic loader would obey them outside the sandbox.
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(OwnedFd::from(theirs));
        sys::between_fork_and_exec(&mut command, move || {
            setsid()?;
            prefer_for_oom_kill();
            drop_root()?;
            // Called after `drop_root`: a change of user resets it.
            die_with(own)
        });
        let bubblewrap = cgroup_entry
            .spawn(&mut command)
            .map_err(|error| io::Error::other(not_started(&error.into())))?;
        // `command` holds the other end of the channel. With a copy open here, its closing would go unnoticed.
        drop(command);
        let mut messages = LineBuffer::default();
        // An error is ignored: if bubblewrap has exited, its complaint on the channel says more.
        let _ = messages::send(&channel, sandboxed, &streams.each_ref().map(AsFd::as_fd));
        drop(streams);
        let found = find_bot(&channel, &mut messages, bubblewrap);
        let (init, bot) = found.inspect_err(|_| kill_all(own))?;
        let sandbox = Self {
            bubblewrap,
            init,
            channel,
            messages,
        };
        Ok((bot, sandbox))
    }

    pub(super) fn init(&self) -> Pid {
        self.init
    }

    /// Kernel memory of the files in the writable folders, apart from their content. The `scratch` limit does not
    /// bound it.
    pub(super) fn memory_of_files_kib(&self) -> u64 {
        let files = WRITABLE.iter().filter_map(|folder| {
            let path = format!("/proc/{}/root{folder}", self.init.as_raw_nonzero());
            let system = statvfs(path).ok()?;
            system.f_files.checked_sub(system.f_ffree)
        });
        files.sum::<u64>() * KIB_PER_FILE
    }

    /// Processes below the shim that are not the bot's.
    pub(super) fn own_processes(&self) -> [Pid; 2] {
        [self.bubblewrap, self.init]
    }

    pub(super) fn end(&mut self) -> Option<ProcessEnd> {
        loop {
            while let Some(line) = self.messages.next_line() {
                if let Ok(ShimMessage::Ended(end)) = serde_json::from_slice(line) {
                    return Some(end);
                }
            }
            match self.messages.pull(self.channel.as_fd()) {
                Ok(ReadOutcome::Bytes(_)) => {}
                Ok(ReadOutcome::Nothing) => return None,
                // The sandbox has ended, and the kernel has killed every process in it.
                Ok(ReadOutcome::End) | Err(_) => {
                    return Some(ProcessEnd::Signal(Signal::KILL.as_raw()));
                }
            }
        }
    }
}

impl AsFd for Sandbox {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.channel.as_fd()
    }
}

fn command(SandboxedBot { bot, environment }: &SandboxedBot) -> io::Result<Command> {
    let folder = bot.folder()?;
    let referee = std::env::current_exe()?;
    let languages = bot.languages(environment)?.into_iter();
    let visible: Vec<PathBuf> = languages
        .filter(|path| can_be_reached(path))
        .chain(folder.clone())
        .chain([referee.clone()])
        .chain(bot.files()?)
        .collect();
    let scratch = bot.confinement.scratch;
    let working_directory = folder.as_deref().unwrap_or(Path::new(SCRATCH));
    let mut command = bubblewrap(scratch, &visible, working_directory).map_err(io::Error::other)?;
    command.arg(referee).arg(SUBCOMMAND);
    Ok(command)
}

/// Waits until the bot runs. Returns PID 1 of the sandbox, and the bot.
fn find_bot(
    channel: &UnixStream,
    messages: &mut LineBuffer,
    bubblewrap: Pid,
) -> Result<(Pid, Pid), StartError> {
    channel.set_nonblocking(true)?;
    let number = wait_for_start(channel, messages)?;
    let found = find_processes(bubblewrap, number)?;
    // From now on PID 1 may reap the bot when it is dead.
    rustix::io::write(channel, b"!").map_err(io::Error::from)?;
    Ok(found)
}

/// Waits until the bot runs. Returns its PID inside the sandbox.
fn wait_for_start(channel: &UnixStream, messages: &mut LineBuffer) -> Result<i32, StartError> {
    let until = Instant::now() + PATIENCE;
    let mut complaint = String::new();
    loop {
        while let Some(line) = messages.next_line() {
            match serde_json::from_slice(line) {
                Ok(ShimMessage::Started { pid, .. }) => return Ok(pid),
                Ok(ShimMessage::Failed(error)) => return Err(error),
                Ok(_) => {}
                // Bubblewrap writes its complaints to the same channel, as plain text.
                Err(_) if complaint.len() < COMPLAINT => {
                    complaint.push_str(&String::from_utf8_lossy(line));
                }
                Err(_) => {}
            }
        }
        // Bubblewrap that exited with the command unread resets the connection.
        match messages.pull(channel.as_fd()).unwrap_or(ReadOutcome::End) {
            ReadOutcome::Bytes(_) => continue,
            ReadOutcome::Nothing if Instant::now() < until => {}
            ReadOutcome::Nothing => {
                let seconds = PATIENCE.as_secs();
                let problem = format!("no sandbox within {seconds} s");
                return Err(io::Error::other(problem).into());
            }
            ReadOutcome::End => {
                let problem = format!("bubblewrap made no sandbox: {complaint}");
                return Err(io::Error::other(problem).into());
            }
        }
        let mut fds = [PollFd::new(channel, PollFlags::IN)];
        poll_for(&mut fds, Duration::from_secs(1))?;
    }
}

/// Finds PID 1 of the sandbox, and the bot with the inner PID `bot`: PIDs differ between inside and outside.
fn find_processes(bubblewrap: Pid, bot: i32) -> io::Result<(Pid, Pid)> {
    let processes = process_tree::descendants(bubblewrap);
    let find = |number| {
        processes
            .iter()
            .copied()
            .find(|process| process_tree::innermost_number(*process) == Some(number))
            .ok_or_else(|| io::Error::other("the bot was not found in its sandbox"))
    };
    Ok((find(1)?, find(bot)?))
}

fn kill_all(own: Pid) {
    process_tree::kill_below(own, PATIENCE, || {
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        process_tree::descendants(own).is_empty()
    });
}

/// Runs as PID 1 of the sandbox. `channel` leads to the shim, which sends the order. The working directory is the
/// bot's.
pub fn main(channel: UnixStream) -> io::Result<()> {
    // The bot runs as the same user and must not read this process's memory.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let Some((sandboxed, streams)) = messages::receive(&channel)? else {
        return Ok(());
    };
    // `start` consumes the pipes, so only the bot holds them and the harness sees when it closes them.
    let started = start(sandboxed, streams);
    match started {
        Ok(bot) => {
            let started = ShimMessage::Started {
                pid: bot.as_raw_nonzero().get(),
                tree_root: getpid().as_raw_nonzero().get(),
                cpu_file: None,
                earlier: Duration::ZERO,
            };
            started.send(&channel);
            wait_for_all(bot, &channel)
        }
        Err(error) => {
            ShimMessage::Failed(error).send(&channel);
            Ok(())
        }
    }
}

fn start(
    SandboxedBot { bot, environment }: SandboxedBot,
    streams: BotStreams,
) -> Result<Pid, StartError> {
    let restrictions = Restrictions::new(&bot.confinement, getpid(), None)?;
    let scratch = Some(Path::new(SCRATCH));
    let mut command = bot.into_command(streams, environment.into_iter(), restrictions, scratch)?;
    // The process is in the sandbox's control group already.
    CgroupEntry::default().spawn(&mut command)
}

/// Reaps until no child is left. When this process exits, the kernel kills every other process in the sandbox.
fn wait_for_all(bot: Pid, channel: &UnixStream) -> io::Result<()> {
    // The shim finds the bot by its PID, which stays valid until a dead bot is reaped. So reaping starts only once the
    // shim has sent the byte that says it has found the bot.
    rustix::io::read(channel, &mut [0; 1])?;
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((process, status))) if process == bot => {
                if let Some(end) = ProcessEnd::from_status(status) {
                    ShimMessage::Ended(end).send(channel);
                }
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return Ok(()),
        }
    }
}
