//! The tier `strict`: a bot in a room of its own, which bubblewrap makes of namespaces.
//!
//! ```text
//! shim ── bubblewrap ── the room's first process ── bot ── whatever the bot starts
//! ```
//!
//! The last three live in the room. Of all this, only the bot and what is below it counts as the
//! bot's.

use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Gid, Pid, Signal, Uid, WaitOptions, geteuid, setsid, wait};
use rustix::thread::{set_thread_gid, set_thread_groups, set_thread_uid};

use super::super::inbox::{Inbox, Pulled};
use super::fence::{be_chosen_when_memory_runs_out, die_with};
use super::order::Order;
use super::{End, Word, room, sys, tree, walls};

/// Where bubblewrap is looked for. Not in `PATH`, which may be the bot's.
const BUBBLEWRAP: [&str; 3] = [
    "/usr/bin/bwrap",
    "/usr/local/bin/bwrap",
    "/run/current-system/sw/bin/bwrap",
];

/// The user and the group that a bot is in its room, and that root becomes before it makes one.
const NOBODY: u32 = 65534;

/// Where a bot may write in its room.
pub(super) const SCRATCH: &str = "/tmp";

/// What of `/etc` programs need: where libraries, alternatives, users and the time zone are found.
const SETTINGS: [&str; 10] = [
    "/etc/alternatives",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/timezone",
    "/sys/devices/system/cpu",
];

/// How settings of Java begin, without which it does not start.
const JAVA: &str = "java";

/// How long making a room may take, on a machine that is very busy.
const PATIENCE: Duration = Duration::from_secs(25);

/// How much is kept of what bubblewrap complains of, in bytes.
const COMPLAINT: usize = 2000;

/// A room with a bot in it, as its shim holds it.
pub(super) struct Room {
    bubblewrap: Pid,
    init: Pid,
    channel: UnixStream,
    inbox: Inbox,
}

