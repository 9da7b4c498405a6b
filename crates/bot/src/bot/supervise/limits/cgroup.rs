//! A control group for one bot, if the system lets this user create one.
//!
//! No limit depends on it alone: each is also enforced by other means, without privileges.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::process::{Pid, WaitOptions, waitpid};
use serde::Serialize;

use super::Confinement;
use crate::bot::machine::process_tree;
use crate::bot::supervise::messages::StartError;
use crate::bot::supervise::sys;

const MOUNT: &str = "/sys/fs/cgroup";

/// Maximum attempts to remove a group. It fails while dead processes are still listed, on a busy machine for more than
/// a second.
const TRIES: u32 = 2000;

/// Further rounds of attempts in the background, and the pause between two: a minute at least.
const PATIENT_TRIES: u32 = 60;
const PAUSE: Duration = Duration::from_millis(100);

/// Maximum nesting of removed groups. A bot that is root can create some.
const DEPTH: u32 = 8;

/// A name for a bot's group, unique on this machine.
pub fn new_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    // A PID is unique only in its namespace, so the namespace is part of the name.
    static NAMESPACE: LazyLock<String> = LazyLock::new(|| {
        let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let namespace = namespace.to_string_lossy();
        namespace.chars().filter(char::is_ascii_digit).collect()
    });
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("referee-{}-{}-{number}", *NAMESPACE, std::process::id())
}

/// A bot's group: a folder in each useful hierarchy.
#[derive(Debug, Default)]
pub struct Cgroup {
    folders: Vec<PathBuf>,
    cgroup_entry: CgroupEntry,
    memory_events: Option<(File, PathBuf)>,
}

impl Cgroup {
    /// Creates a group in each useful hierarchy that permits it, possibly none, and sets its limits. Without a limit,
    /// a hierarchy is useful only for its CPU account, if `needs_account`.
    pub fn make(name: &str, confinement: &Confinement, needs_account: bool) -> Self {
        let mut group = Self::default();
        for parent in HIERARCHIES.of_use(confinement, needs_account) {
            let folder = parent.join(name);
            if fs::create_dir(&folder).is_err() {
                // A dead process may have left a group with this name.
                remove_folder(&folder, DEPTH);
                if fs::create_dir(&folder).is_err() {
                    continue;
                }
            }
            match group.cgroup_entry.open(&folder) {
                Ok(()) => group.folders.push(folder),
                Err(_) => {
                    remove_folder(&folder, DEPTH);
                }
            }
        }
        let memory = confinement.memory.map(|bytes| bytes.to_string());
        // Twice as many as the supervisor allows, for a bot that is faster than it looks.
        let tasks = confinement.threads();
        let tasks = tasks.map(|count| count.saturating_mul(2).to_string());
        for (file, value) in [
            // Names in legacy and unified hierarchies. Swap is included or forbidden, so it does not extend the limit.
            ("memory.limit_in_bytes", &memory),
            ("memory.memsw.limit_in_bytes", &memory),
            ("memory.max", &memory),
            ("memory.swap.max", &memory.is_some().then(|| "0".to_owned())),
            ("pids.max", &tasks),
        ] {
            let Some(value) = value else { continue };
            for folder in &group.folders {
                if let Some(mut file) = write_only(&folder.join(file)) {
                    // A limit that the system refuses is enforced by other means.
                    let _ = file.write_all(value.as_bytes());
                }
            }
        }
        if memory.is_some() {
            group.memory_events = group.folders.iter().find_map(|folder| {
                let open = |file: &str| File::open(folder.join(file)).ok();
                let file = open("memory.events").or_else(|| open("memory.oom_control"))?;
                Some((file, folder.clone()))
            });
        }
        group
    }

    /// The open entries of the group, for the process that is to become the bot.
    pub fn take_entry(&mut self) -> CgroupEntry {
        std::mem::take(&mut self.cgroup_entry)
    }

    pub fn cpu_file(&self) -> Option<PathBuf> {
        self.folders
            .iter()
            .flat_map(|folder| ["cpu.stat", "cpuacct.usage"].map(|file| folder.join(file)))
            .find(|file| file.exists())
    }

    /// Peak memory of the group, in bytes, if it reached its limit and the kernel killed a process for it.
    pub fn out_of_memory(&self, limit: u64) -> Option<u64> {
        let (events, folder) = self.memory_events.as_ref()?;
        let mut room = [0; 1024];
        let kills = process_tree::text(events, &mut room)?
            .lines()
            .find_map(|line| line.strip_prefix("oom_kill "))?;
        if kills.trim().parse::<u64>().ok()? == 0 {
            return None;
        }
        let read = |file: &str| fs::read_to_string(folder.join(file)).ok();
        let peak = read("memory.peak").or_else(|| read("memory.max_usage_in_bytes"));
        let held = match peak {
            Some(peak) => peak.trim().parse().ok()?,
            None => limit,
        };
        // Below the limit, the machine as a whole ran out of memory, which is not the bot's fault.
        (held >= limit - limit / 16).then_some(held)
    }

