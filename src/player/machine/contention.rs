//! How much of a turn the machine made a bot wait for a processor.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::probe::{Linux, Probe, Reading};
use crate::clock::Wait;

/// The baseline is taken after one part in so many of the time that an answer may take. A bot that
/// answers before costs nothing, and what the machine does until then is not known.
const BASELINE_SHARE: u32 = 50;

/// The baseline is never taken earlier than this, and never read again sooner than this.
const SHORTEST_STEP: Duration = Duration::from_millis(1);

/// How long an answer is awaited that the machine delays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Patience {
    /// For twice as long as it may take: then the game is played again later.
    #[default]
    Usual,
    /// For so long that only a machine that does nothing at all for the bot spoils the game.
    Long,
}

impl Patience {
    /// How many times as long as it may take an answer is awaited.
    fn factor(self) -> u32 {
        match self {
            Self::Usual => 2,
            Self::Long => 20,
        }
    }
}

/// What the machine did to a bot in one turn, and what the bot did to the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Contention {
    /// How long the bot was ready to run, or its answer ready to be read, while no processor was
    /// free. Known only for a turn that took longer than it may.
    pub cpu_wait: Duration,
    /// How long that turn took on the wall.
    pub elapsed: Duration,
    /// On how many processors the bot may run.
    pub cores: u32,
    /// Processor time that the bot with its descendants has used since its last answer.
    pub off_turn: Duration,
}

/// Measures the contention of one turn after another.
#[derive(Debug)]
pub struct ContentionMeter {
    probe: Arc<dyn Probe>,
    patience: Patience,
    /// The machine early in the turn, and what the bot had used of a processor by then.
    baseline: Option<(Reading, Duration)>,
    /// How much later than it wanted the referee woke up since it last looked.
    overslept: Duration,
    /// When the bot was last looked at, and what it had used of a processor by then.
    looked: Option<(Instant, Duration)>,
    /// For how long it was seen to be ready to run without running.
    seen_waiting: Duration,
    measured: Contention,
}

/// What becomes of a bot whose time on the wall is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It had its time.
    Late,
    /// The machine made it wait for so long that it may still answer until then.
    WaitUntil(Instant),
    /// The machine made it wait for most of the time: the game cannot be judged.
    Starved,
}

impl ContentionMeter {
    /// Has another probe read the machine.
    pub fn set_probe(&mut self, probe: Arc<dyn Probe>) {
        self.probe = probe;
    }

    /// Has it wait for answers with this patience.
    pub fn set_patience(&mut self, patience: Patience) {
        self.patience = patience;
    }

    /// A turn begins.
    pub fn begin_turn(&mut self) {
        self.baseline = None;
        self.overslept = Duration::ZERO;
        self.looked = None;
        self.seen_waiting = Duration::ZERO;
        self.measured = Contention::default();
    }

    /// How long after the request the baseline is due.
    pub fn baseline_delay(wait: Wait) -> Duration {
        (wait.wall / BASELINE_SHARE).max(SHORTEST_STEP)
    }

    /// Reads the machine as it is early in the turn. `cpu` is what the bot with its descendants has
    /// used since the request.
    pub fn take_baseline(&mut self, tree: &[Pid], cpu: Duration) {
        self.baseline = Some((self.probe.read(tree), cpu));
    }

    /// Whether the machine is so busy that the bot must be looked at again and again.
    pub fn must_look(&mut self) -> bool {
        let must = self.probe.is_crowded();
        if !must {
            self.looked = None;
        }
        must
    }

    /// Whether the bot is ready to run.
    pub fn is_ready(&self, tree: &[Pid]) -> bool {
        self.probe.is_ready(tree)
    }

    /// Looks at the bot, which has used `cpu` since the request. The system forgets how long a process waited
    /// when that ends, so a wait must be seen while it lasts.
    pub fn look(&mut self, tree: &[Pid], now: Instant, cpu: Duration) {
        if let Some((before, used)) = self.looked.replace((now, cpu))
            && self.is_ready(tree)
        {
            let passed = now.saturating_duration_since(before);
            self.seen_waiting += passed.saturating_sub(cpu.saturating_sub(used));
        }
        // What the referee waited until now has kept nobody from an answer.
        self.overslept = Duration::ZERO;
        if let Some((baseline, _)) = &mut self.baseline {
            baseline.referee_wait = self.probe.referee_wait();
        }
    }

    /// The referee wanted to wake up at `wanted`, at the latest, and did at `now`.
    pub fn record_wake_up(&mut self, wanted: Instant, now: Instant) {
        self.overslept += now.saturating_duration_since(wanted);
    }

    /// Works out how long a bot had to wait for a processor that was asked `elapsed` ago, and has used
    /// `cpu` since, with its descendants.
    pub fn measure(&mut self, tree: &[Pid], elapsed: Duration, cpu: Duration) -> Duration {
        let now = self.probe.read(tree);
        let (bots_wait, referees_wait) = match &self.baseline {
            Some((before, used)) => (
                now.cpu_wait_since(before, cpu.saturating_sub(*used), self.seen_waiting),
                now.referee_wait_since(before),
            ),
            None => (Duration::ZERO, Duration::ZERO),
        };
        let cpu_wait = bots_wait + referees_wait.max(self.overslept);
        self.measured = Contention {
            // A bot that has used a processor for all that time has missed none.
            cpu_wait: cpu_wait.min(elapsed.saturating_sub(cpu)),
            elapsed,
            cores: now.cores,
            off_turn: Duration::ZERO,
        };
        self.measured.cpu_wait
    }

    /// What becomes of a bot that was asked at `asked` and has not answered within `limit`, after
    /// [`ContentionMeter::measure`].
    pub fn verdict(&self, asked: Instant, limit: Duration) -> Verdict {
        let Contention {
            cpu_wait, elapsed, ..
        } = self.measured;
        if elapsed.saturating_sub(cpu_wait) >= limit {
            Verdict::Late
        } else if elapsed >= limit.saturating_mul(self.patience.factor()) {
            Verdict::Starved
        } else {
            let step = Self::baseline_delay(Wait {
                wall: limit,
                cpu: None,
            });
            let most = limit.saturating_mul(self.patience.factor());
            let later = (limit + cpu_wait).max(elapsed + step).min(most);
            Verdict::WaitUntil(asked + later)
        }
    }

    /// What was measured last in this turn.
    pub fn measured(&self) -> Contention {
        self.measured
    }
}

impl Default for ContentionMeter {
    fn default() -> Self {
        Self {
            probe: Arc::new(Linux),
            patience: Patience::default(),
            baseline: None,
            overslept: Duration::ZERO,
            looked: None,
            seen_waiting: Duration::ZERO,
            measured: Contention::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A busy machine, on which a bot is ready to run or not. No thread of it lives long enough for its wait to
    /// be read.
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
            let mut meter = ContentionMeter::default();
            meter.set_probe(Arc::new(Busy { since, ready }));
            meter.begin_turn();
            meter.baseline = Some((Reading::default(), Duration::ZERO));
            for look in 0..=15 {
                assert!(meter.must_look());
                meter.look(&[], since + look * 20 * MS, look * cpu * MS / 15);
            }
            let measured = meter.measure(&[], 400 * MS, cpu * MS);
            let difference = measured.abs_diff(waited * MS);
            assert!(difference < MS, "{ready} {cpu}: {measured:?}");
        }
    }
}
