//! The descendants of a process, read from `/proc`.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::memory::Status;

/// Whether the kernel has `children` files (CONFIG_PROC_CHILDREN).
static HAS_LISTS: LazyLock<bool> =
    LazyLock::new(|| fs::exists("/proc/thread-self/children").unwrap_or(false));

/// All descendants of `root`. A snapshot: others may exist a moment later.
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
        let children = if has_lists {
            children(parent)
        } else {
            families.get(&parent).cloned().unwrap_or_default()
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

/// Content of a file in `/proc`. Its length is unknown, so a buffer for most of them is allocated up front.
pub(super) fn text_of(path: impl AsRef<Path>) -> io::Result<String> {
    let mut text = String::with_capacity(2 << 10);
    // `take` prevents `read_to_string` from asking for the length.
    let mut file = File::open(path)?.take(u64::MAX);
    file.read_to_string(&mut text)?;
    Ok(text)
}

pub fn children(parent: Pid) -> Vec<Pid> {
    let lists = task_folders(parent).filter_map(|thread| text_of(thread.join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(pid).collect::<Vec<_>>())
        .collect()
}

pub fn tasks(process: Pid) -> Vec<Pid> {
    let number = |folder: PathBuf| pid(folder.file_name()?.to_str()?);
    task_folders(process).filter_map(number).collect()
}

pub(super) fn task_folders(process: Pid) -> impl Iterator<Item = PathBuf> {
    let tasks = fs::read_dir(format!("/proc/{}/task", process.as_raw_nonzero()));
    tasks
        .into_iter()
        .flatten()
        .flatten()
        .map(|task| task.path())
}

/// All processes of the machine, by parent: for kernels without `children` files.
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

/// PID of a process in its innermost PID namespace.
pub fn innermost_number(process: Pid) -> Option<i32> {
    let text = text_of(format!("/proc/{}/status", process.as_raw_nonzero())).ok()?;
    let numbers = text.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    numbers.split_whitespace().last()?.parse().ok()
}

pub(super) struct Stat {
    state: char,
    parent: Option<Pid>,
    /// CPU time of reaped children, in ticks.
    ended_children: u64,
    pub threads: u64,
}

impl Stat {
    pub fn parse(text: &str) -> Option<Self> {
        // The name is in parentheses and may contain any character, including parentheses.
        let mut fields = text.rsplit_once(") ")?.1.split(' ');
        let (state, parent) = (fields.next()?.chars().next()?, fields.next()?);
        // Skips to cutime and cstime, fields 16 and 17; then priority, nice and num_threads.
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

pub fn time_of_ended_children(process: Pid) -> Duration {
    stat(process).map_or(Duration::ZERO, |stat| stat.time_of_ended_children())
}

pub fn may_be_executed_and_not_read(file: &fs::Metadata) -> bool {
    let mode = file.permissions().mode();
    mode & 0o111 & !(mode >> 2) != 0
}

/// Whether a thread of a process is alive. A process whose threads have all exited is a zombie.
pub fn lives(process: Pid) -> bool {
    // The state is the main thread's, which can exit before the others.
    stat(process).is_some_and(|stat| !matches!(stat.state, 'Z' | 'X') || stat.threads > 1)
}

/// Applies `read` to the folder of a process, or if its main thread has exited, to another thread's: memory belongs to
/// the living threads.
pub(super) fn of_living_thread<T>(process: Pid, read: impl Fn(&str) -> Option<T>) -> Option<T> {
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

/// Stops all descendants of `root`, and returns them. A stopped process cannot fork, so once a pass finds no new one,
/// all are stopped. A chain of processes that each start the next and exit is caught after some passes.
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
            let _ = kill_process(process, Signal::STOP);
            stopped.insert(process);
        }
    }
    stopped
}

/// Kills all descendants of `root` until none are left, or `patience` has passed. `reap` reaps dead children and
/// returns whether no child is left. Returns the processes killed.
pub fn kill_below(root: Pid, patience: Duration, mut reap: impl FnMut() -> bool) -> HashSet<Pid> {
    let until = Instant::now() + patience;
    let mut killed = HashSet::new();
    while !reap() && Instant::now() < until {
        // Stopped first: killing them one by one would lose against a bot that forks faster.
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

#[derive(Debug)]
pub struct SmallTree {
    bot: Pid,
    /// `children` of the parent's only thread.
    of_root: File,
    root: File,
    of_bot: File,
    stat: File,
    status: File,
}

/// Sample of a bot without descendants.
#[derive(Debug, Clone, Copy)]
pub struct BotSample {
    pub status: Status,
    /// CPU time of reaped children, cumulative, of the parent and of the bot.
    pub ended_children: [Duration; 2],
}

impl SmallTree {
    pub fn open(root: Pid, bot: Pid) -> Option<Self> {
        let [above, own] = [root, bot].map(Pid::as_raw_nonzero);
        let open = |path: String| File::open(path).ok();
        Some(Self {
            bot,
            of_root: open(format!("/proc/{above}/task/{above}/children"))?,
            root: open(format!("/proc/{above}/stat"))?,
            of_bot: open(format!("/proc/{own}/task/{own}/children"))?,
            stat: open(format!("/proc/{own}/stat"))?,
            status: open(format!("/proc/{own}/status"))?,
        })
    }

    /// Samples the bot; `None` if it has a second thread, a sibling or a child, or has ended.
    pub fn sample(&self) -> Option<BotSample> {
        let mut room = [0; 4 << 10];
        let alone =
            text(&self.of_root, &mut room)?.trim_end() == self.bot.as_raw_nonzero().to_string();
        (alone && text(&self.of_bot, &mut room)?.trim_end().is_empty()).then_some(())?;
        let stat = Stat::parse(text(&self.stat, &mut room)?)?;
        (stat.threads == 1).then_some(())?;
        let of_bot = stat.time_of_ended_children();
        let status = Status::parse(text(&self.status, &mut room)?)?;
        let root = Stat::parse(text(&self.root, &mut room)?)?;
        Some(BotSample {
            status,
            ended_children: [root.time_of_ended_children(), of_bot],
        })
    }
}

/// Current content of a file in `/proc`; `None` if it exceeds `room`.
pub(in crate::bot) fn text<'a>(file: &File, room: &'a mut [u8]) -> Option<&'a str> {
    let count = file.read_at(room, 0).ok()?;
    let whole = room.get(..count).filter(|_| count < room.len())?;
    std::str::from_utf8(whole).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::machine::tests::Parent;

    #[test]
    fn a_bot_is_seen_while_it_is_alone() {
        let mut parent = Parent::start();
        let bot = parent.has_child();
        let tree = SmallTree::open(parent.pid(), bot).expect("files of /proc");
        let alone = tree.sample().expect("it is alone");
        assert!(alone.status.resident_kib > 0 && alone.ended_children[1].is_zero());
        assert!(tree.sample().is_some(), "again");
        drop(parent);
        assert!(tree.sample().is_none());
    }

    #[test]
    fn a_bot_with_company_or_threads_is_not_alone() {
        let mut parent = Parent::start();
        let root = parent.pid();
        let bots = [parent.has_child(), parent.has_child()];
        for bot in bots {
            let tree = SmallTree::open(root, bot).expect("files of /proc");
            assert!(tree.sample().is_none());
        }
        let mut found = descendants(root);
        found.sort_unstable_by_key(|pid| pid.as_raw_nonzero());
        assert_eq!(found, bots);
        // The parent as a bot: it has children.
        let own = rustix::process::getpid();
        let tree = SmallTree::open(own, root).expect("files of /proc");
        assert!(tree.sample().is_none());
    }
}