    /// Kills every process in the group at once (`cgroup.kill`), if the system can. Returns the processes killed.
    pub fn kill(&self) -> HashSet<Pid> {
        let mut killed = HashSet::new();
        for folder in &self.folders {
            let Some(mut kill) = write_only(&folder.join("cgroup.kill")) else {
                continue;
            };
            let members = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
            if !members.is_empty() && kill.write_all(b"1").is_ok() {
                let pids = members.lines().filter_map(|line| line.parse().ok());
                killed.extend(pids.filter_map(Pid::from_raw));
            }
        }
        killed
    }

    /// Removes the group, once every process in it is dead. Returns whether it is gone.
    pub fn remove(&self) -> bool {
        // All are tried, whether or not one is gone.
        let folders = self.folders.iter();
        let remaining = folders.filter(|folder| !remove_folder(folder, DEPTH));
        remaining.count() == 0
    }
}

/// Limits and accounts of the groups that this process can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ControlGroups {
    /// A limit of memory that holds at every moment.
    pub memory: bool,
    pub processes: bool,
    pub processor_time: bool,
}

impl ControlGroups {
    pub fn here() -> Self {
        let limited = Confinement {
            memory: Some(64 << 20),
            ..Confinement::default()
        };
        let group = Cgroup::make(&new_name(), &limited, true);
        let has = |names: &[&str]| {
            let mut folders = group.folders.iter();
            folders.any(|folder| names.iter().any(|name| folder.join(name).exists()))
        };
        let found = Self {
            memory: has(&["memory.max", "memory.limit_in_bytes"]),
            processes: has(&["pids.max"]),
            processor_time: group.cpu_file().is_some(),
        };
        group.remove();
        found
    }
}

/// Retries to remove the group with this name until every process in it is dead. A process that waits for a busy disk
/// dies late.
pub fn remove_in_background(name: String) {
    std::thread::spawn(move || {
        for _ in 0..PATIENT_TRIES {
            if remove(&name) {
                break;
            }
            std::thread::sleep(PAUSE);
        }
    });
}

fn remove(name: &str) -> bool {
    // Limits that select every hierarchy where it can exist.
    let any = Confinement {
        memory: Some(0),
        processes: Some(0),
        ..Confinement::default()
    };
    let parents = HIERARCHIES.of_use(&any, true);
    let remaining = parents.filter(|parent| !remove_folder(&parent.join(name), DEPTH));
    remaining.count() == 0
}

/// Folders of this process's own groups, below which bots' groups are created.
static HIERARCHIES: LazyLock<Hierarchies> = LazyLock::new(|| {
    Hierarchies::new(&fs::read_to_string("/proc/self/cgroup").unwrap_or_default())
});

/// The unified hierarchy, and the legacy ones that may add to it.
struct Hierarchies {
    unified: Option<PathBuf>,
    memory: Option<PathBuf>,
    pids: Option<PathBuf>,
    cpuacct: Option<PathBuf>,
}

impl Hierarchies {
    fn new(own: &str) -> Self {
        let find = |wanted: &str| {
            own.lines().find_map(|line| {
                let (_, line) = line.split_once(':')?;
                let (controllers, path) = line.split_once(':')?;
                controllers
                    .split(',')
                    .any(|controller| controller == wanted)
                    .then_some(path.trim_start_matches('/'))
            })
        };
        let below = |mount: PathBuf, path: &str| {
            // In a container, the path may exist only outside; then the mount point itself is the group.
            [mount.join(path), mount]
                .into_iter()
                .find(|folder| folder.join("cgroup.procs").exists())
        };
        let old = |name: &str| below(Path::new(MOUNT).join(name), find(name)?);
        Self {
            unified: find("").and_then(|path| {
                let mounts = [Path::new(MOUNT).join("unified"), MOUNT.into()];
                let mut mounts = mounts.into_iter();
                let mount = mounts.find(|mount| mount.join("cgroup.controllers").exists())?;
                below(mount, path)
            }),
            memory: old("memory"),
            pids: old("pids"),
            cpuacct: old("cpuacct"),
        }
    }

    /// The hierarchies where a group is useful: for a limit, or for its CPU account.
    fn of_use(
        &self,
        confinement: &Confinement,
        needs_account: bool,
    ) -> impl Iterator<Item = &Path> {
        let of_use = [
            (&self.unified, true),
            (&self.memory, confinement.memory.is_some()),
            (&self.pids, confinement.processes.is_some()),
            (&self.cpuacct, needs_account && self.unified.is_none()),
        ];
        of_use
            .into_iter()
            .filter_map(|(folder, is_of_use)| folder.as_deref().filter(|_| is_of_use))
    }
}

