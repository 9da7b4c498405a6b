//! The load of the machine, and how long threads had to wait for a processor.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs::{self, DirEntry};
use std::time::Duration;

use rustix::process::Pid;
use rustix::thread::sched_getaffinity;

/// How many threads of a bot are read. A bot with more of them makes its own load.
const THREADS: usize = 512;

/// The unit in which some kernels count how busy their processors are.
const TICK: Duration = Duration::from_millis(10);

/// Reads the load of the machine. Tests put a machine of their own here.
pub trait Probe: Debug + Send + Sync {
    /// Reads the load as it is now. `tree` is one bot with its descendants.
    fn read(&self, tree: &[Pid]) -> Reading;

    /// Whether more threads are ready to run than there are processors. It is asked often.
    fn is_crowded(&self) -> bool {
        false
    }

    /// Whether a thread of these processes is ready to run.
    fn is_ready(&self, _tree: &[Pid]) -> bool {
        false
    }

    /// How long the thread that asks has waited for a processor.
    fn referee_wait(&self) -> Duration {
        Duration::ZERO
    }
}

/// The load at one moment. All times count from some moment in the past.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// How long each thread of the bot was ready to run and had no processor, by its number.
    pub waits: BTreeMap<i32, Duration>,
    /// The same for the thread that asks, which is the referee's.
    pub referee_wait: Duration,
    /// How long the machine's processors were busy, all added up.
    pub busy: Duration,
    /// How long the hypervisor gave them to others, all added up.
    pub stolen: Duration,
    /// How many processors the bot may run on.
    pub cores: u32,
}

impl Reading {
    /// How long the bot had to wait for a processor since `before`. In that time its tree used `cpu`, and was
    /// seen to wait for at least `seen`.
    ///
    /// A bot can make its own threads wait by starting more of them than there are processors. So the
    /// result is never more than what the processors did for others than the bot.
    pub fn cpu_wait_since(&self, before: &Reading, cpu: Duration, seen: Duration) -> Duration {
        let waited = self
            .waits
            .iter()
            .map(|(thread, wait)| {
                wait.saturating_sub(before.waits.get(thread).copied().unwrap_or_default())
            })
            .max()
            .unwrap_or_default();
        let busy = self.busy.saturating_sub(before.busy);
        let stolen = self.stolen.saturating_sub(before.stolen);
        // What the hypervisor takes, it takes from all that run. The bot's share is its share of the work.
        let share = match busy.max(cpu).as_secs_f64() {
            0.0 => 0.0,
            busy => cpu.as_secs_f64() / busy,
        };
        let others = busy.saturating_sub(cpu) + stolen + TICK * self.cores;
        (waited.max(seen) + stolen.mul_f64(share)).min(others)
    }

    /// How long the referee's thread had to wait for a processor since `before`.
    pub fn referee_wait_since(&self, before: &Reading) -> Duration {
        self.referee_wait.saturating_sub(before.referee_wait)
    }
}

/// This machine, read from `/proc`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Linux;

impl Probe for Linux {
    fn read(&self, tree: &[Pid]) -> Reading {
        let (busy, stolen) = processors().unwrap_or_default();
        Reading {
            waits: waits(tree),
            referee_wait: self.referee_wait(),
            busy,
            stolen,
            cores: cores(tree),
        }
    }

    fn is_crowded(&self) -> bool {
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let ready = load.split_once('/').and_then(|(before, _)| {
            let (_, ready) = before.rsplit_once(' ')?;
            ready.parse::<u32>().ok()
        });
        ready.is_some_and(|ready| ready > cores(&[]))
    }

    fn is_ready(&self, tree: &[Pid]) -> bool {
        threads(tree).take(THREADS).any(|thread| {
            let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
            // The name is in brackets and may contain anything.
            stat.rsplit_once(") ")
                .is_some_and(|(_, rest)| rest.starts_with('R'))
        })
    }

    fn referee_wait(&self) -> Duration {
        let own = fs::read_to_string("/proc/thread-self/schedstat").ok();
        own.and_then(|text| wait(&text)).unwrap_or_default()
    }
}

/// The folders of the threads of these processes.
pub(super) fn threads(tree: &[Pid]) -> impl Iterator<Item = DirEntry> {
    let folders = tree.iter().filter_map(|process| {
        fs::read_dir(format!("/proc/{}/task", process.as_raw_nonzero())).ok()
    });
    folders.flat_map(|threads| threads.flatten())
}

/// How long each thread of these processes has waited. Empty on a kernel that does not count it.
fn waits(tree: &[Pid]) -> BTreeMap<i32, Duration> {
    threads(tree)
        .take(THREADS)
        .filter_map(|thread| {
            let number = thread.file_name().to_str()?.parse().ok()?;
            let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            Some((number, wait(&text)?))
        })
        .collect()
}

