//! The shim itself: one thread, which starts a bot, watches its tree and clears it away.

use std::ffi::{CString, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, FdFlags, fcntl_setfd};
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, WaitOptions, WaitStatus, getpid, pidfd_open,
    set_child_subreaper, set_dumpable_behavior, wait,
};

use super::fence::Fence;
use super::walls::Rooms;
use super::{ASK, Cleared, Confinement, End, HAS_FOLDER, Tier, Usage, Word, sys, tree};

/// How often the tree is looked at, where looking is cheap.
const TICK: Duration = Duration::from_millis(20);

/// How often a bot's end is looked for where the system cannot tell of it.
const BLIND_TICK: Duration = Duration::from_millis(5);

/// The share of one processor that looking may cost: one part in so many.
const THRIFT: u32 = 100;

/// How long killing may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Is a shim: the arguments are the number of the lifeline's descriptor, the confinement, and the bot's
/// program, name and arguments. Only the harness calls this.
pub fn main(mut args: impl Iterator<Item = OsString>) -> io::Result<()> {
    let missing = || io::Error::new(io::ErrorKind::InvalidInput, "this is no command for people");
    let mut text = || args.next()?.into_string().ok();
    let lifeline = text().and_then(|fd| fd.parse().ok()).ok_or_else(missing)?;
    let confinement: Confinement = text()
        .and_then(|text| serde_json::from_str(&text).ok())
        .ok_or_else(missing)?;
    let program = args.next().ok_or_else(missing)?;
    let has_folder = args.next().ok_or_else(missing)? == HAS_FOLDER;
    let name = args.next().ok_or_else(missing)?;
    let lifeline = sys::take_over(lifeline)?;
    fcntl_setfd(&lifeline, FdFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(&lifeline, true)?;
    close_strays(&lifeline)?;
    let own = getpid();
    set_child_subreaper(Some(own))?;
    // A bot of the same user is not to look into the process that watches it.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let scratch = match confinement.isolation {
        Tier::Containment => None,
        Tier::Landlock => Some(scratch_folder(own)),
    };
    let rooms = match &scratch {
        Some(scratch) => {
            make_private_folder(scratch)?;
            Some(Rooms {
                program: PathBuf::from(&program).canonicalize()?,
                folder: has_folder.then(std::env::current_dir).transpose()?,
                scratch: scratch.clone(),
            })
        }
        None => None,
    };
    let mut fence = Fence::new(&confinement, own, rooms)?;
    let words = std::iter::once(name).chain(args);
    let words: Vec<CString> = words.map(c_string).collect::<io::Result<_>>()?;
    let path = c_string(program.clone())?;
    let environment = environment(scratch.as_deref())?;
    let mut command = Command::new(program);
    sys::between_fork_and_exec(&mut command, move || {
        fence.put_up()?;
        // The library would hand a file that is no program to `sh`.
        match nix::unistd::execve(&path, &words, &environment) {
            Ok(never) => match never {},
            Err(error) => Err(error.into()),
        }
    });
    let started = command.spawn();
    // Only the bot holds its pipes from now on, so that their ends are seen.
    let null = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    let bot = match started {
        Ok(child) => Pid::from_child(&child),
        Err(error) => {
            let failed = Word::Failed {
                errno: error.raw_os_error(),
                why: error.to_string(),
            };
            say(&lifeline, &failed);
            if let Some(scratch) = scratch {
                std::fs::remove_dir_all(scratch)?;
            }
            return Ok(());
        }
    };
    say(
        &lifeline,
        &Word::Started {
            pid: bot.as_raw_nonzero().get(),
        },
    );
    let mut watch = Watch {
        lifeline,
        confinement,
        own,
        bot,
        end: None,
        usage: Usage::default(),
        family: false,
    };
    watch.until_the_end()?;
    watch.clear_away(scratch.as_deref());
    Ok(())
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

/// This process's environment, which is the bot's, but for where it may write.
fn environment(scratch: Option<&Path>) -> io::Result<Vec<CString>> {
    let moved = ["HOME", "TMPDIR"];
    std::env::vars_os()
        .filter(|(key, _)| scratch.is_none() || moved.iter().all(|name| key != name))
        .chain(
            scratch
                .into_iter()
                .flat_map(|path| moved.map(|name| (name.into(), path.into()))),
        )
        .map(|(mut entry, value)| {
            entry.push("=");
            entry.push(value);
            c_string(entry)
        })
        .collect()
}

fn c_string(word: OsString) -> io::Result<CString> {
    Ok(CString::new(word.into_vec())?)
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
fn say(lifeline: &OwnedFd, word: &Word) {
    if let Ok(mut line) = serde_json::to_vec(word) {
        line.push(b'\n');
        let _ = rustix::io::write(lifeline, &line);
    }
}

struct Watch {
    lifeline: OwnedFd,
    confinement: Confinement,
    own: Pid,
    bot: Pid,
    end: Option<End>,
    usage: Usage,
    /// Whether the harness knows of descendants.
    family: bool,
}

impl Watch {
    /// Watches until the bot's own process has ended, must end, or the lifeline is cut.
    fn until_the_end(&mut self) -> io::Result<()> {
        let pidfd = pidfd_open(self.bot, PidfdFlags::empty()).ok();
        let mut tick = self.look();
        loop {
            if self.end.is_some() {
                return Ok(());
            }
            let wait = match pidfd {
                Some(_) => tick,
                None => tick.min(BLIND_TICK),
            };
            let timeout = Timespec {
                tv_sec: 0,
                // Ticks are far below a second.
                tv_nsec: wait.subsec_nanos().into(),
            };
            let mut fds = [
                PollFd::new(&self.lifeline, PollFlags::IN),
                PollFd::new(pidfd.as_ref().unwrap_or(&self.lifeline), PollFlags::IN),
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
                        say(&self.lifeline, &Word::Usage(self.usage));
                        self.usage = Usage::default();
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
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((process, status))) if process == self.bot => self.ended(status),
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => return false,
                Err(_) => return true,
            }
        }
    }

    fn ended(&mut self, status: WaitStatus) {
        let end = match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => End::Code(code),
            (None, Some(signal)) => End::Signal(signal),
            // Stops and continuations are not asked for.
            (None, None) => return,
        };
        self.over(end);
    }

    /// The bot's end is known; the first that is said counts.
    fn over(&mut self, end: End) {
        if self.end.is_none() {
            self.end = Some(end);
            say(&self.lifeline, &Word::Ended(end));
        }
    }

    /// Looks at the tree, and says how long to wait until the next look.
    fn look(&mut self) -> Duration {
        let begun = Instant::now();
        let tree = tree::descendants(self.own);
        let count = tree.len() as u32;
        if !self.family && (count > 1 || self.has_buried()) {
            self.family = true;
            say(&self.lifeline, &Word::Family);
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
            self.over(End::Processes { count, limit });
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
                self.over(End::Memory { held, limit });
            }
        }
        (begun.elapsed() * THRIFT).clamp(TICK, 25 * TICK)
    }

    /// Whether descendants that used some time have come and gone.
    fn has_buried(&self) -> bool {
        [self.bot, self.own]
            .iter()
            .any(|process| !tree::time_of_ended_children(*process).is_zero())
    }

    /// Kills whoever is left, and reports.
    fn clear_away(&mut self, scratch: Option<&Path>) {
        let (own, bot) = (self.own, self.bot);
        let known = self.end;
        let mut killed = tree::kill_below(own, PATIENCE, || self.reap());
        killed.remove(&bot);
        let left = tree::descendants(own)
            .into_iter()
            .filter(|process| tree::lives(*process));
        // The bot may have ended by itself just now, or because it was killed here.
        if known.is_none() && self.end.is_none() {
            self.over(End::Signal(rustix::process::Signal::KILL.as_raw()));
        }
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
        let cleared = Cleared {
            killed: killed.len() as u32,
            left: left.count() as u32,
            cpu_us,
        };
        say(&self.lifeline, &Word::Done(cleared));
    }
}
