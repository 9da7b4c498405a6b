//! Progress of work without a known end on stderr, once it takes long.

use std::time::{Duration, Instant};

use super::line::ProgressLine;
use super::{Count, rough};

/// Work that takes less time is not mentioned: on a terminal, and in a log.
const LONG: Duration = Duration::from_secs(2);
const LONG_IN_A_LOG: Duration = Duration::from_secs(10);

/// Follows work whose end is not known.
#[derive(Debug)]
pub struct OpenWork {
    line: ProgressLine,
    begun: Instant,
    is_shown: bool,
}

impl OpenWork {
    /// Work that begins now. It is not mentioned if it is `quiet`.
    pub fn new(quiet: bool) -> Self {
        Self {
            line: ProgressLine::new(quiet),
            begun: Instant::now(),
            is_shown: false,
        }
    }

    /// Shows the work and the time so far, if that is due.
    pub fn show_if_due(&mut self, what: &str) {
        let elapsed = self.begun.elapsed();
        let long = match self.line.is_lines() {
            true => LONG_IN_A_LOG,
            false => LONG,
        };
        let count = Count::none();
        if elapsed < long || self.is_shown && !self.line.is_due(count) {
            return;
        }
        let time = rough(Duration::from_secs(elapsed.as_secs())).to_string();
        if !self.is_shown {
            self.line.begin(count, &[]);
            self.is_shown = true;
        }
        self.line.show(count, &[what, &time]);
    }

    /// Prints a message that stays.
    pub fn say(&self, message: &str) {
        self.line.say(message);
    }
}

impl Drop for OpenWork {
    fn drop(&mut self) {
        self.line.clear();
    }
}
