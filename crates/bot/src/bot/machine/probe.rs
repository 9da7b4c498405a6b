//! Load of the machine, and CPU wait of threads.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::Pid;
use rustix::thread::sched_getaffinity;

use super::process_tree::task_folders;

/// Maximum number of a bot's threads that are read. A bot with more of them makes its own load.
const THREADS: usize = 512;

/// Resolution of busy time on some kernels.
const TICK: Duration = Duration::from_millis(10);

/// Reads the load of the machine. Tests substitute their own.
pub trait Probe: Debug + Send + Sync {
    /// Reads the current load. `tree` is one bot with its descendants.
    fn read(&self, tree: &[Pid]) -> Reading;

    /// Whether more threads are runnable than there are processors. Called often, so it must be cheap.
    fn is_crowded(&self) -> bool {
        false
    }

    /// Whether a thread of these processes is runnable.
    fn is_ready(&self, _tree: &[Pid]) -> bool {
        false
    }

    fn referee_wait(&self) -> Duration {
        Duration::ZERO
    }
}

/// Load at one moment. All times are counters since an arbitrary origin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// CPU wait of each thread of the bot (runnable without a processor), by thread id.
    pub waits: BTreeMap<i32, Duration>,
    /// CPU wait of the calling thread, which is the referee's.
    pub referee_wait: Duration,
    /// Busy time, summed over the machine's processors.
    pub busy: Duration,
    /// Steal time: given to other machines by the hypervisor, summed over processors.
    pub stolen: Duration,
    pub cores: u32,
}

impl Reading {
    /// CPU wait of the bot since `before`. Meanwhile its tree used `cpu`, and samples saw it wait for at least `seen`.
    ///
    /// The waits of its threads are added, because a thread that hands over to another, or a process that waits for its
    /// child, is delayed by both. A bot can make its own threads wait by starting more of them than there are processors.
    /// So the work that the processors did for others is an upper bound.
    pub fn cpu_wait_since(&self, before: &Reading, cpu: Duration, seen: Duration) -> Duration {
        let waits = self.waits.iter().map(|(thread, wait)| {
            wait.saturating_sub(before.waits.get(thread).copied().unwrap_or_default())
        });
        let waited: Duration = waits.sum();
        let busy = self.busy.saturating_sub(before.busy);
        let stolen = self.stolen.saturating_sub(before.stolen);
        // The hypervisor takes time from all running threads, so the bot is charged in proportion to its share of the
        // busy time.
        let share = match busy.max(cpu).as_secs_f64() {
            0.0 => 0.0,
            busy => cpu.as_secs_f64() / busy,
        };
        let others = busy.saturating_sub(cpu) + stolen + TICK * self.cores;
        (waited.max(seen) + stolen.mul_f64(share)).min(others)
    }
}

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
        threads(tree).any(|thread| {
            let stat = fs::read_to_string(thread.join("stat")).unwrap_or_default();
            // The name is in parentheses and may contain any character.
            stat.rsplit_once(") ")
                .is_some_and(|(_, rest)| rest.starts_with('R'))
        })
    }

    fn referee_wait(&self) -> Duration {
        let own = fs::read_to_string("/proc/thread-self/schedstat").ok();
        own.and_then(|text| wait(&text)).unwrap_or_default()
    }
}

fn threads(tree: &[Pid]) -> impl Iterator<Item = PathBuf> {
    tree.iter().copied().flat_map(task_folders).take(THREADS)
}

/// CPU wait of each thread of these processes, by thread id. Empty if the kernel does not count it.
fn waits(tree: &[Pid]) -> BTreeMap<i32, Duration> {
    threads(tree)
        .filter_map(|thread| {
            let number = thread.file_name()?.to_str()?.parse().ok()?;
            let text = fs::read_to_string(thread.join("schedstat")).ok()?;
            Some((number, wait(&text)?))
        })
        .collect()
}

/// Second field of `schedstat`: nanoseconds in a run queue.
pub(super) fn wait(schedstat: &str) -> Option<Duration> {
    let nanos = schedstat.split_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

/// Steal time of this machine, summed over processors.
pub(super) fn stolen() -> Duration {
    processors().unwrap_or_default().1
}

/// Busy time and steal time, summed over processors.
fn processors() -> Option<(Duration, Duration)> {
    parse_processors(&fs::read_to_string("/proc/stat").ok()?)
}

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

/// Number of processors on which the first of these processes may run, or this thread if there are none.
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

    /// The wait in milliseconds of a bot whose threads had waited for `before`, and `after` now.
    fn wait_of(before: &[(i32, u32)], after: &Reading, cpu: u32, seen: u32) -> u128 {
        let before = reading(before, 0, 0);
        let wait = after.cpu_wait_since(&before, cpu * MS, seen * MS);
        wait.as_millis()
    }

    #[test]
    fn the_waits_of_threads_are_added_and_a_new_thread_began_at_zero() {
        let before = [(1, 1000), (2, 500)];
        let after = reading(&[(1, 1300), (2, 600), (3, 200)], 5000, 0);
        assert_eq!(wait_of(&before, &after, 700, 0), 600);
        let after = reading(&[(1, 1000), (3, 450)], 5000, 0);
        assert_eq!(wait_of(&before, &after, 700, 0), 450);
        // Samples see the waits of processes that have ended; they may be the same.
        assert_eq!(wait_of(&before, &after, 700, 500), 500);
    }

    #[test]
    fn nobody_is_believed_to_have_waited_for_longer_than_others_worked() {
        let tick = TICK.as_millis();
        // The bot's own children kept both processors busy for a second.
        let after = reading(&[(1, 990)], 2000, 0);
        assert_eq!(wait_of(&[(1, 0)], &after, 2000, 0), 2 * tick);
        // Half of the work of the two processors was others'.
        assert_eq!(wait_of(&[(1, 0)], &after, 1000, 0), 990);
        let after = reading(&[(1, 990)], 1300, 0);
        assert_eq!(wait_of(&[(1, 0)], &after, 1000, 0), 300 + 2 * tick);
    }

    #[test]
    fn of_what_the_hypervisor_takes_a_bot_is_owed_its_share_of_the_work() {
        let after = reading(&[(1, 0)], 1000, 400);
        for (cpu, owed) in [(1000, 400), (250, 100), (0, 0)] {
            assert_eq!(wait_of(&[(1, 0)], &after, cpu, 0), owed);
        }
        assert_eq!(wait_of(&[(1, 0)], &reading(&[(1, 0)], 0, 0), 0, 0), 0);
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
}
