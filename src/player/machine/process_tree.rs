//! The processes below one process, read from `/proc`.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Whether the kernel has lists of children.
static HAS_LISTS: LazyLock<bool> =
    LazyLock::new(|| fs::exists("/proc/thread-self/children").unwrap_or(false));

/// All descendants of `root`. A moment later there may be others.
pub fn descendants(root: Pid) -> Vec<Pid> {
    let has_lists = *HAS_LISTS;
    let families = if has_lists {
        HashMap::new()
    } else {
        families()
    };
    let mut found = Vec::new();
    let mut seen = HashSet::from([root]);
    let mut next = vec![root];
    while let Some(parent) = next.pop() {
        let children = match has_lists {
            true => children(parent),
            false => families.get(&parent).cloned().unwrap_or_default(),
        };
        for child in children {
            if seen.insert(child) {
                found.push(child);
                next.push(child);
            }
        }
    }
    found
}

/// What a file of `/proc` says. Such a file has no length, so room for most of them is made at once.
fn text_of(path: impl AsRef<Path>) -> io::Result<String> {
    let mut text = String::with_capacity(2 << 10);
    // Without the limit the length would be asked for.
    let mut file = File::open(path)?.take(u64::MAX);
    file.read_to_string(&mut text)?;
    Ok(text)
}

/// The children of all threads of a process.
pub fn children(parent: Pid) -> Vec<Pid> {
    let tasks = format!("/proc/{}/task", parent.as_raw_nonzero());
    let Ok(threads) = fs::read_dir(tasks) else {
        return Vec::new();
    };
    threads
        .flatten()
        .filter_map(|thread| text_of(thread.path().join("children")).ok())
        .flat_map(|list| list.split_whitespace().filter_map(pid).collect::<Vec<_>>())
        .collect()
}

/// All children of the machine, by parent: for kernels without lists of children.
fn families() -> HashMap<Pid, Vec<Pid>> {
    let mut families: HashMap<Pid, Vec<Pid>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(child) = entry.file_name().to_str().and_then(pid) else {
            continue;
        };
        if let Some(parent) = stat(child).and_then(|stat| stat.parent) {
            families.entry(parent).or_default().push(child);
        }
    }
    families
}

fn pid(text: &str) -> Option<Pid> {
    text.parse().ok().and_then(Pid::from_raw)
}

/// The number that a process has in the innermost namespace of processes that it is in.
pub fn innermost_number(process: Pid) -> Option<i32> {
    let text = text_of(format!("/proc/{}/status", process.as_raw_nonzero())).ok()?;
    let numbers = text.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    numbers.split_whitespace().last()?.parse().ok()
}

/// What the file `stat` says of a process.
pub(super) struct Stat {
    state: char,
    parent: Option<Pid>,
    /// Processor time, in ticks, of children that have ended and were waited for.
    ended_children: u64,
    pub threads: u64,
}

impl Stat {
    pub fn parse(text: &str) -> Option<Self> {
        // The name is in brackets and may contain anything, also brackets.
        let mut fields = text.rsplit_once(") ")?.1.split(' ');
        let (state, parent) = (fields.next()?.chars().next()?, fields.next()?);
        // Eleven fields further on are the user and system time of children; then priority and nice.
        let mut numbers = fields.skip(11).map(|field| field.parse::<u64>().ok());
        Some(Self {
            state,
            parent: pid(parent),
            ended_children: numbers.next()?? + numbers.next()??,
            threads: numbers.nth(2)??,
        })
    }

    pub fn time_of_ended_children(&self) -> Duration {
        let ticks = rustix::param::clock_ticks_per_second().max(1);
        Duration::from_millis(self.ended_children * 1000 / ticks)
    }
}

fn stat(process: Pid) -> Option<Stat> {
    Stat::parse(&text_of(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?)
}

/// How many threads all processes of a user have.
pub fn threads_of_user(user: u32) -> u64 {
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.metadata().is_ok_and(|data| data.uid() == user))
        .filter_map(|entry| stat(entry.file_name().to_str().and_then(pid)?))
        .map(|stat| stat.threads)
        .sum()
}

/// Processor time of children, and theirs in turn, that have ended and were waited for.
pub fn time_of_ended_children(process: Pid) -> Duration {
    stat(process).map_or(Duration::ZERO, |stat| stat.time_of_ended_children())
}

