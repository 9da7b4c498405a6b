//! A bot's output: answers, debug lines, and unrequested lines.

use std::fmt::Write as _;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use super::Process;
use crate::bot::engine::Lent;
use crate::bot::pipes::ReadOutcome;
use crate::bot::{Fault, machine};
use crate::clock::{Spent, Wait};
use crate::protocol::debug_text;
use crate::text::excerpt;

const EXCERPT: usize = 60;

/// Maximum characters quoted from the output before the bot's end.
const LAST_WORDS: usize = 240;

impl Process {
    /// Reads once from stdout. Returns the time spent, once the answer is complete.
    pub(super) fn read_answer(
        &mut self,
        wait: Wait,
        read: &mut usize,
        answer: &mut String,
    ) -> Result<Option<Spent>, Fault> {
        let count = match self.pull_stdout()? {
            ReadOutcome::Nothing => return Ok(None),
            ReadOutcome::End => return Err(self.ended()),
            ReadOutcome::Bytes(count) => count,
        };
        // Taken right after the read: the referee's work from here on does not count as the bot's time.
        let now = Instant::now();
        let took = now - self.pending.at;
        if self.engine.is_none() {
            *read += count;
        }
        if self.take_answer(answer)? {
            let mut waited = Duration::ZERO;
            let is_late = took > wait.wall;
            if is_late || wait.cpu.is_none() && self.contention.measures_all() {
                if !self.pending.is_awaited {
                    // The referee reads only now, so the answer may have been there all along.
                    self.contention.record_wake_up(self.pending.at, now);
                }
                waited = self.measure_contention(took);
            }
            let mut cpu = Duration::ZERO;
            if wait.cpu.is_none() && waited.is_zero() && self.is_cpu_fresh(now) {
                self.unread += took;
            } else {
                cpu = self.cpu_since_asked(now);
                self.cpu_read = Some(now);
                self.unread = Duration::ZERO;
                self.is_counted()?;
            }
            self.stop();
            if let Some(lane) = &self.lane {
                lane.answered(took, self.pending.idle_cpu);
            }
            let lost = machine::lost(self.pending.at, now);
            let took = took - waited;
            return Ok(Some(Spent {
                wall: took - machine::given_back(lost, took, cpu),
                cpu,
                idle_cpu: self.pending.idle_cpu,
                waited,
            }));
        }
        // An engine may have been asked for more in the same exchange.
        self.outbox.flush();
        if *read > self.limits.turn {
            return Err(Fault::Flood {
                limit: self.limits.turn,
            });
        }
        Ok(None)
    }

    /// Takes lines until one is an answer, which goes to `answer`; debug lines go to the log. Returns whether there
    /// was one.
    pub(super) fn take_answer(&mut self, answer: &mut String) -> Result<bool, Fault> {
        if self.engine.is_some() {
            return self.take_answer_of_engine(answer);
        }
        while let Some(line) = self.stdout.next_line() {
            // Applies to debug lines too. Otherwise timing would decide about a long one: the check below sees it only
            // if it is read in parts.
            if line.len() > self.limits.line {
                return Err(Fault::LineTooLong {
                    limit: self.limits.line,
                });
            }
            let text = std::str::from_utf8(line).map_err(|_| Fault::NotText)?;
            if let Some(debug) = debug_text(text) {
                self.values.add_line(debug);
                self.log.push(text.as_bytes(), self.limits.log);
                self.log.push(b"\n", self.limits.log);
                continue;
            }
            answer.clear();
            answer.push_str(text);
            return Ok(true);
        }
        if self.stdout.unfinished() > self.limits.line {
            return Err(Fault::LineTooLong {
                limit: self.limits.line,
            });
        }
        Ok(false)
    }

    /// Hands the lines of an engine to its translator, until one is an answer. A long line is cut off.
    fn take_answer_of_engine(&mut self, answer: &mut String) -> Result<bool, Fault> {
        let Some(engine) = &mut self.engine else {
            return Ok(false);
        };
        while let Some(line) = self.stdout.next_line() {
            let lent = Lent {
                outbox: &mut self.outbox,
                log: &mut self.log,
                values: &mut self.values,
                kept: self.limits.log,
                answer,
            };
            if engine.hear(&line[..line.len().min(self.limits.line)], lent)? {
                return Ok(true);
            }
        }
        if self.stdout.unfinished() > self.limits.turn {
            return Err(Fault::LineTooLong {
                limit: self.limits.turn,
            });
        }
        Ok(false)
    }

    pub(super) fn look_for_early_answer(&mut self) -> Result<(), Fault> {
        let mut early = String::new();
        let mut seen = 0;
        loop {
            if self.take_answer(&mut early)? {
                return Err(Fault::OutOfTurn {
                    line: excerpt(&early, EXCERPT),
                });
            }
            match self.pull_stdout()? {
                ReadOutcome::Bytes(count) => seen += count,
                ReadOutcome::Nothing => return Ok(()),
                ReadOutcome::End => return Err(self.ended()),
            }
            if seen > self.limits.turn {
                if self.engine.is_some() {
                    return Ok(());
                }
                return Err(Fault::Flood {
                    limit: self.limits.turn,
                });
            }
        }
    }

    /// The fault of a bot whose stdout has ended, with the end of its stderr if the process has exited.
    pub(super) fn ended(&mut self) -> Fault {
        let mut fault = self.child.fault();
        if let Fault::Exited { how } = &mut fault {
            self.drain_stderr();
            if let Some(words) = self.log.last_words(LAST_WORDS) {
                let _ = write!(how, "; its standard error ends with `{words}`");
            }
        }
        fault
    }

    pub(super) fn pull_stdout(&mut self) -> Result<ReadOutcome, Fault> {
        match self.child.stdout() {
            Some(pipe) => self.stdout.pull(pipe.as_fd()).map_err(Fault::Machine),
            None => Ok(ReadOutcome::End),
        }
    }

    pub(super) fn pull_stderr(&mut self) {
        let pipe = self.child.stderr();
        let read = pipe.and_then(|pipe| self.log.read_from(pipe, self.limits.log));
        if read.is_none() {
            self.stderr_open = false;
        }
    }

    pub(super) fn drain_stderr(&mut self) {
        let pipe = self.child.stderr().filter(|_| self.stderr_open);
        self.stderr_open = pipe.is_some_and(|pipe| self.log.drain(pipe, self.limits.log));
    }
}
