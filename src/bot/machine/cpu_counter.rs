//! CPU time of a process tree, counted by the kernel's performance events.

use std::io;
use std::time::Duration;

use perf_event::events::Software;
use perf_event::{Builder, Counter};
use rustix::process::{Pid, getpid};
use serde::{Deserialize, Serialize};

/// Size of the oldest `perf_event_attr` (`PERF_ATTR_SIZE_VER0`), which every kernel accepts.
const OLDEST_FORM: u32 = 64;

/// Counts the CPU time of all programs that a process starts, and of their descendants.
///
/// The kernel adds a child's CPU time to its parent's only if the parent waits for it. This counter includes every
/// descendant, while it runs and afterwards.
#[derive(Debug)]
pub struct CpuCounter(Counter);

impl CpuCounter {
    /// Counts the programs that `process` will start. CPU time of `process` itself does not count.
    ///
    /// # Errors
    ///
    /// The kernel refuses such a counter.
    pub(super) fn of_programs_below(process: Pid) -> io::Result<Self> {
        let mut builder = Builder::new(Software::TASK_CLOCK);
        builder
            .observe_pid(process.as_raw_nonzero().get())
            .inherit(true)
            // `enable_on_exec` starts counting when a child executes a program. The process itself never does.
            .enabled(false)
            .enable_on_exec(true);
        builder.attrs_mut().size = OLDEST_FORM;
        builder.build().map(Self)
    }

    /// [`CpuCounter::of_programs_below`], or `None` if the system allows no counters at all.
    ///
    /// # Errors
    ///
    /// The system allows counters and refuses this one.
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

    /// CPU time so far.
    pub(super) fn read(&mut self) -> Option<Duration> {
        self.0.read().ok().map(Duration::from_nanos)
    }
}

/// Source of the CPU time of a bot's process tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CpuSource {
    /// A kernel counter, which misses nothing.
    Counter,
    /// The clocks of visible processes, plus the CPU time of children that were waited for. A bot can hide short-lived
    /// processes that nobody waits for.
    #[default]
    Processes,
}

impl CpuSource {
    /// The best source that this machine allows.
    pub fn here() -> Self {
        match CpuCounter::of_programs_below(getpid()) {
            Ok(_) => Self::Counter,
            Err(_) => Self::Processes,
        }
    }
}
