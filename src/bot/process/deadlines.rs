//! Deadlines while an answer is awaited: the limits of the bot's time, and periodic measurements.

use std::time::{Duration, Instant};

use super::Process;
use crate::bot::machine::{ContentionMeter, Verdict, lane, lost_time};
use crate::bot::{Fault, Player};
use crate::clock::{Spent, Wait};

/// Minimum pause between two readings of a CPU clock near its limit.
const SHORTEST_CPU_PAUSE: Duration = Duration::from_millis(1);

/// Interval between looks at an awaited bot on a busy machine.
const LOOK: Duration = Duration::from_millis(20);

/// Next due time of each check.
struct Deadlines {
    /// End of the bot's wall-clock time. Extended on a busy machine.
    wall: Instant,
    /// First reading of the machine's load, compared with the reading at the deadline. Delayed so that quick answers
    /// do not pay for it.
    baseline: Option<Instant>,
    /// Next look at the bot, if the machine is busy.
    look: Instant,
    /// Earliest time at which the CPU limit can be exceeded: a single thread uses CPU time no faster than wall time.
    cpu: Option<Instant>,
    /// When the game is released from its processor.
    lane: Option<Instant>,
}

impl Deadlines {
    fn new(asked: Instant, wait: Wait, is_kept: bool) -> Self {
        let baseline = asked + ContentionMeter::baseline_delay(wait);
        Self {
            wall: asked + wait.wall,
            baseline: Some(baseline),
            look: baseline.max(asked + LOOK),
            cpu: wait.cpu.map(|limit| asked + limit.max(SHORTEST_CPU_PAUSE)),
            lane: is_kept.then(|| asked + lane::LATE),
        }
    }

    fn earliest(&self) -> Instant {
        let looks = [self.baseline, self.cpu, self.lane, Some(self.look)];
        looks.into_iter().flatten().fold(self.wall, Instant::min)
    }
}

impl Process {
    /// Reads until the answer is there or a deadline has passed.
    pub(super) fn await_answer(&mut self, wait: Wait, answer: &mut String) -> Result<Spent, Fault> {
        let mut deadlines = Deadlines::new(self.pending.at, wait, self.is_kept());
        let mut read = 0;
        // On a shared processor the answer has mostly arrived by now, and a poll costs more than a read that finds
        // nothing.
        let begun = Instant::now();
        if let Some(spent) = self.read_answer(wait, &mut read, answer)? {
            return Ok(spent);
        }
        self.pending.is_awaited = true;
        self.contention.record_wake_up(begun, Instant::now());
        loop {
            let ready = self
                .wait_for_streams(deadlines.earliest())
                .map_err(Fault::Machine)?;
            if ready.cancelled {
                return Err(Fault::BrokenOff);
            }
            if ready.stdin {
                self.flush();
            }
            if ready.stderr {
                self.pull_stderr();
            }
            if ready.stdout
                && let Some(spent) = self.read_answer(wait, &mut read, answer)?
            {
                return Ok(spent);
            }
            self.meet_deadlines(&mut deadlines, wait)?;
        }
    }

    /// Performs the checks that are due. The fault is an exceeded limit.
    fn meet_deadlines(&mut self, deadlines: &mut Deadlines, wait: Wait) -> Result<(), Fault> {
        let now = Instant::now();
        if now >= deadlines.wall {
            let waited = now - self.pending.at;
            let mut lost = lost_time::lost(self.pending.at, now);
            if !lost.is_zero() {
                lost = lost_time::given_back(lost, waited, self.cpu_since_asked());
            }
            if waited.saturating_sub(lost) < wait.wall {
                deadlines.wall = self.pending.at + wait.wall + lost;
                return Ok(());
            }
            let waited = waited - lost;
            let cpu_wait = self.measure_contention(waited);
            let limit = wait.wall;
            match self.contention.verdict(self.pending.at + lost, wait.wall) {
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
                self.contention.sample(&tree, now, cpu);
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

    /// Measures the CPU wait of the bot since its request.
    pub(super) fn measure_contention(&mut self, elapsed: Duration) -> Duration {
        let cpu = self.cpu_since_asked();
        let tree = self.tree();
        self.contention.measure(&tree, elapsed, cpu)
    }
}
