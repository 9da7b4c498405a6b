//! Time that the harness lost, because it was stopped, swapped out or suspended.
//!
//! A thread that sleeps wakes up when it wanted to, unless the whole harness did not run. So one thread
//! does nothing but sleep and notes how long it overslept: meanwhile nobody could read an answer that
//! was there.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the thread sleeps at a time.
const BEAT: Duration = Duration::from_millis(20);

/// A machine that is merely busy delays a beat by less than this.
const LATE: Duration = Duration::from_millis(80);

/// How many gaps are kept. A turn with more of them is charged for the oldest.
const GAPS: usize = 256;

static HEARTBEAT: LazyLock<Heartbeat> = LazyLock::new(Heartbeat::start);

/// Begins to look for lost time, if that has not begun.
pub(super) fn watch() {
    LazyLock::force(&HEARTBEAT);
}

/// How much of the time from `since` to `until`, which is hardly over, the harness lost.
pub(super) fn lost(since: Instant, until: Instant) -> Duration {
    HEARTBEAT.lost(since, until)
}

struct Heartbeat {
    begun: Instant,
    /// When the last beat was, and when the last gap ended, in nanoseconds since it begun.
    last_beat: AtomicU64,
    last_gap: AtomicU64,
    /// From when to when there was no beat.
    gaps: Mutex<VecDeque<[Instant; 2]>>,
}

impl Heartbeat {
    fn start() -> Self {
        // Where no thread can be started, every beat is missing, which must not count.
        let beats = thread::Builder::new()
            .name("heartbeat".to_owned())
            .spawn(|| {
                loop {
                    thread::sleep(BEAT);
                    HEARTBEAT.beat(Instant::now());
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

    fn beat(&self, now: Instant) {
        let last = self.at(&self.last_beat);
        if now.saturating_duration_since(last) > BEAT + LATE {
            let mut gaps = self.gaps();
            if gaps.len() == GAPS {
                gaps.pop_front();
            }
            gaps.push_back([last + BEAT, now]);
            self.set(&self.last_gap, now);
        }
        self.set(&self.last_beat, now);
    }

    fn lost(&self, since: Instant, until: Instant) -> Duration {
        let expected = self.at(&self.last_beat) + BEAT;
        let now = match until.saturating_duration_since(expected) > LATE {
            // The gap that has just ended is not noted yet.
            true => overlap([expected, until], since, until),
            false => Duration::ZERO,
        };
        if self.at(&self.last_gap) <= since {
            return now;
        }
        let gaps = self.gaps();
        now + gaps
            .iter()
            .map(|gap| overlap(*gap, since, until))
            .sum::<Duration>()
    }

    fn at(&self, moment: &AtomicU64) -> Instant {
        let nanos = Duration::from_nanos(moment.load(Ordering::Acquire));
        // A century is as good as never.
        self.begun + nanos.min(Duration::from_secs(3_000_000_000))
    }

    fn set(&self, moment: &AtomicU64, at: Instant) {
        let nanos = at.saturating_duration_since(self.begun).as_nanos();
        moment.store(nanos.try_into().unwrap_or(u64::MAX), Ordering::Release);
    }

    fn gaps(&self) -> MutexGuard<'_, VecDeque<[Instant; 2]>> {
        // Nothing is done under the lock that could fail half-way.
        self.gaps.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How much of a gap lies between two moments.
fn overlap([from, to]: [Instant; 2], since: Instant, until: Instant) -> Duration {
    to.min(until).saturating_duration_since(from.max(since))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// A heartbeat of which the test gives the beats.
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
            heart.beat(heart.begun + beat * (BEAT + LATE / 2));
        }
        let now = heart.at(&heart.last_beat);
        assert_eq!(heart.lost(heart.begun, now + LATE), Duration::ZERO);
    }

    #[test]
    fn a_gap_is_lost_by_the_turns_that_it_is_in() {
        let heart = heartbeat();
        let begun = heart.begun;
        heart.beat(begun + BEAT);
        // Before the beat that notes it, and after it.
        let lost = 980 * MS;
        assert_eq!(heart.lost(begun, begun + 1020 * MS), lost);
        heart.beat(begun + 1020 * MS);
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
        heart.beat(begun + 1040 * MS);
        heart.beat(begun + 2060 * MS);
        assert_eq!(heart.lost(begun, begun + 2060 * MS), lost + 1000 * MS);
    }

    #[test]
    fn gaps_are_forgotten_rather_than_kept_without_end() {
        let heart = heartbeat();
        for beat in 1..=2 * GAPS as u32 {
            heart.beat(heart.begun + beat * Duration::from_secs(1));
        }
        assert_eq!(heart.gaps().len(), GAPS);
    }
}
