//! Deadlines while an answer is awaited: the limits of the bot's time, and periodic measurements.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rustix::thread::sched_yield;

use super::{OFF_TURN_ALLOWANCE, Process};
use crate::bot::engine::EXCERPT;
use crate::bot::fault::Missing;
use crate::bot::machine::{self, ContentionMeter, DelayVerdict};
use crate::bot::pipes::{ReadyStreams, Streams};
use crate::bot::player::{AnswerWait, LOOK, SHORTEST_CPU_PAUSE};
use crate::bot::supervise::OffTurn;
use crate::bot::{Fault, Piped};
use crate::clock::{Spent, Wait};
use crate::text::excerpt;

impl Piped for Process {
    fn begin_wait(
        &mut self,
        wait: Wait,
        answer: &mut String,
    ) -> Result<ControlFlow<Spent, AnswerWait>, Fault> {
        if let Some(fault) = self.early.take() {
            return Err(fault);
        }
        self.overdue = None;
        let used = self.pending.idle_cpu;
        // A bot that used CPU time although it was stopped has found a way to resume itself.
        if self.off_turn != OffTurn::Log {
            if used > OFF_TURN_ALLOWANCE {
                return Err(Fault::OffTurn { used });
            }
            self.is_counted()?;
        }
        let mut read = 0;
        // On a shared processor the answer has mostly arrived by now, and a poll costs more than a read that finds
        // nothing.
        if let Some(spent) = self.read_answer(wait, &mut read, answer)? {
            return Ok(ControlFlow::Break(spent));
        }
        let is_first = !std::mem::replace(&mut self.pending.is_awaited, true);
        let lane = self.lane.as_ref();
        if lane.is_some_and(|lane| lane.shares_processor()) {
            // The bot has not run yet. A yield to it costs less than to sleep until its answer wakes us.
            sched_yield();
            if let Some(spent) = self.read_answer(wait, &mut read, answer)? {
                return Ok(ControlFlow::Break(spent));
            }
        } else if is_first {
            // The write and the read take no time, so any delay here means that the referee had no processor.
            let now = Instant::now();
            self.contention.record_wake_up(self.pending.at, now);
            self.pending.unanswered_at = now;
        }
        let mut waiting = AnswerWait::new(
            self.pending.at,
            wait,
            self.is_kept(),
            self.contention.first_look(wait),
        );
        waiting.read = read;
        waiting.stop = self.stop_of_search(wait);
        Ok(ControlFlow::Continue(waiting))
    }

    fn streams(&self, waiting: &AnswerWait) -> Option<Streams<'_>> {
        self.io.streams_until(waiting.earliest())
    }

    fn wait_on(
        &mut self,
        waiting: &mut AnswerWait,
        ready: ReadyStreams,
        answer: &mut String,
    ) -> Result<Option<Spent>, Fault> {
        self.serve(ready)?;
        if ready.stdout
            && let Some(spent) = self.read_answer(waiting.wait, &mut waiting.read, answer)?
        {
            return Ok(Some(spent));
        }
        let Err(fault) = self.meet_deadlines(waiting) else {
            return Ok(None);
        };
        if let Fault::Late { .. } | Fault::Starved { .. } = fault {
            // It may have answered while the referee looked at it or at others.
            let now = Instant::now();
            self.contention
                .record_wake_up(self.pending.unanswered_at, now);
            let answered = self.read_answer(waiting.wait, &mut waiting.read, answer);
            if let Ok(Some(spent)) = answered {
                self.overdue = None;
                return Ok(Some(spent));
            }
        }
        Err(fault)
    }
}

impl Process {
    pub(super) fn serve(&mut self, ready: ReadyStreams) -> Result<(), Fault> {
        // While the referee looked at this bot or at others, it read nothing.
        let due = match ready.stdout && ready.at_once {
            true => self.pending.unanswered_at,
            false => ready.due,
        };
        self.contention.record_wake_up(due, ready.woke);
        self.pending.unanswered_at = ready.woke;
        self.io.serve(ready)
    }

