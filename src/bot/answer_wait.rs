//! The wait for an answer: the limits of the bot's time, and the next due time of each check.

use std::time::{Duration, Instant};

use super::machine::{ContentionMeter, lane};
use crate::clock::Wait;

/// Minimum pause between two readings of a CPU clock near its limit.
pub(in crate::bot) const SHORTEST_CPU_PAUSE: Duration = Duration::from_millis(1);

/// Interval between looks at an awaited bot on a busy machine.
pub(in crate::bot) const LOOK: Duration = Duration::from_millis(20);

/// The wait for the answer to one request.
#[derive(Debug)]
pub struct AnswerWait {
    /// The limits of the answer.
    pub(in crate::bot) wait: Wait,
    /// Bytes read so far.
    pub(in crate::bot) read: usize,
    /// End of the bot's wall-clock time. Extended on a busy machine.
    pub(in crate::bot) wall: Instant,
    /// First reading of the machine's load, compared with the reading at the deadline. Delayed so that quick answers
    /// do not pay for it.
    pub(in crate::bot) baseline: Option<Instant>,
    /// Next look at the bot, if the machine is busy.
    pub(in crate::bot) look: Instant,
    /// Earliest time at which the CPU limit can be exceeded: a single thread uses CPU time no faster than wall time.
    pub(in crate::bot) cpu: Option<Instant>,
    /// When an engine is told to answer at once.
    pub(in crate::bot) stop: Option<Instant>,
    /// When the game is released from its processor.
    pub(in crate::bot) lane: Option<Instant>,
}

impl AnswerWait {
    pub(in crate::bot) fn new(asked: Instant, wait: Wait, is_kept: bool) -> Self {
        let baseline = asked + ContentionMeter::baseline_delay(wait);
        Self {
            wait,
            read: 0,
            wall: asked + wait.wall,
            baseline: Some(baseline),
            look: baseline.max(asked + LOOK),
            cpu: wait.cpu.map(|limit| asked + limit.max(SHORTEST_CPU_PAUSE)),
            stop: None,
            lane: is_kept.then(|| asked + lane::LATE),
        }
    }

    pub(in crate::bot) fn earliest(&self) -> Instant {
        let looks = [
            self.baseline,
            self.cpu,
            self.stop,
            self.lane,
            Some(self.look),
        ];
        looks.into_iter().flatten().fold(self.wall, Instant::min)
    }
}
