//! The tier `strict`: a bot in a room of its own, which bubblewrap makes of namespaces.
//!
//! ```text
//! shim ── bubblewrap ── the room's first process ── bot ── whatever the bot starts
//! ```
//!
//! Bubblewrap stays outside. Of all this, only the bot and what is below it counts as the bot's.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitOptions, setsid, wait};

use super::super::line_buffer::{LineBuffer, ReadOutcome};
use super::bubblewrap::{COMPLAINT, SCRATCH, bubblewrap, drop_root};
use super::restrictions::{be_chosen_when_memory_runs_out, die_with};
use super::shim_command::Order;
use super::{ProcessEnd, ShimMessage, cgroup, sandbox_init, sys, tree};

/// How long making a room may take, on a machine that is very busy.
const PATIENCE: Duration = Duration::from_secs(25);

/// A room with a bot in it, as its shim holds it.
pub(super) struct Sandbox {
    bubblewrap: Pid,
    init: Pid,
    channel: UnixStream,
    inbox: LineBuffer,
}

impl Sandbox {
    /// Makes a room and has the bot started in it that `order` describes, with this process's
    /// streams. An error without a number is not the bot's.
    pub(super) fn open(
        order: Vec<OsString>,
        own: Pid,
        mut entrances: Vec<File>,
    ) -> io::Result<(Pid, Option<Self>)> {
        let bot = Order::parse(order.clone())?;
        let folder = bot.folder()?;
        let referee = std::env::current_exe()?;
        let seen = folder.iter().cloned().chain([referee.clone()]);
        let seen: Vec<PathBuf> = seen.chain(bot.files()?).collect();
        // Bubblewrap keeps its three streams to its end, so the bot's go by other numbers.
        let streams = [
            rustix::io::dup(rustix::stdio::stdin())?,
            rustix::io::dup(rustix::stdio::stdout())?,
            rustix::io::dup(rustix::stdio::stderr())?,
        ];
        let numbers = streams
            .iter()
            .map(|stream| stream.as_raw_fd().to_string().into());
        let (channel, theirs) = UnixStream::pair()?;
        let mut command = bubblewrap(
            bot.confinement.scratch,
            &seen,
            folder.as_deref().unwrap_or(Path::new(SCRATCH)),
        )
        .map_err(io::Error::other)?;
        command
            .arg(referee)
            .args([super::SUBCOMMAND, sandbox_init::SUBCOMMAND])
            .args(numbers.chain(order))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(OwnedFd::from(theirs));
        sys::between_fork_and_exec(&mut command, move || {
            // While the rights for it are there.
            cgroup::enter(&mut entrances);
            setsid()?;
            be_chosen_when_memory_runs_out();
            drop_root()?;
            // After the change of user, which takes this back.
            die_with(own)
        });
        channel.set_nonblocking(true)?;
        let child = command
            .spawn()
            .map_err(|error| io::Error::other(format!("bubblewrap did not start: {error}")))?;
        // It holds the other end of the channel.
        drop(command);
        let mut sandbox = Self {
            bubblewrap: Pid::from_child(&child),
            init: own,
            channel,
            inbox: LineBuffer::default(),
        };
        match sandbox.find_bot() {
            Ok(bot) => Ok((bot, Some(sandbox))),
            Err(error) => {
                tree::kill_below(own, PATIENCE, || {
                    while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
                    tree::descendants(own).is_empty()
                });
                Err(error)
            }
        }
    }

    /// The room's first process.
    pub(super) fn init(&self) -> Pid {
        self.init
    }

    /// The processes of the room that are not the bot's.
    pub(super) fn processes(&self) -> [Pid; 2] {
        [self.bubblewrap, self.init]
    }

    /// How the bot ended, if it has.
    pub(super) fn end(&mut self) -> Option<ProcessEnd> {
        loop {
            while let Some(line) = self.inbox.next_line() {
                if let Ok(ShimMessage::Ended(end)) = serde_json::from_slice(line) {
                    return Some(end);
                }
            }
            match self.inbox.pull(self.channel.as_fd()) {
                Ok(ReadOutcome::Bytes(_)) => {}
                Ok(ReadOutcome::Nothing) => return None,
                // The room is gone, and whoever was in it.
                Ok(ReadOutcome::End) | Err(_) => {
                    return Some(ProcessEnd::Signal(Signal::KILL.as_raw()));
                }
            }
        }
    }

    /// Waits for the bot to start and finds its process, which has another number in there.
    fn find_bot(&mut self) -> io::Result<Pid> {
        let inside = self.started()?;
        let room = tree::descendants(self.bubblewrap);
        let find = |number| {
            let mut room = room.iter().copied();
            room.find(|process| tree::innermost_number(*process) == Some(number))
                .ok_or_else(|| io::Error::other("the bot was not found in its room"))
        };
        self.init = find(1)?;
        let bot = find(inside)?;
        rustix::io::write(&self.channel, b"!")?;
        Ok(bot)
    }

    /// The bot's number in its room, once it runs.
    fn started(&mut self) -> io::Result<i32> {
        let until = Instant::now() + PATIENCE;
        let mut complaint = String::new();
        loop {
            while let Some(line) = self.inbox.next_line() {
                match serde_json::from_slice(line) {
                    Ok(ShimMessage::Started { pid, .. }) => return Ok(pid),
                    Ok(ShimMessage::Failed {
                        errno: Some(errno), ..
                    }) => return Err(io::Error::from_raw_os_error(errno)),
                    Ok(ShimMessage::Failed { why, .. }) => return Err(io::Error::other(why)),
                    Ok(_) => {}
                    Err(_) if complaint.len() < COMPLAINT => {
                        complaint.push_str(&String::from_utf8_lossy(line));
                    }
                    Err(_) => {}
                }
            }
            match self.inbox.pull(self.channel.as_fd())? {
                ReadOutcome::Bytes(_) => continue,
                ReadOutcome::Nothing if Instant::now() < until => {}
                ReadOutcome::Nothing => return Err(io::Error::other("no room within 25 s")),
                ReadOutcome::End => {
                    let problem = format!("bubblewrap made no room: {complaint}");
                    return Err(io::Error::other(problem));
                }
            }
            let second = Timespec {
                tv_sec: 1,
                tv_nsec: 0,
            };
            let mut fds = [PollFd::new(&self.channel, PollFlags::IN)];
            // Interrupted or not, the next round looks.
            let _ = poll(&mut fds, Some(&second));
        }
    }
}

impl AsFd for Sandbox {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.channel.as_fd()
    }
}
