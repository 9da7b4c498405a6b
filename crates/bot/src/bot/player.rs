//! A bot as the referee sees it.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::fault::Fault;
use super::machine::{Contention, lane};
use super::pipes::{Log, ReadyStreams, Streams};
use super::values::Values;
use crate::clock::{Spent, Wait};
use crate::protocol::ToBot;

pub trait Player {
    /// Queues a message. The next [`Player::request`] or [`Player::flush`] sends all queued messages in one write.
    fn tell(&mut self, message: &ToBot<'_>);

    /// Sends queued messages, as many bytes as the pipe takes without blocking.
    fn flush(&mut self) {}

    /// Waits until the player runs, so that a slow start takes no time from a player that was asked before.
    fn await_start(&mut self) {}

    /// Sends queued messages; the last one is a request. The time for its answer starts now.
    fn request(&mut self);

    /// Prepares for a request beside another player's: the two are not to share a processor.
    fn act_beside_another(&mut self) {}

    /// Waits for the line that answers the last request, and stores it in `answer` without its line ending. The
    /// deadline is absolute: debug lines and output on stderr do not extend it.
    ///
    /// # Errors
    ///
    /// No usable answer came; the fault says why, and whether the bot is to blame.
    fn answer(&mut self, wait: Wait, answer: &mut String) -> Result<Spent, Fault>;

    /// This player where its answer comes through pipes, so that it can be awaited beside another's.
    fn piped(&mut self) -> Option<&mut dyn Piped> {
        None
    }

    /// Time spent so far on a request without an answer yet.
    fn unanswered(&mut self) -> Spent {
        Spent::default()
    }

    /// CPU wait in the turn that has just ended too late, and CPU time since the bot's last answer.
    fn contention(&mut self) -> Contention;

    /// Takes the output on stderr and the debug lines since the last call.
    fn take_log(&mut self) -> Log {
        Log::default()
    }

    /// Bytes of its output besides answers, since the last [`Player::take_log`].
    fn output(&self) -> u64 {
        0
    }

    fn values(&self) -> &Values {
        Default::default()
    }

    /// Whether the bot has written unrequested output since its last answer. It does not change a finished game, but
    /// the bot would be out of step in its next one.
    fn out_of_step(&mut self) -> bool {
        false
    }

    /// Peak memory of the bot and its descendants since the last call, in KiB, where known.
    fn peak_kib(&mut self) -> Option<u64> {
        None
    }

    /// Sends `quit` and lets the bot exit, without waiting for it.
    fn dismiss(&mut self) {}

    /// Ends the bot for good, by force if it has not exited within `grace`.
    fn close(&mut self, _grace: Duration) {}

    /// Ends a closed bot at once, with all that it started.
    fn end(&mut self) {}

    /// A closed bot's answer that came after its deadline, if there was one.
    fn late_answer(&mut self) -> Option<LateAnswer> {
        None
    }
}

/// A player behind pipes: the steps of [`Player::answer`].
pub trait Piped: Player {
    /// Begins to wait. Breaks off with the time spent if the answer is there already.
    fn begin_wait(
        &mut self,
        wait: Wait,
        answer: &mut String,
    ) -> Result<ControlFlow<Spent, AnswerWait>, Fault>;

    /// The streams to wait for, until the next check; `None` without a stream for an answer.
    fn streams(&self, waiting: &AnswerWait) -> Option<Streams<'_>>;

    /// Reads the ready streams and performs the checks that are due. Returns the time spent, once the answer is there.
    fn wait_on(
        &mut self,
        waiting: &mut AnswerWait,
        ready: ReadyStreams,
        answer: &mut String,
    ) -> Result<Option<Spent>, Fault>;
}

/// Minimum pause between two readings of a CPU clock near its limit.
pub(super) const SHORTEST_CPU_PAUSE: Duration = Duration::from_millis(1);

/// Interval between looks at an awaited bot on a busy machine.
pub(super) const LOOK: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub struct AnswerWait {
    pub(super) wait: Wait,
    pub(super) read: usize,
    /// End of the bot's wall-clock time. Extended on a busy machine.
    pub(super) wall: Instant,
    /// First reading of the machine's load, compared with the reading at the end of the turn. Delayed so that quick
    /// answers do not pay for it.
    pub(super) baseline: Option<Instant>,
    /// Next look at the bot, if the machine is busy.
    pub(super) look: Instant,
    /// Earliest time at which the CPU limit can be exceeded: a single thread uses CPU time no faster than wall time.
    pub(super) cpu: Option<Instant>,
    /// When an engine is told to answer at once.
    pub(super) stop: Option<Instant>,
    /// When the game is released from its processor.
    pub(super) lane: Option<Instant>,
}

impl AnswerWait {
    pub(super) fn new(
        asked: Instant,
        wait: Wait,
        is_kept: bool,
        first_look: Option<Duration>,
    ) -> Self {
        Self {
            wait,
            read: 0,
            wall: asked + wait.wall,
            baseline: first_look.map(|delay| asked + delay),
            look: asked + LOOK,
            cpu: wait.cpu.map(|limit| asked + limit.max(SHORTEST_CPU_PAUSE)),
            stop: None,
            lane: is_kept.then(|| asked + lane::LATE),
        }
    }

    pub(super) fn earliest(&self) -> Instant {
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateAnswer {
    pub line: String,
    pub late: Duration,
    pub cause: LateCause,
}

crate::named! {
    /// Why an answer came after its time, or did not come.
    pub enum LateCause {
        Slow = "slow",
        /// The bot had read its input and was idle, and the answer came only once its stdin was closed: an output
        /// buffer was not flushed.
        Buffered = "buffered",
        /// The bot wrote it without the end of its line.
        Unended = "unended",
        /// None came, and the bot computed all the time.
        Computing = "computing",
        /// None came, and it used next to no processor time.
        Waiting = "waiting",
        /// It came as soon as the bot was sent a further line: it waits for more lines than it is sent.
        NextLine = "next_line",
    }
}

impl LateCause {
    /// The cause where no answer came in this time; `None` if the bot did this and that, or nothing was measured.
    pub fn without_answer(spent: Spent) -> Option<Self> {
        match spent {
            Spent { cpu, .. } if cpu.is_zero() => None,
            Spent { cpu, wall, .. } if cpu >= wall / 2 => Some(LateCause::Computing),
            Spent { cpu, wall, .. } if cpu <= wall / 20 => Some(LateCause::Waiting),
            _ => None,
        }
    }

    /// The cause where an answer came, and `before` the one where none had come in time.
    pub fn after(self, before: Option<Self>) -> Self {
        match (self, before) {
            (LateCause::NextLine, Some(LateCause::Computing)) => LateCause::Slow,
            (cause, _) => cause,
        }
    }
}
