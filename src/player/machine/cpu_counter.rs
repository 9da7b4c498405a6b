//! Processor time of a process and all its descendants, as the kernel's performance events count it.

use std::io;
use std::time::Duration;

use perf_event::events::Software;
use perf_event::{Builder, Counter};
use rustix::process::{Pid, getpid};
use serde::{Deserialize, Serialize};

/// The size of the oldest form of a request for a counter, which every kernel knows.
const OLDEST_FORM: u32 = 64;

/// Counts the processor time of all programs that a process starts, and of whatever they start.
///
/// The kernel adds the time of a child to its parent's only if that waits for it. This counter has every
/// descendant, as long as it runs and afterwards.
#[derive(Debug)]
pub struct CpuCounter(Counter);

impl CpuCounter {
    /// A counter of the programs that `process` will start. The time of `process` itself does not count.
    ///
    /// # Errors
    ///
    /// The system allows no such counter.
    pub(super) fn of_programs_below(process: Pid) -> io::Result<Self> {
        let mut builder = Builder::new(Software::TASK_CLOCK);
        builder
            .observe_pid(process.as_raw_nonzero().get())
            .inherit(true)
            // Counting begins when a child executes a program. The process itself never does.
            .enabled(false)
            .enable_on_exec(true);
        builder.attrs_mut().size = OLDEST_FORM;
        builder.build().map(Self)
    }

    /// The same, or nothing where the system allows no counters.
    ///
    /// # Errors
    ///
    /// The system allows counters, and refuses this one.
    pub fn where_allowed(process: Pid) -> io::Result<Option<Self>> {
        let error = match Self::of_programs_below(process) {
            Ok(counter) => return Ok(Some(counter)),
            Err(error) => error,
        };
        match CpuSource::here() {
            CpuSource::Processes => Ok(None),
            CpuSource::Counter => {
                let problem = format!("the bot's processor time cannot be counted: {error}");
                Err(io::Error::new(error.kind(), problem))
            }
        }
    }

    /// What was used so far.
    pub(super) fn read(&mut self) -> Option<Duration> {
        self.0.read().ok().map(Duration::from_nanos)
    }
}

/// What tells the processor time of a bot with all its descendants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CpuSource {
    /// A counter of the kernel, which misses nothing.
    Counter,
    /// The clocks of the processes that are seen, and what their parents waited for: a bot can hide
    /// short processes that nobody waits for.
    #[default]
    Processes,
}

impl CpuSource {
    /// What this machine allows.
    pub fn here() -> Self {
        match CpuCounter::of_programs_below(getpid()) {
            Ok(_) => Self::Counter,
            Err(_) => Self::Processes,
        }
    }
}