/// Removes a group's folder with nested groups, if it exists. Returns whether it is gone.
fn remove_folder(folder: &Path, depth: u32) -> bool {
    for _ in 0..TRIES {
        match fs::remove_dir(folder) {
            Ok(()) => return true,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return true,
            Err(error) if error.kind() == std::io::ErrorKind::ResourceBusy => {}
            Err(_) => return false,
        }
        if depth > 0 {
            for inner in fs::read_dir(folder).into_iter().flatten().flatten() {
                if inner.path().is_dir() {
                    remove_folder(&inner.path(), depth - 1);
                }
            }
        }
        std::thread::sleep(Duration::from_micros(500));
    }
    false
}

/// Open files by which a process enters a group, opened while that is still allowed.
#[derive(Debug, Default)]
pub struct CgroupEntry {
    /// Folder in the unified hierarchy, and its `cgroup.procs`.
    unified: Option<(File, File)>,
    older: Vec<File>,
}

impl CgroupEntry {
    pub fn open(&mut self, folder: &Path) -> io::Result<()> {
        match write_only(&folder.join("tasks")) {
            Some(tasks) => self.older.push(tasks),
            None => {
                let processes = File::options()
                    .write(true)
                    .open(folder.join("cgroup.procs"))?;
                self.unified = Some((File::open(folder)?, processes));
            }
        }
        Ok(())
    }

    /// Starts a command in the group, if the system allows. The command's closures between fork and exec run in the
    /// group. Only for a single-threaded process.
    ///
    /// The error comes from the command or from one of its closures.
    pub fn spawn(mut self, command: &mut Command) -> Result<Pid, StartError> {
        let (mut errors, mut theirs) = io::pipe()?;
        let Some(child) = self.fork()? else {
            self.enter();
            let error = StartError::of_exec(command.exec());
            let _ = serde_json::to_writer(&mut theirs, &error);
            std::process::exit(127);
        };
        drop(theirs);
        let mut failure = Vec::new();
        // The pipe closes empty once the command is executed, by its close-on-exec flag.
        if errors.read_to_end(&mut failure)? == 0 {
            return Ok(child);
        }
        waitpid(Some(child), WaitOptions::empty()).map_err(io::Error::from)?;
        Err(serde_json::from_slice(&failure).map_err(io::Error::from)?)
    }

    /// Forks, if possible into the group of the unified hierarchy, which then needs no further entry.
    fn fork(&mut self) -> io::Result<Option<Pid>> {
        if let Some((folder, processes)) = self.unified.take() {
            match sys::fork_into(folder.as_fd()) {
                Ok(child) => return Ok(child),
                Err(_) => self.unified = Some((folder, processes)),
            }
        }
        sys::fork()
    }

    /// Moves this process into the remaining groups. A refusal is ignored: every limit is also enforced by other
    /// means.
    fn enter(&mut self) {
        let unified = self.unified.iter_mut().map(|(_, processes)| processes);
        for entrance in unified.chain(&mut self.older) {
            let _ = entrance.write_all(b"0");
        }
    }
}

/// Opens a file that exists: in a control group's folder none can be created.
pub(super) fn write_only(path: &Path) -> Option<File> {
    File::options().write(true).open(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_limits_and_goes_where_one_can_be_made() {
        let confinement = Confinement {
            memory: Some(64 << 20),
            processes: Some(40),
            ..Confinement::default()
        };
        let name = new_name();
        assert_ne!(name, new_name());
        let group = Cgroup::make(&name, &confinement, true);
        if group.folders.is_empty() {
            println!("skipped: needs a control group that can be written to");
            return;
        }
        let read = |file: &str| {
            let mut folders = group.folders.iter();
            folders.find_map(|folder| fs::read_to_string(folder.join(file)).ok())
        };
        if let Some(limit) = read("memory.limit_in_bytes").or_else(|| read("memory.max")) {
            assert_eq!(limit.trim(), (64 << 20).to_string());
        }
        if let Some(limit) = read("pids.max") {
            assert_eq!(limit.trim(), "2048");
        }
        assert_eq!(group.out_of_memory(64 << 20), None);
        assert!(group.kill().is_empty());
        // A bot that is root may leave a nested group.
        fs::create_dir(group.folders[0].join("inner")).expect("made");
        let folders = group.folders.clone();
        drop(group);
        remove(&name);
        assert!(folders.iter().all(|folder| !folder.exists()));
    }
}
