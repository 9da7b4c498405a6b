//! Progress of one piece of work on stderr, once it takes long.

use std::time::{Duration, Instant};

use super::stages::Stages;

/// Work that takes less time is not mentioned.
const LONG: Duration = Duration::from_secs(2);

/// Follows one piece of work.
#[derive(Debug)]
pub struct Work {
    stages: Stages,
    name: &'static str,
    unit: &'static str,
    /// How many units there are.
    all: u64,
    done: u64,
    begun: Instant,
    is_shown: bool,
}

impl Work {
    /// Work that is called `name`, on `all` units. It is not mentioned if it is `quiet`.
    pub fn new(quiet: bool, name: &'static str, unit: &'static str, all: u64) -> Self {
        Self {
            stages: Stages::new(quiet),
            name,
            unit,
            all,
            done: 0,
            begun: Instant::now(),
            is_shown: false,
        }
    }

    /// Counts a unit as done.
    pub fn done(&mut self) {
        self.done += 1;
        if self.is_shown {
            self.stages.done();
            self.stages.show_if_due();
        } else if self.begun.elapsed() >= LONG {
            self.stages.begin(self.name, self.unit, self.all, None);
            self.stages.was_done(self.done, self.begun);
            self.is_shown = true;
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.stages.end();
    }
}
