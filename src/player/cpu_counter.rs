//! Processor time of a process and all its descendants, as the kernel's performance events count it.

use std::io;
use std::time::Duration;

use perf_event::events::Software;
use perf_event::{Builder, Counter};
use rustix::process::{Pid, getpid};

/// The size of the oldest form of a request for a counter, which every kernel knows.
const OLDEST_FORM: u32 = 64;

/// Counts the processor time of all programs that a process starts, and of whatever they start.
///
/// A process that is not waited for, or is waited for by none, is in no other account: the kernel adds
/// the time of a child to its parent's only if that asks for it. This counter has every descendant as
/// long as it runs and afterwards.
#[derive(Debug)]
pub(super) struct CpuCounter(Counter);

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
            // It begins in each child when that executes a program, and never in the process itself.
            .enabled(false)
            .enable_on_exec(true);
        builder.attrs_mut().size = OLDEST_FORM;
        builder.build().map(Self)
    }

    /// What was used so far.
    pub(super) fn read(&mut self) -> Option<Duration> {
        self.0.read().ok().map(Duration::from_nanos)
    }
}

/// Whether this machine allows such counters.
pub(super) fn is_allowed() -> bool {
    CpuCounter::of_programs_below(getpid()).is_ok()
}
