//! Measures a bot on its machine: load, waits for a processor, lost time, processor time, the tree of
//! processes, and the processor that a game keeps to. It is handed process IDs and gives measurements;
//! it starts nothing and knows no limit of a bot.

mod contention;
mod cpu_meter;
pub mod lane;
pub mod memory;
mod off_turn;
pub mod probe;
pub mod process_tree;

use std::collections::VecDeque;
use std::fs::File;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

pub use contention::{Contention, ContentionMeter, DelayVerdict, Patience};
pub use cpu_meter::{CpuCounter, CpuMeter, CpuSource, StartedBot};
pub use lane::{Lane, Lanes};
pub use off_turn::WatchedMeter;
pub use probe::Probe;
pub use process_tree::{BotSample, SmallTree};

const BEAT: Duration = Duration::from_millis(20);

/// Minimum delay of a heartbeat that counts as a gap.
const LATE: Duration = Duration::from_millis(80);

/// Timeout for the heartbeat that explains a delay. It comes soon once the harness runs again.
const PATIENCE: Duration = Duration::from_secs(1);

/// Maximum number of gaps kept. A turn with more of them is charged for the oldest.
const GAPS: usize = 256;

static HEARTBEAT: LazyLock<Heartbeat> = LazyLock::new(Heartbeat::start);

pub fn watch() {
    LazyLock::force(&HEARTBEAT);
}

/// Time that the harness lost between `since` and `until`, where `until` is about now.
pub fn lost(since: Instant, until: Instant) -> Duration {
    HEARTBEAT.await_beat(until);
    HEARTBEAT.lost(since, until)
}

/// Part of `lost` credited to a bot that used `cpu` in a turn of length `took`: CPU time that it had is not lost.
pub fn given_back(lost: Duration, took: Duration, cpu: Duration) -> Duration {
    lost.min(took.saturating_sub(cpu))
}

struct Heartbeat {
    begun: Instant,
    /// Times of the last heartbeat and of the end of the last gap, in nanoseconds since `begun`.
    last_beat: AtomicU64,
    last_gap: AtomicU64,
    gaps: Mutex<VecDeque<Gap>>,
}

#[derive(Debug, Clone, Copy)]
struct Gap {
    from: Instant,
    to: Instant,
    /// Part of it while the thread was runnable and had no processor.
    queued: Duration,
}

impl Gap {
    fn lost(&self, since: Instant, until: Instant) -> Duration {
        let shared = (self.to.min(until)).saturating_duration_since(self.from.max(since));
        shared.saturating_sub(self.queued)
    }
}

/// CPU wait of the thread that created this, read as increments.
struct QueueWait {
    /// `None` on a kernel that does not count it.
    file: Option<File>,
    seen: Duration,
}

impl QueueWait {
    fn of_this_thread() -> Self {
        let file = File::open("/proc/thread-self/schedstat").ok();
        let seen = Duration::ZERO;
        let mut wait = Self { file, seen };
        wait.grown();
        wait
    }

    fn grown(&mut self) -> Duration {
        let mut room = [0; 96];
        let file = self.file.as_ref();
        let text = file.and_then(|file| process_tree::text(file, &mut room));
        let now = text.and_then(probe::wait).unwrap_or(self.seen);
        now.saturating_sub(std::mem::replace(&mut self.seen, now))
    }
}

impl Heartbeat {
    fn start() -> Self {
        // If no thread can be started, every heartbeat is missing. `u64::MAX` keeps that from counting as lost time.
        let beats = thread::Builder::new()
            .name("heartbeat".to_owned())
            .spawn(|| {
                let mut queue = QueueWait::of_this_thread();
                loop {
                    thread::sleep(BEAT);
                    HEARTBEAT.beat(Instant::now(), queue.grown());
                }
            });
        let last_beat = if beats.is_ok() { 0 } else { u64::MAX };
        Self {
            begun: Instant::now(),
            last_beat: AtomicU64::new(last_beat),
            last_gap: AtomicU64::new(0),
            gaps: Mutex::default(),
        }
    }

    /// Records a heartbeat, after `queued` of waiting for a processor.
    fn beat(&self, now: Instant, queued: Duration) {
        let last = self.at(&self.last_beat);
        if now.saturating_duration_since(last) > BEAT + LATE {
            let mut gaps = self.gaps();
            if gaps.len() == GAPS {
                gaps.pop_front();
            }
            gaps.push_back(Gap {
                from: last + BEAT,
                to: now,
                queued,
            });
            // Before `last_beat`: a thread that sees the beat in `await_beat` must also see its gap in `lost`.
            self.set(&self.last_gap, now);
        }
        self.set(&self.last_beat, now);
    }