/// Whether a process runs a file that whoever may execute it may not read. The system shows an ordinary user nothing
/// of such a process.
pub fn runs_what_it_may_not_read(process: Pid) -> bool {
    match fs::metadata(format!("/proc/{}/exe", process.as_raw_nonzero())) {
        Ok(file) => may_be_executed_and_not_read(&file),
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    }
}

/// Whether somebody may execute a file and not read it.
pub fn may_be_executed_and_not_read(file: &fs::Metadata) -> bool {
    let mode = file.permissions().mode();
    mode & 0o111 & !(mode >> 2) != 0
}

/// Whether a thread of a process runs, sleeps or is stopped. A process whose threads have all ended
/// waits for its parent.
pub fn lives(process: Pid) -> bool {
    // The state is that of the first thread, which can end before the others.
    stat(process).is_some_and(|stat| !matches!(stat.state, 'Z' | 'X') || stat.threads > 1)
}

/// Memory that a process has in use, in KiB, shared pages counted in full. Cheap to read.
pub fn resident_kib(process: Pid) -> u64 {
    of_living_thread(process, |folder| {
        kib_of_statm(&text_of(format!("{folder}/statm")).ok()?)
    })
    .unwrap_or(0)
}

/// The memory in use, in KiB, that a file `statm` tells; `None` if there is none, as of a thread that has ended.
pub(super) fn kib_of_statm(text: &str) -> Option<u64> {
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * (rustix::param::page_size() as u64 / 1024)).filter(|kib| *kib > 0)
}

/// Memory that a process has in use, in KiB, where each shared page is divided among those that share
/// it. Slow to read.
pub fn proportional_kib(process: Pid) -> u64 {
    of_living_thread(process, |folder| {
        let text = text_of(format!("{folder}/smaps_rollup")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    })
    .unwrap_or_else(|| resident_kib(process))
}

/// What `read` finds in the folder of a process, or if its first thread has ended, in that of another
/// thread: the memory of a process belongs to the threads that live.
fn of_living_thread(process: Pid, read: impl Fn(&str) -> Option<u64>) -> Option<u64> {
    let folder = format!("/proc/{}", process.as_raw_nonzero());
    read(&folder).or_else(|| {
        if !lives(process) {
            return None;
        }
        let threads = fs::read_dir(format!("{folder}/task")).ok()?;
        threads
            .flatten()
            .find_map(|thread| read(thread.path().to_str()?))
    })
}

/// Stops all descendants of `root`, and returns them. A stopped process cannot fork, so once a look
/// finds no new one, all are stopped. A chain in which each process starts the next and exits is
/// caught after some rounds.
pub fn stop_below(root: Pid) -> HashSet<Pid> {
    let mut stopped = HashSet::new();
    for _ in 0..16 {
        let new: Vec<Pid> = descendants(root)
            .into_iter()
            .filter(|process| !stopped.contains(process) && lives(*process))
            .collect();
        if new.is_empty() {
            break;
        }
        for process in new {
            // It may have ended by itself.
            let _ = kill_process(process, Signal::STOP);
            stopped.insert(process);
        }
    }
    stopped
}

/// Kills all descendants of `root` until there are none, or `patience` is over. `reap` waits for dead
/// children and returns whether no child is left. Returns the processes that were killed.
pub fn kill_below(root: Pid, patience: Duration, mut reap: impl FnMut() -> bool) -> HashSet<Pid> {
    let until = Instant::now() + patience;
    let mut killed = HashSet::new();
    while !reap() && Instant::now() < until {
        // Killing one process after another would lose to a bot that forks faster.
        let stopped = stop_below(root);
        for process in &stopped {
            let _ = kill_process(*process, Signal::KILL);
        }
        killed.extend(stopped);
        if !reap() {
            std::thread::sleep(Duration::from_micros(500));
        }
    }
    killed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threads_of_this_process_are_its_users() {
        let before = threads_of_user(rustix::process::getuid().as_raw());
        assert!(before > 0);
        let own = stat(rustix::process::getpid()).expect("it lives");
        assert!(own.threads > 0 && before >= own.threads);
        assert!(lives(rustix::process::getpid()));
    }
}