    /// Performs the checks that are due. The fault is an exceeded limit.
    fn meet_deadlines(&mut self, deadlines: &mut AnswerWait) -> Result<(), Fault> {
        let (now, wait) = (Instant::now(), deadlines.wait);
        if now >= deadlines.wall {
            let waited = now - self.pending.at;
            let mut lost = machine::lost(self.pending.at, now);
            if !lost.is_zero() {
                lost = machine::given_back(lost, waited, self.cpu_since_asked(now));
            }
            if waited.saturating_sub(lost) < wait.wall {
                deadlines.wall = self.pending.at + wait.wall + lost;
                return Ok(());
            }
            // The kernel counts a wait only once it is over.
            self.look(now);
            let waited = waited - lost;
            let cpu_wait = self.measure_contention(waited);
            let limit = wait.wall;
            match self.contention.verdict(self.pending.at + lost, wait.wall) {
                DelayVerdict::Late => {
                    self.overdue = Some(limit);
                    return Err(Fault::Late {
                        missing: Box::new(Missing {
                            answer: self.missing_answer(),
                            unended: self.unended_line(),
                        }),
                        limit,
                        waited,
                    });
                }
                DelayVerdict::Starved => {
                    return Err(Fault::Starved {
                        limit,
                        waited,
                        cpu_wait,
                    });
                }
                DelayVerdict::WaitUntil(later) => deadlines.wall = later,
            }
        }
        if deadlines.stop.is_some_and(|due| now >= due) {
            deadlines.stop = None;
            self.stop_search();
        }
        if deadlines.lane.is_some_and(|due| now >= due) {
            deadlines.lane = None;
            if let Some(lane) = &self.lane {
                lane.release();
            }
        }
        if deadlines.baseline.is_some_and(|due| now >= due) {
            let last = self.pending.at + ContentionMeter::baseline_delay(wait);
            deadlines.baseline = (now < last && !self.contention.must_look()).then_some(last);
            if deadlines.baseline.is_none() {
                let cpu = self.cpu_since_asked(now);
                let tree = self.tree();
                self.contention.take_baseline(&tree, cpu);
            }
        }
        if now >= deadlines.look {
            deadlines.look = now + LOOK;
            if wait.cpu.is_some() {
                self.cpu_since_asked(now);
                self.is_counted()?;
            }
            self.look(now);
        }
        if let Some(limit) = wait.cpu
            && deadlines.cpu.is_some_and(|due| now >= due)
        {
            let used = self.cpu_since_asked(now);
            self.is_counted()?;
            if used > limit {
                return Err(Fault::CpuSpent { used });
            }
            let mut left = limit - used;
            if let Some(margin) = self.margin_of_search() {
                match left.checked_sub(margin).filter(|left| !left.is_zero()) {
                    Some(before) => left = before,
                    None => self.stop_search(),
                }
            }
            deadlines.cpu = Some(now + left.max(SHORTEST_CPU_PAUSE));
        }
        Ok(())
    }

    fn look(&mut self, now: Instant) {
        if self.contention.must_look() {
            let cpu = self.cpu_since_asked(now);
            let tree = self.tree();
            self.contention.sample(&tree, now, cpu);
        }
    }

    fn missing_answer(&self) -> Cow<'static, str> {
        match &self.engine {
            Some(engine) => engine.translator.missing(),
            None if self.is_starting => "`ready` after `start`".into(),
            None => "answer".into(),
        }
    }

    fn unended_line(&self) -> String {
        let rest = self.io.stdout.rest();
        let rest = String::from_utf8_lossy(&rest[..rest.len().min(self.io.limits.line)]);
        excerpt(rest.trim(), EXCERPT)
    }

    fn margin_of_search(&self) -> Option<Duration> {
        let engine = self.engine.as_ref()?;
        (engine.translator.can_be_stopped() && !engine.margin.is_zero()).then_some(engine.margin)
    }

    /// When an engine is told to stop: at the end of its time, which its margin follows. Without a margin there is no
    /// time to answer.
    fn stop_of_search(&self, wait: Wait) -> Option<Instant> {
        let margin = self.margin_of_search()?;
        Some(self.pending.at + wait.wall.saturating_sub(margin))
    }

    fn stop_search(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.translator.stop(&mut self.io.outbox);
            self.io.outbox.flush();
        }
    }

    pub(super) fn measure_contention(&mut self, elapsed: Duration) -> Duration {
        let cpu = self.cpu_since_asked(Instant::now());
        let tree = self.tree();
        self.contention.measure(&tree, elapsed, cpu)
    }
}
