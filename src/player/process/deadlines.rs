//! What a bot's time being over means, and what else is due while an answer is awaited.

use std::time::{Duration, Instant};

use super::Process;
use crate::clock::Wait;
use crate::player::Fault;
use crate::player::machine::{ContentionMeter, Verdict, lane, lost_time};

/// The shortest pause between two looks at a processor clock that is about to run out.
const SHORTEST_CPU_PAUSE: Duration = Duration::from_millis(1);

/// How often a bot is looked at that is awaited on a busy machine.
const LOOK: Duration = Duration::from_millis(20);

/// When to look at what, at the latest.
pub(super) struct Deadlines {
    /// The bot's time on the wall is over. On a busy machine it may then get more.
    wall: Instant,
    /// The machine's load is read, to be compared with its load when the time is over. Not before: it
    /// would cost every quick answer.
    baseline: Option<Instant>,
    /// The bot is looked at, if the machine is busy.
    look: Instant,
    /// The bot can have used up its time on the processor. With one thread it cannot have before as
    /// much time has passed on the wall.
    cpu: Option<Instant>,
    /// The game is let go from its processor.
    lane: Option<Instant>,
}

impl Deadlines {
    pub(super) fn new(asked: Instant, wait: Wait, is_kept: bool) -> Self {
        let baseline = asked + ContentionMeter::baseline_delay(wait);
        Self {
            wall: asked + wait.wall,
            baseline: Some(baseline),
            look: baseline.max(asked + LOOK),
            cpu: wait.cpu.map(|limit| asked + limit.max(SHORTEST_CPU_PAUSE)),
            lane: is_kept.then(|| asked + lane::LATE),
        }
    }

    pub(super) fn earliest(&self) -> Instant {
        let looks = [self.baseline, self.cpu, self.lane, Some(self.look)];
        looks.into_iter().flatten().fold(self.wall, Instant::min)
    }
}

impl Process {
    /// Does what is due now. The fault is that the bot's time is over.
    pub(super) fn meet_deadlines(
        &mut self,
        deadlines: &mut Deadlines,
        wait: Wait,
    ) -> Result<(), Fault> {
        let now = Instant::now();
        if now >= deadlines.wall {
            let waited = now - self.asked.at;
            let mut lost = lost_time::lost(self.asked.at, now);
            if !lost.is_zero() {
                lost = lost_time::given_back(lost, waited, self.cpu_since_asked());
            }
            if waited.saturating_sub(lost) < wait.wall {
                deadlines.wall = self.asked.at + wait.wall + lost;
                return Ok(());
            }
            let waited = waited - lost;
            let cpu_wait = self.measure_contention(waited);
            let limit = wait.wall;
            match self.contention.verdict(self.asked.at + lost, wait.wall) {
                Verdict::Late => {
                    self.overdue = Some(limit);
                    return Err(Fault::Late { limit, waited });
                }
                Verdict::Starved => {
                    return Err(Fault::Starved {
                        limit,
                        waited,
                        cpu_wait,
                    });
                }
                Verdict::WaitUntil(later) => deadlines.wall = later,
            }
        }
        if deadlines.lane.is_some_and(|due| now >= due) {
            deadlines.lane = None;
            if let Some(lane) = &self.lane {
                lane.is_late();
            }
        }
        if deadlines.baseline.is_some_and(|due| now >= due) {
            deadlines.baseline = None;
            let cpu = self.cpu_since_asked();
            let tree = self.tree();
            self.contention.take_baseline(&tree, cpu);
        }
        if now >= deadlines.look {
            deadlines.look = now + LOOK;
            if self.contention.must_look() {
                let cpu = self.cpu_since_asked();
                let tree = self.tree();
                self.contention.look(&tree, now, cpu);
            }
        }
        if let Some(limit) = wait.cpu
            && deadlines.cpu.is_some_and(|due| now >= due)
        {
            let used = self.cpu_since_asked();
            self.is_counted()?;
            if used > limit {
                return Err(Fault::CpuSpent { used });
            }
            deadlines.cpu = Some(now + (limit - used).max(SHORTEST_CPU_PAUSE));
        }
        Ok(())
    }

    /// Works out how long the bot had to wait for a processor since it was asked.
    pub(super) fn measure_contention(&mut self, elapsed: Duration) -> Duration {
        let cpu = self.cpu_since_asked();
        let tree = self.tree();
        self.contention.measure(&tree, elapsed, cpu)
    }
}
