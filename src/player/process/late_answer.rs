//! What becomes of an answer that a bot is late with.

use std::time::{Duration, Instant};

use super::Process;
use crate::player::Player;
use crate::player::pipes::ReadOutcome;
use crate::protocol::is_debug;

/// How often a late bot's input is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// How long a bot is watched that has read its input and not answered: one that computes is slow.
const WATCH: Duration = Duration::from_millis(50);

/// An answer that came after its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LateAnswer {
    /// The bot was slow.
    Slow {
        /// The answer.
        line: String,
        /// How long after its time it came.
        late: Duration,
    },
    /// The bot had read on and did nothing, and the answer came only once its input was closed: it lay
    /// in a buffer of the bot.
    Buffered {
        /// The answer.
        line: String,
    },
    /// The bot wrote it without the end of its line.
    Unended {
        /// The answer.
        line: String,
    },
}

/// What a late bot wrote.
#[derive(Debug, PartialEq, Eq)]
enum Heard {
    Line(String),
    Nothing,
    /// Its output has ended, or is nothing that can be used.
    End,
}

impl Process {
    /// Tells a bot that was late by the end of `limit` to exit, and says what became of its answer. That
    /// takes no longer than `grace`.
    ///
    /// What it has been sent after the request tells a slow bot from one whose answer lies in a buffer:
    /// the slow one has not read it yet.
    pub(super) fn let_go_late(&mut self, limit: Duration, grace: Duration) -> Option<LateAnswer> {
        let begun = Instant::now();
        let mut read = 0;
        let (mut heard, has_read_on) = self.hear_until_it_reads(begun + grace / 2, &mut read);
        // A bot that exits when a game ends may write an answer from its buffer then.
        let may_exit = has_read_on || begun.elapsed() < WATCH;
        let mut is_idle = false;
        if has_read_on {
            let before = self.cpu();
            heard = self.hear(Instant::now() + WATCH.min(grace / 4), &mut read);
            let tree = self.tree();
            // On a busy machine one that has not run may be ready to.
            is_idle =
                self.cpu().saturating_sub(before) < WATCH / 10 && !self.contention.is_ready(&tree);
        }
        if let Heard::Line(line) = heard {
            let late = self.late_by(limit);
            let until = Instant::now() + WATCH.min(grace / 4);
            let exits = may_exit && self.hear(until, &mut read) == Heard::End;
            self.say_quit();
            return (!exits).then_some(LateAnswer::Slow { line, late });
        }
        self.say_quit();
        let heard = match heard {
            Heard::End => Heard::End,
            _ => self.hear(begun + grace, &mut read),
        };
        self.child.close_stdout();
        match heard {
            Heard::Line(line) if is_idle => Some(LateAnswer::Buffered { line }),
            Heard::Line(line) => Some(LateAnswer::Slow {
                line,
                late: self.late_by(limit),
            }),
            Heard::Nothing | Heard::End => self.unended_answer(),
        }
    }

    /// An answer that came without the end of its line.
    fn unended_answer(&self) -> Option<LateAnswer> {
        let line = std::str::from_utf8(self.stdout.rest()).ok()?.trim();
        let is_answer = !line.is_empty() && line.len() <= self.limits.line && !is_debug(line);
        is_answer.then(|| LateAnswer::Unended {
            line: line.to_owned(),
        })
    }

    fn late_by(&self, limit: Duration) -> Duration {
        self.asked.at.elapsed().saturating_sub(limit)
    }

    /// What comes before the bot has read all that it was sent, and whether it has.
    fn hear_until_it_reads(&mut self, until: Instant, read: &mut usize) -> (Heard, bool) {
        while Instant::now() < until {
            match self.hear(Instant::now() + LOOK, read) {
                Heard::Nothing if self.has_read_everything() => return (Heard::Nothing, true),
                Heard::Nothing => {}
                heard => return (heard, false),
            }
        }
        (Heard::Nothing, false)
    }

    /// Whether nothing is on its way to the bot.
    fn has_read_everything(&self) -> bool {
        let unread = |pipe| rustix::io::ioctl_fionread(pipe).unwrap_or(u64::MAX);
        self.sent == self.outbox.len() && self.stdin.as_ref().is_some_and(|pipe| unread(pipe) == 0)
    }

    /// The next line that could be an answer, if it comes in time. All that a bot may write for one
    /// request is `read`.
    fn hear(&mut self, until: Instant, read: &mut usize) -> Heard {
        let mut line = String::new();
        while *read <= self.limits.turn {
            match self.take_answer(&mut line) {
                Ok(true) => return Heard::Line(line),
                Ok(false) if Instant::now() >= until => return Heard::Nothing,
                Ok(false) => {}
                Err(_) => return Heard::End,
            }
            let Ok(ready) = self.wait_for_streams(until) else {
                return Heard::End;
            };
            if ready.cancelled {
                return Heard::End;
            }
            if ready.stdin {
                self.flush();
            }
            if ready.stderr {
                self.pull_stderr();
            }
            if ready.stdout {
                match self.pull_stdout() {
                    Ok(ReadOutcome::Bytes(count)) => *read += count,
                    Ok(ReadOutcome::Nothing) => {}
                    Ok(ReadOutcome::End) | Err(_) => return Heard::End,
                }
            }
        }
        Heard::End
    }
}