    /// Waits for an overdue heartbeat, which records the gap. If it does not come in time, no time counts as lost.
    fn await_beat(&self, until: Instant) {
        while until.saturating_duration_since(self.at(&self.last_beat)) > BEAT + LATE
            && until.elapsed() < PATIENCE
        {
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn lost(&self, since: Instant, until: Instant) -> Duration {
        if self.at(&self.last_gap) <= since {
            return Duration::ZERO;
        }
        self.gaps().iter().map(|gap| gap.lost(since, until)).sum()
    }

    fn at(&self, moment: &AtomicU64) -> Instant {
        let nanos = Duration::from_nanos(moment.load(Ordering::Acquire));
        // `u64::MAX` stands for never, and so does a century.
        self.begun + nanos.min(Duration::from_secs(3_000_000_000))
    }

    fn set(&self, moment: &AtomicU64, at: Instant) {
        let nanos = at.saturating_duration_since(self.begun).as_nanos();
        moment.store(nanos.try_into().unwrap_or(u64::MAX), Ordering::Release);
    }

    fn gaps(&self) -> MutexGuard<'_, VecDeque<Gap>> {
        // No code under the lock can panic half-way, so a poisoned lock is still consistent.
        self.gaps.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Child, Command, Stdio};

    use rustix::process::{Pid, Signal, kill_process};

    use super::*;

    /// A process that starts a child for each line of input, and prints the child's PID. It ends with its input.
    pub struct Parent {
        child: Child,
        children: Vec<Pid>,
    }

    impl Parent {
        pub fn start() -> Self {
            let child = Command::new("sh")
                .args(["-c", "while read -r line; do sleep 60 & echo $!; done"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("it starts");
            Self {
                child,
                children: Vec::new(),
            }
        }

        pub fn pid(&self) -> Pid {
            Pid::from_child(&self.child)
        }

        pub fn has_child(&mut self) -> Pid {
            let stdin = self.child.stdin.as_mut().expect("piped");
            stdin.write_all(b"go\n").expect("it reads");
            let mut line = String::new();
            let mut stdout = BufReader::new(self.child.stdout.as_mut().expect("piped"));
            stdout.read_line(&mut line).expect("it answers");
            let pid = Pid::from_raw(line.trim().parse().expect("a number")).expect("a number");
            self.children.push(pid);
            pid
        }
    }

    impl Drop for Parent {
        fn drop(&mut self) {
            for pid in self.children.iter().chain([&self.pid()]) {
                let _ = kill_process(*pid, Signal::KILL);
            }
            let _ = self.child.wait();
        }
    }

    const MS: Duration = Duration::from_millis(1);

    fn heartbeat() -> Heartbeat {
        Heartbeat {
            begun: Instant::now(),
            last_beat: AtomicU64::new(0),
            last_gap: AtomicU64::new(0),
            gaps: Mutex::default(),
        }
    }

    #[test]
    fn beats_in_time_lose_nothing() {
        let heart = heartbeat();
        for beat in 1..=50 {
            heart.beat(heart.begun + beat * (BEAT + LATE / 2), Duration::ZERO);
        }
        let now = heart.at(&heart.last_beat);
        assert_eq!(heart.lost(heart.begun, now + LATE), Duration::ZERO);
    }

    #[test]
    fn a_gap_is_lost_by_the_turns_that_it_is_in() {
        let heart = heartbeat();
        let begun = heart.begun;
        heart.beat(begun + BEAT, Duration::ZERO);
        let lost = 980 * MS;
        heart.beat(begun + 1020 * MS, Duration::ZERO);
        assert_eq!(heart.lost(begun, begun + 1025 * MS), lost);
        assert_eq!(
            heart.lost(begun + 540 * MS, begun + 1025 * MS),
            lost - 500 * MS
        );
        assert_eq!(heart.lost(begun, begun + 540 * MS), 500 * MS);
        assert_eq!(
            heart.lost(begun + 1020 * MS, begun + 1025 * MS),
            Duration::ZERO
        );
        heart.beat(begun + 1040 * MS, Duration::ZERO);
        heart.beat(begun + 2060 * MS, Duration::ZERO);
        assert_eq!(heart.lost(begun, begun + 2060 * MS), lost + 1000 * MS);
    }

    #[test]
    fn what_a_busy_machine_delays_is_not_lost() {
        let heart = heartbeat();
        let begun = heart.begun;
        heart.beat(begun + BEAT, Duration::ZERO);
        // Stopped for 400 ms, and in the run queue for 100 ms.
        heart.beat(begun + 2 * BEAT + 500 * MS, 100 * MS);
        let now = begun + 2 * BEAT + 500 * MS;
        assert_eq!(heart.lost(begun, now), 400 * MS);
        // In the run queue all the time.
        heart.beat(now + BEAT + 500 * MS, 500 * MS);
        assert_eq!(heart.lost(now, now + 520 * MS), Duration::ZERO);
    }

    #[test]
    fn a_bot_has_had_the_time_in_which_it_computed() {
        for (cpu, given) in [(0, 900), (100, 900), (300, 700), (1000, 0), (2000, 0)] {
            assert_eq!(given_back(900 * MS, 1000 * MS, cpu * MS), given * MS);
        }
    }

    #[test]
    fn gaps_are_forgotten_rather_than_kept_without_end() {
        let heart = heartbeat();
        for beat in 1..=2 * GAPS as u32 {
            heart.beat(heart.begun + beat * Duration::from_secs(1), Duration::ZERO);
        }
        assert_eq!(heart.gaps().len(), GAPS);
    }
}
