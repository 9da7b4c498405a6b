//! Keeps account of what the machine kept from a bot in one turn.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::Strain;
use super::probe::{Linux, Probe, Reading};
use crate::clock::Wait;

/// The first look at the machine comes after this part of the time that an answer may take. Who
/// answers before costs nothing, and of what the machine keeps until then nothing is known.
const FIRST_LOOK: u32 = 50;

/// The shortest time between two looks.
const SHORTEST: Duration = Duration::from_millis(1);

/// An answer that the machine holds up is waited for at most so many times as long as it may take.
const PATIENCE: u32 = 2;

/// What the machine kept from a bot since it was asked.
#[derive(Debug)]
pub(super) struct Gauge {
    probe: Arc<dyn Probe>,
    before: Option<(Reading, Duration)>,
    overslept: Duration,
    strain: Strain,
}

/// What becomes of a bot whose time on the wall is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It had its time.
    Late,
    /// The machine kept so much from it that it may answer until then.
    WaitUntil(Instant),
    /// The machine kept at least half of the time from it, which is no game.
    Starved,
}

impl Gauge {
    pub fn new(probe: Arc<dyn Probe>) -> Self {
        Self {
            probe,
            before: None,
            overslept: Duration::ZERO,
            strain: Strain::default(),
        }
    }

    /// The bot is asked.
    pub fn begin(&mut self) {
        self.before = None;
        self.overslept = Duration::ZERO;
        self.strain = Strain::default();
    }

    /// How long after the request the machine is looked at first.
    pub fn first_look(wait: Wait) -> Duration {
        (wait.wall / FIRST_LOOK).max(SHORTEST)
    }

    /// The first look. `cpu` is what the tree has used since the request.
    pub fn look(&mut self, tree: &[Pid], cpu: Duration) {
        self.before = Some((self.probe.read(tree), cpu));
    }

    /// The referee meant to wake up at `wanted`, at the latest.
    pub fn woke(&mut self, wanted: Instant, now: Instant) {
        self.overslept += now.saturating_duration_since(wanted);
    }

    /// Works out what the machine kept from a bot that was asked `elapsed` ago, and whose tree has
    /// used `cpu` since.
    pub fn measure(&mut self, tree: &[Pid], elapsed: Duration, cpu: Duration) -> Duration {
        let now = self.probe.read(tree);
        let (kept, own_wait) = match &self.before {
            Some((before, used)) => (
                now.kept_since(before, cpu.saturating_sub(*used)),
                now.own_wait_since(before),
            ),
            None => (Duration::ZERO, Duration::ZERO),
        };
        self.strain = Strain {
            // Who has used a processor for all that time has missed none.
            kept: (kept + own_wait.max(self.overslept)).min(elapsed.saturating_sub(cpu)),
            elapsed,
            cores: now.cores,
            off_turn: Duration::ZERO,
        };
        self.strain.kept
    }

    /// What becomes of a bot that was asked at `asked` and has not answered within `limit`, after
    /// [`Gauge::measure`].
    pub fn verdict(&self, asked: Instant, limit: Duration) -> Verdict {
        let Strain { kept, elapsed, .. } = self.strain;
        if elapsed.saturating_sub(kept) >= limit {
            Verdict::Late
        } else if elapsed >= limit * PATIENCE {
            Verdict::Starved
        } else {
            let step = Self::first_look(Wait {
                wall: limit,
                cpu: None,
            });
            Verdict::WaitUntil(asked + (limit + kept).max(elapsed + step).min(limit * PATIENCE))
        }
    }

    /// What was worked out last.
    pub fn strain(&self) -> Strain {
        self.strain
    }
}

impl Default for Gauge {
    fn default() -> Self {
        Self::new(Arc::new(Linux))
    }
}