impl Room {
    /// Makes a room and has the bot started in it that `order` describes, with this process's
    /// streams. An error without a number is not the bot's.
    pub(super) fn open(order: Vec<OsString>, own: Pid) -> io::Result<(Pid, Option<Self>)> {
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
            .args([super::WORD, room::WORD])
            .args(numbers.chain(order))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(OwnedFd::from(theirs));
        sys::between_fork_and_exec(&mut command, move || {
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
        let mut room = Self {
            bubblewrap: Pid::from_child(&child),
            init: own,
            channel,
            inbox: Inbox::default(),
        };
        match room.find_bot() {
            Ok(bot) => Ok((bot, Some(room))),
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
    pub(super) fn end(&mut self) -> Option<End> {
        loop {
            while let Some(line) = self.inbox.next_line() {
                if let Ok(Word::Ended(end)) = serde_json::from_slice(line) {
                    return Some(end);
                }
            }
            match self.inbox.pull(self.channel.as_fd()) {
                Ok(Pulled::Bytes(_)) => {}
                Ok(Pulled::Nothing) => return None,
                // The room is gone, and whoever was in it.
                Ok(Pulled::End) | Err(_) => return Some(End::Signal(Signal::KILL.as_raw())),
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
                    Ok(Word::Started { pid, .. }) => return Ok(pid),
                    Ok(Word::Failed {
                        errno: Some(errno), ..
                    }) => return Err(io::Error::from_raw_os_error(errno)),
                    Ok(Word::Failed { why, .. }) => return Err(io::Error::other(why)),
                    Ok(_) => {}
                    Err(_) if complaint.len() < COMPLAINT => {
                        complaint.push_str(&String::from_utf8_lossy(line));
                    }
                    Err(_) => {}
                }
            }
            match self.inbox.pull(self.channel.as_fd())? {
                Pulled::Bytes(_) => continue,
                Pulled::Nothing if Instant::now() < until => {}
                Pulled::Nothing => return Err(io::Error::other("no room within 25 s")),
                Pulled::End if complaint.is_empty() => {
                    complaint.push_str("it ended without a word")
                }
                Pulled::End => {}
            }
            if !complaint.is_empty() {
                return Err(io::Error::other(format!(
                    "bubblewrap made no room: {complaint}"
                )));
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

impl AsFd for Room {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.channel.as_fd()
    }
}

/// Whether a room can be made here in which `paths` can be read; the error is why not, and what
/// would help.
pub(super) fn probe(scratch: u64, paths: &[PathBuf]) -> Result<(), String> {
    walls::probe_filter()?;
    let failed = |error: io::Error| format!("bubblewrap did not start: {error}");
    let mut command = bubblewrap(scratch, paths, Path::new("/"))?;
    command
        .args(["/bin/sh", "-c"])
        .arg("for path; do [ -r \"$path\" ] || { echo \"cannot read $path\" >&2; exit 1; }; done")
        .arg("sh")
        .args(paths)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if is_root() {
        use std::os::unix::process::CommandExt;
        // The library takes the other groups away too.
        command.uid(NOBODY).gid(NOBODY);
    }
    let mut child = command.spawn().map_err(failed)?;
    let mut complaint = String::new();
    if let Some(stderr) = child.stderr.take() {
        let bounded = stderr.take(COMPLAINT as u64).read_to_string(&mut complaint);
        bounded.map_err(failed)?;
    }
    match child.wait().map_err(failed)?.success() {
        true => Ok(()),
        false => Err(format!("{}; {}", complaint.trim(), remedy(&complaint))),
    }
}

/// What would help where bubblewrap complains.
fn remedy(complaint: &str) -> String {
    let says = |file: &str, value: &str| {
        std::fs::read_to_string(file).is_ok_and(|text| text.trim() == value)
    };
    if complaint.contains("Can't find source path") || complaint.contains("cannot read") {
        return match is_root() {
            true => format!(
                "as root, bots are run as user {NOBODY} (nobody): let that user read it, or run the \
                 referee as a user who can"
            ),
            false => "let this user read it".to_owned(),
        };
    }
    if complaint.contains("Unknown option") {
        return "take bubblewrap 0.8 or newer".to_owned();
    }
    if says("/proc/sys/kernel/unprivileged_userns_clone", "0") {
        return "allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1`".to_owned();
    }
    if says("/proc/sys/user/max_user_namespaces", "0") {
        return "allow user namespaces: `sysctl user.max_user_namespaces=10000`".to_owned();
    }
    if says(
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
        "1",
    ) {
        return "allow user namespaces: `sysctl kernel.apparmor_restrict_unprivileged_userns=0`, or an \
                AppArmor profile for bwrap"
            .to_owned();
    }
    "user namespaces must be allowed; in a container, start it with `--security-opt \
     seccomp=unconfined --security-opt systempaths=unconfined`"
        .to_owned()
}

/// Whether this is the root of a machine that has other users too. The root of a user namespace with
/// one user in it has no other to become, and no rights outside to give up.
fn is_root() -> bool {
    let maps = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let has_nobody = maps.lines().any(|line| {
        let mut numbers = line.split_whitespace().map(str::parse::<u64>);
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(first)), Some(_), Some(Ok(count))) => {
                (first..first.saturating_add(count)).contains(&u64::from(NOBODY))
            }
            _ => false,
        }
    });
    geteuid().is_root() && has_nobody
}

/// Becomes nobody, where this is root. For a process of one thread.
fn drop_root() -> io::Result<()> {
    if is_root() {
        set_thread_groups(&[])?;
        set_thread_gid(Gid::from_raw(NOBODY))?;
        set_thread_uid(Uid::from_raw(NOBODY))?;
    }
    Ok(())
}

/// The command that makes a room with `paths` in it, to be read, and runs in `folder` what is added to
/// its arguments.
fn bubblewrap(scratch: u64, paths: &[PathBuf], folder: &Path) -> Result<Command, String> {
    let program = BUBBLEWRAP.iter().find(|path| Path::new(path).exists());
    let program = program.ok_or_else(|| {
        format!(
            "there is no {}; install the package `bubblewrap`",
            BUBBLEWRAP.join(" or ")
        )
    })?;
    let nobody = NOBODY.to_string();
    let size = scratch.to_string();
    let mut command = Command::new(program);
    command
        .args(["--unshare-user", "--unshare-pid", "--unshare-ipc"])
        .args(["--unshare-net", "--unshare-uts", "--unshare-cgroup-try"])
        .args(["--disable-userns", "--cap-drop", "ALL"])
        .args(["--uid", &nobody, "--gid", &nobody, "--hostname", "bot"])
        .args(["--die-with-parent", "--new-session", "--as-pid-1"])
        .args(["--proc", "/proc", "--dev", "/dev"])
        .args(["--size", &size, "--tmpfs", "/dev/shm"])
        .args(["--remount-ro", "/dev"])
        .args(["--size", &size, "--tmpfs", SCRATCH]);
    let system = walls::PROGRAMS.iter().chain(&SETTINGS).map(PathBuf::from);
    for path in system.chain(java_settings()) {
        show(&mut command, "--ro-bind-try", &path, &path);
    }
    let mut shown: Vec<PathBuf> = walls::PROGRAMS.iter().map(PathBuf::from).collect();
    let installations = walls::installations().filter(|path| can_be_reached(path));
    for path in installations.chain(paths.iter().cloned()) {
        // By a link it may be known to be elsewhere, and programs look beside themselves for more.
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        for place in [&real, &path] {
            if !shown.iter().any(|above| place.starts_with(above)) {
                show(&mut command, "--ro-bind", &real, place);
                shown.push(place.clone());
            }
        }
    }
    command
        .args(["--remount-ro", "/", "--chdir"])
        .arg(folder)
        .arg("--");
    Ok(command)
}

/// Whether a path is there and whoever makes the room can come to it.
fn can_be_reached(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let open = |folder: &Path| {
        let all = |found: Metadata| found.permissions().mode() & 0o001 != 0;
        folder.metadata().is_ok_and(all)
    };
    path.exists() && (!is_root() || path.ancestors().all(open))
}

fn show(command: &mut Command, how: &str, what: &Path, place: &Path) {
    command.args([OsStr::new(how), what.as_os_str(), place.as_os_str()]);
}

/// Files and folders of settings for Java, each version with a name of its own.
fn java_settings() -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(JAVA))
        .map(|entry| entry.path())
}
