//! A bot's output: answers, debug lines, and unrequested lines.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::Process;
use crate::bot::engine::Lent;
use crate::bot::pipes::ReadOutcome;
use crate::bot::{Fault, machine};
use crate::clock::{Spent, Wait};
use crate::protocol::debug_text;
use crate::text::answer_quoted;

pub(super) const EXCERPT: usize = 60;

pub(super) const LAST_WORDS: usize = 240;

impl Process {
    /// Reads once from stdout. Returns the time spent, once the answer is complete.
    pub(super) fn read_answer(
        &mut self,
        wait: Wait,
        read: &mut usize,
        answer: &mut String,
    ) -> Result<Option<Spent>, Fault> {
        let count = match self.io.pull_stdout()? {
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
            if is_late || self.contention.measures_all() {
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
        self.io.outbox.flush();
        if *read > self.io.limits.turn {
            return Err(Fault::Flood {
                limit: self.io.limits.turn,
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
        self.io.take_line(answer, |line| {
            if let Some(debug) = debug_text(line) {
                self.values.add_line(debug);
            }
            Ok(())
        })
    }

    /// Hands the lines of an engine to its translator, until one is an answer. A long line is cut off.
    fn take_answer_of_engine(&mut self, answer: &mut String) -> Result<bool, Fault> {
        let Some(engine) = &mut self.engine else {
            return Ok(false);
        };
        while let Some(line) = self.io.stdout.next_line() {
            let lent = Lent {
                outbox: &mut self.io.outbox,
                log: &mut self.io.log,
                values: &mut self.values,
                kept: self.io.limits.log,
                answer,
            };
            if engine.hear(&line[..line.len().min(self.io.limits.line)], lent)? {
                return Ok(true);
            }
        }
        if self.io.stdout.unfinished() > self.io.limits.turn {
            return Err(Fault::LineTooLong {
                limit: self.io.limits.turn,
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
                    line: answer_quoted(&early, EXCERPT),
                });
            }
            match self.io.pull_stdout()? {
                ReadOutcome::Bytes(count) => seen += count,
                ReadOutcome::Nothing => return Ok(()),
                ReadOutcome::End => return Err(self.ended()),
            }
            if seen > self.io.limits.turn {
                if self.engine.is_some() {
                    return Ok(());
                }
                return Err(Fault::Flood {
                    limit: self.io.limits.turn,
                });
            }
        }
    }

    /// The fault of a bot whose stdout has ended, with the end of its stderr if the process has exited.
    pub(super) fn ended(&mut self) -> Fault {
        let mut fault = self.io.child.fault();
        if let Fault::Exited { how } = &mut fault {
            self.io.drain_stderr();
            let mut words = self.io.log.last_words(LAST_WORDS);
            if self.is_starting && self.has_played {
                how.push_str(
                    " between two games: after the end of one, before it was ready for the next",
                );
                words = words.or_else(|| self.words_before.clone());
            }
            if let Some(words) = words {
                // An engine tells errors in its own language, too.
                let output = match self.engine {
                    Some(_) => "output",
                    None => "standard error",
                };
                let _ = write!(how, "; its {output} ends with `{words}`");
            }
        }
        fault
    }
}