/// The second number of a `schedstat`: nanoseconds in the queue of a processor.
pub(super) fn wait(schedstat: &str) -> Option<Duration> {
    let nanos = schedstat.split_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

/// How long a hypervisor gave this machine's processors to others, all added up.
pub(super) fn stolen() -> Duration {
    processors().unwrap_or_default().1
}

/// How long all processors were busy, and how long a hypervisor gave them to others.
fn processors() -> Option<(Duration, Duration)> {
    parse_processors(&fs::read_to_string("/proc/stat").ok()?)
}

/// The same, from the text of `/proc/stat`.
fn parse_processors(stat: &str) -> Option<(Duration, Duration)> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Vec<u64> = line
        .split_whitespace()
        .map_while(|field| field.parse().ok())
        .collect();
    let [user, nice, system, _idle, _iowait, irq, softirq, rest @ ..] = &ticks[..] else {
        return None;
    };
    let second = rustix::param::clock_ticks_per_second().max(1);
    let time = |ticks: u64| Duration::from_millis(ticks.saturating_mul(1000) / second);
    let stolen = rest.first().copied().unwrap_or(0);
    Some((time(user + nice + system + irq + softirq), time(stolen)))
}

/// How many processors the first of these processes may run on, or without any, this thread.
fn cores(tree: &[Pid]) -> u32 {
    let first = tree.first().copied();
    sched_getaffinity(first)
        .map(|set| set.count())
        .ok()
        .filter(|count| *count > 0)
        .unwrap_or_else(|| {
            std::thread::available_parallelism().map_or(1, |count| count.get() as u32)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn reading(waits: &[(i32, u32)], busy: u32, stolen: u32) -> Reading {
        Reading {
            waits: waits
                .iter()
                .map(|(thread, ms)| (*thread, *ms * MS))
                .collect(),
            referee_wait: Duration::ZERO,
            busy: busy * MS,
            stolen: stolen * MS,
            cores: 2,
        }
    }

    #[test]
    fn the_longest_wait_of_a_thread_counts_and_a_new_thread_began_at_zero() {
        let before = reading(&[(1, 1000), (2, 500)], 0, 0);
        let after = reading(&[(1, 1300), (2, 600), (3, 200)], 5000, 0);
        assert_eq!(
            after.cpu_wait_since(&before, 700 * MS, Duration::ZERO),
            300 * MS
        );
        let after = reading(&[(1, 1000), (3, 450)], 5000, 0);
        assert_eq!(
            after.cpu_wait_since(&before, 700 * MS, Duration::ZERO),
            450 * MS
        );
    }

    #[test]
    fn nobody_is_believed_to_have_waited_for_longer_than_others_worked() {
        let before = reading(&[(1, 0)], 0, 0);
        // Its own children kept both processors busy for a second.
        let after = reading(&[(1, 990)], 2000, 0);
        assert_eq!(
            after.cpu_wait_since(&before, 2000 * MS, Duration::ZERO),
            2 * TICK
        );
        // Of the work of the two processors half was others'.
        assert_eq!(
            after.cpu_wait_since(&before, 1000 * MS, Duration::ZERO),
            990 * MS
        );
        let after = reading(&[(1, 990)], 1300, 0);
        assert_eq!(
            after.cpu_wait_since(&before, 1000 * MS, Duration::ZERO),
            300 * MS + 2 * TICK
        );
    }

    #[test]
    fn of_what_the_hypervisor_takes_a_bot_is_owed_its_share_of_the_work() {
        let before = reading(&[(1, 0)], 0, 0);
        let after = reading(&[(1, 0)], 1000, 400);
        assert_eq!(
            after.cpu_wait_since(&before, 1000 * MS, Duration::ZERO),
            400 * MS
        );
        assert_eq!(
            after.cpu_wait_since(&before, 250 * MS, Duration::ZERO),
            100 * MS
        );
        assert_eq!(
            after.cpu_wait_since(&before, Duration::ZERO, Duration::ZERO),
            Duration::ZERO
        );
        let idle = reading(&[(1, 0)], 0, 0);
        assert_eq!(
            idle.cpu_wait_since(&before, Duration::ZERO, Duration::ZERO),
            Duration::ZERO
        );
    }

    #[test]
    fn the_kernels_words_are_understood() {
        assert_eq!(
            wait("1047019897 166266 21\n"),
            Some(Duration::from_nanos(166_266))
        );
        assert_eq!(wait("0\n"), None);
        let ticks = 1000 / rustix::param::clock_ticks_per_second() as u32;
        let stat = "cpu  10 20 30 400 50 6 7 8 9 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(
            parse_processors(stat),
            Some((73 * ticks * MS, 8 * ticks * MS))
        );
        assert_eq!(parse_processors("cpu  10 20\n"), None);
        assert_eq!(parse_processors("intr 1\n"), None);
    }

    #[test]
    fn this_machine_is_read() {
        let own = rustix::process::getpid();
        let before = Linux.read(&[own]);
        assert!(
            before.cores > 0 && before.busy > Duration::ZERO,
            "{before:?}"
        );
        let after = Linux.read(&[own]);
        assert!(after.busy >= before.busy && after.referee_wait >= before.referee_wait);
        if before.waits.is_empty() {
            println!("skipped: needs a kernel with schedstat (CONFIG_SCHED_INFO)");
            return;
        }
        let name = own.as_raw_nonzero().get();
        assert!(before.waits[&name] <= after.waits[&name]);
    }
}
