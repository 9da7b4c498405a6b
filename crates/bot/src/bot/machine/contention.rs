//! Contention: CPU wait that the machine caused a bot in a turn.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::probe::{Linux, Probe, Reading};
use crate::clock::Wait;

/// On a quiet machine the baseline is taken after this fraction of the time limit. Faster answers cost nothing, and load
/// before the baseline stays unknown.
const BASELINE_SHARE: u32 = 50;

/// Minimum delay of the baseline, and of each extension of a deadline.
const SHORTEST_STEP: Duration = Duration::from_millis(1);

/// When it is asked for the first time whether the machine is crowded, unless the baseline comes before.
const FIRST_LOOK: Duration = Duration::from_millis(4);

/// An extension of a deadline is at least this fraction of the turn: each look takes time from the bot.
const STEP_SHARE: u32 = 16;

/// Minimum patience. A bot among many processes may have to wait for so long before it runs at all.
const SHORTEST_PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Up to five times the limit; then the game is replayed later.
    Usual,
    /// Up to twenty times the limit, so only a machine that starves the bot entirely voids the game.
    Long,
}

impl Patience {
    fn longest_wait(self, limit: Duration) -> Duration {
        let factor = match self {
            Self::Usual => 5,
            Self::Long => 20,
        };
        limit.saturating_mul(factor).max(SHORTEST_PATIENCE)
    }
}

/// CPU wait of a bot in one turn, and its own off-turn CPU time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Contention {
    /// Time while the bot was runnable, or its answer readable, and no processor was free. Measured only for a
    /// turn over its limit, or on a crowded machine.
    pub cpu_wait: Duration,
    pub elapsed: Duration,
    pub cores: u32,
    /// CPU time of the bot and its descendants since its last answer.
    pub off_turn: Duration,
}

#[derive(Debug)]
pub struct ContentionMeter {
    pub probe: Arc<dyn Probe>,
    pub patience: Patience,
    /// Whether the machine was crowded when that was last asked. If it was, the baseline of a turn is taken before its request.
    is_crowded: bool,
    /// Load early in the turn, and the bot's CPU time since the request by then.
    baseline: Option<(Reading, Duration)>,
    /// Total delay of the referee's wake-ups since its last look.
    overslept: Duration,
    /// Time of the last look at the bot, and its CPU time by then.
    looked: Option<(Instant, Duration)>,
    /// Time while it was seen runnable without running.
    seen_waiting: Duration,
    pub measured: Contention,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DelayVerdict {
    Late,
    /// The machine delayed the bot; its deadline is extended to this time.
    WaitUntil(Instant),
    /// The machine starved the bot up to the maximum wait: the game cannot be judged.
    Starved,
}

impl ContentionMeter {
    pub fn new(patience: Patience) -> Self {
        Self {
            probe: Arc::new(Linux),
            patience,
            is_crowded: false,
            baseline: None,
            overslept: Duration::ZERO,
            looked: None,
            seen_waiting: Duration::ZERO,
            measured: Contention::default(),
        }
    }

    /// Resets all measurements before a request. Returns whether the baseline has to be taken now.
    pub fn begin_turn(&mut self) -> bool {
        self.baseline = None;
        self.overslept = Duration::ZERO;
        self.seen_waiting = Duration::ZERO;
        self.measured = Contention::default();
        self.is_crowded && self.must_look()
    }

    /// Records the time of the request: the bot was not waiting before it.
    pub fn record_request(&mut self, at: Instant) {
        self.looked = Some((at, Duration::ZERO));
    }

    /// Delay of the baseline after the request on a quiet machine.
    pub fn baseline_delay(wait: Wait) -> Duration {
        (wait.wall / BASELINE_SHARE).max(SHORTEST_STEP)
    }

    /// Delay of the first look at the machine; `None` if the baseline is there.
    pub fn first_look(&self, wait: Wait) -> Option<Duration> {
        let delay = Self::baseline_delay(wait).min(FIRST_LOOK);
        self.baseline.is_none().then_some(delay)
    }

    /// Whether each turn is measured: the machine is crowded, and the baseline is there.
    pub fn measures_all(&self) -> bool {
        self.is_crowded && self.baseline.is_some()
    }

    /// Takes the baseline. `cpu` is the CPU time of the bot's tree since the request.
    pub fn take_baseline(&mut self, tree: &[Pid], cpu: Duration) {
        self.baseline = Some((self.probe.read(tree), cpu));
    }

    /// Whether the machine is so busy that the bot must be sampled.
    pub fn must_look(&mut self) -> bool {
        self.is_crowded = self.probe.is_crowded();
        if !self.is_crowded {
            self.looked = None;
        }
        self.is_crowded
    }

