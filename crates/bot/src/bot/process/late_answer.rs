//! Late answers: classifies the answer of a bot whose time is over.

use std::time::{Duration, Instant};

use super::Process;
use crate::bot::engine::Lent;
use crate::bot::pipes::{ReadOutcome, Streams};
use crate::bot::{LateAnswer, LateCause};
use crate::protocol::is_debug;

/// Interval between looks at a late bot's stdin pipe.
const LOOK: Duration = Duration::from_millis(2);

/// Time to watch a bot that has read its input and not answered. A bot that computes meanwhile is slow.
const WATCH: Duration = Duration::from_millis(50);

#[derive(Debug, PartialEq, Eq)]
enum LateOutput {
    Line(String),
    Nothing,
    End,
}

impl Process {
    /// Tells a bot that exceeded `limit` to exit, and classifies its answer, within `grace`.
    ///
    /// The messages after the request tell a slow bot from one with an unflushed buffer: the slow one has not read
    /// them yet.
    pub(super) fn let_go_late(&mut self, limit: Duration, grace: Duration) -> Option<LateAnswer> {
        let begun = Instant::now();
        let mut read = 0;
        let (mut heard, has_read_on) = self.hear_until_it_reads(begun + grace / 2, &mut read);
        // A bot that exits at the end of a game may flush its buffer then.
        let may_exit = has_read_on || begun.elapsed() < WATCH;
        let mut is_idle = false;
        if has_read_on {
            let before = self.cpu(Instant::now());
            heard = self.hear(Instant::now() + WATCH.min(grace / 4), &mut read);
            let tree = self.tree();
            // On a busy machine, a bot without CPU time may be runnable and not idle.
            is_idle = self.cpu(Instant::now()).saturating_sub(before) < WATCH / 10
                && !self.contention.is_ready(&tree);
        }
        let answer = |line, late, cause| LateAnswer { line, late, cause };
        if let LateOutput::Line(line) = heard {
            let late = self.late_by(limit);
            // A bot that waits for a line answers as soon as it has the next one.
            let is_at_once = || self.io.outbox.is_read() && begun.elapsed() < WATCH;
            let cause = match has_read_on || is_at_once() {
                true => LateCause::NextLine,
                false => LateCause::Slow,
            };
            let until = Instant::now() + WATCH.min(grace / 4);
            let exits = may_exit && self.hear(until, &mut read) == LateOutput::End;
            self.say_quit();
            return (!exits).then_some(answer(line, late, cause));
        }
        self.say_quit();
        let heard = match heard {
            LateOutput::End => LateOutput::End,
            _ => self.hear(begun + grace, &mut read),
        };
        self.io.child.close_stdout();
        let (line, cause) = match heard {
            LateOutput::Line(line) if is_idle => (line, LateCause::Buffered),
            LateOutput::Line(line) => (line, LateCause::Slow),
            LateOutput::Nothing | LateOutput::End => (self.unended_answer()?, LateCause::Unended),
        };
        Some(answer(line, self.late_by(limit), cause))
    }

    fn unended_answer(&mut self) -> Option<String> {
        if let Some(engine) = &mut self.engine {
            let rest = self.io.stdout.rest();
            let mut answer = String::new();
            let lent = Lent {
                outbox: &mut self.io.outbox,
                log: &mut self.io.log,
                values: &mut self.values,
                kept: self.io.limits.log,
                answer: &mut answer,
            };
            let heard = engine.hear(&rest[..rest.len().min(self.io.limits.line)], lent);
            return heard.is_ok_and(|is_answer| is_answer).then_some(answer);
        }
        let line = std::str::from_utf8(self.io.stdout.rest()).ok()?.trim();
        let is_answer = !line.is_empty() && line.len() <= self.io.limits.line && !is_debug(line);
        is_answer.then(|| line.to_owned())
    }

    fn late_by(&self, limit: Duration) -> Duration {
        self.pending.at.elapsed().saturating_sub(limit)
    }

    /// Output before the bot has read all of its input, and whether it has read all.
    fn hear_until_it_reads(&mut self, until: Instant, read: &mut usize) -> (LateOutput, bool) {
        while Instant::now() < until {
            match self.hear(Instant::now() + LOOK, read) {
                LateOutput::Nothing if self.io.outbox.is_read() => {
                    return (LateOutput::Nothing, true);
                }
                LateOutput::Nothing => {}
                heard => return (heard, false),
            }
        }
        (LateOutput::Nothing, false)
    }

    /// The next line that could be an answer, if it comes before `until`. `read` accumulates the bytes of this turn,
    /// which the output limit bounds.
    fn hear(&mut self, until: Instant, read: &mut usize) -> LateOutput {
        let mut line = String::new();
        while *read <= self.io.limits.turn {
            match self.take_answer(&mut line) {
                Ok(true) => return LateOutput::Line(line),
                Ok(false) if Instant::now() >= until => return LateOutput::Nothing,
                Ok(false) => {}
                Err(_) => return LateOutput::End,
            }
            let Some(Ok(ready)) = self.io.streams_until(until).map(Streams::wait) else {
                return LateOutput::End;
            };
            if self.serve(ready).is_err() {
                return LateOutput::End;
            }
            if ready.stdout {
                match self.io.pull_stdout() {
                    Ok(ReadOutcome::Bytes(count)) => *read += count,
                    Ok(ReadOutcome::Nothing) => {}
                    Ok(ReadOutcome::End) | Err(_) => return LateOutput::End,
                }
            }
        }
        LateOutput::End
    }
}