    /// Whether a thread of the bot is runnable.
    pub fn is_ready(&self, tree: &[Pid]) -> bool {
        self.probe.is_ready(tree)
    }

    /// Samples the bot, which has used `cpu` since the request. The kernel drops a process's CPU wait when it ends, so
    /// waiting must be sampled while it lasts.
    pub fn sample(&mut self, tree: &[Pid], now: Instant, cpu: Duration) {
        if let Some((before, used)) = self.looked.replace((now, cpu))
            && self.is_ready(tree)
        {
            let passed = now.saturating_duration_since(before);
            self.seen_waiting += passed.saturating_sub(cpu.saturating_sub(used));
        }
        // The referee's delay until now has delayed no answer.
        self.overslept = Duration::ZERO;
        if let Some((baseline, _)) = &mut self.baseline {
            baseline.referee_wait = self.probe.referee_wait();
        }
    }

    /// Records that the referee was due at `wanted`, at the latest, and woke up at `now`.
    pub fn record_wake_up(&mut self, wanted: Instant, now: Instant) {
        self.overslept += now.saturating_duration_since(wanted);
    }

    /// Measures the CPU wait of a bot `elapsed` after its request. `cpu` is the CPU time of its tree since then.
    pub fn measure(&mut self, tree: &[Pid], elapsed: Duration, cpu: Duration) -> Duration {
        let now = self.probe.read(tree);
        let (bots_wait, referees_wait) = match &self.baseline {
            Some((before, used)) => (
                now.cpu_wait_since(before, cpu.saturating_sub(*used), self.seen_waiting),
                now.referee_wait.saturating_sub(before.referee_wait),
            ),
            None => (Duration::ZERO, Duration::ZERO),
        };
        let cpu_wait = bots_wait + referees_wait.max(self.overslept);
        self.measured = Contention {
            // A running bot does not wait, so `elapsed - cpu` is the upper bound.
            cpu_wait: cpu_wait.min(elapsed.saturating_sub(cpu)),
            elapsed,
            cores: now.cores,
            off_turn: Duration::ZERO,
        };
        self.measured.cpu_wait
    }

    /// The verdict `limit` after the request at `asked`, based on the last [`ContentionMeter::measure`].
    pub fn verdict(&self, asked: Instant, limit: Duration) -> DelayVerdict {
        let Contention {
            cpu_wait, elapsed, ..
        } = self.measured;
        let longest = self.patience.longest_wait(limit);
        if elapsed.saturating_sub(cpu_wait) >= limit {
            DelayVerdict::Late
        } else if elapsed >= longest {
            DelayVerdict::Starved
        } else {
            let step = (elapsed / STEP_SHARE).max(SHORTEST_STEP);
            let later = (limit + cpu_wait).max(elapsed + step).min(longest);
            DelayVerdict::WaitUntil(asked + later)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A busy machine, with a bot that is runnable or not. Its threads are too short-lived for their wait to be read.
    #[derive(Debug)]
    struct Busy {
        since: Instant,
        ready: bool,
    }

    impl Probe for Busy {
        fn read(&self, _tree: &[Pid]) -> Reading {
            Reading {
                busy: 2 * self.since.elapsed() + Duration::from_secs(60),
                cores: 2,
                ..Reading::default()
            }
        }

        fn is_crowded(&self) -> bool {
            true
        }

        fn is_ready(&self, _tree: &[Pid]) -> bool {
            self.ready
        }
    }

    #[test]
    fn a_bot_that_is_ready_and_does_not_run_waits() {
        const MS: Duration = Duration::from_millis(1);
        for (ready, cpu, waited) in [(true, 0, 300), (true, 100, 200), (false, 0, 0)] {
            let since = Instant::now();
            let mut meter = ContentionMeter::new(Patience::Usual);
            meter.probe = Arc::new(Busy { since, ready });
            assert!(
                !meter.begin_turn(),
                "it does not know yet that the machine is crowded"
            );
            meter.record_request(since);
            meter.baseline = Some((Reading::default(), Duration::ZERO));
            for look in 1..=15 {
                assert!(meter.must_look());
                meter.sample(&[], since + look * 20 * MS, look * cpu * MS / 15);
            }
            let measured = meter.measure(&[], 400 * MS, cpu * MS);
            let difference = measured.abs_diff(waited * MS);
            assert!(difference < MS, "{ready} {cpu}: {measured:?}");
            assert!(meter.begin_turn());
        }
    }
}
