//! Processor time of a bot and all that it started.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use nix::time::ClockId;
use rustix::process::Pid;

use super::supervise::tree;

/// Reads what a bot has used of a processor. The reading never decreases.
///
/// As long as the bot has no descendants, this reads one clock, that of its process. Once it has or
/// had some, their clocks are added, and the time of those that ended: the kernel adds that, in ticks
/// of 10 ms, to the process that waited for them. A control group counts more exactly, but a bot that
/// may write there can leave it, so its count is used only where it is higher.
#[derive(Debug)]
pub(super) struct CpuMeter {
    bot: Pid,
    clock: Option<ClockId>,
    /// The control group's account.
    cgroup: Option<File>,
    highest: Duration,
}

impl CpuMeter {
    /// A meter of the process `bot`. The file `cgroup` is the account of its control group, if it has
    /// one.
    pub(super) fn new(bot: Pid, cgroup: Option<&Path>) -> Self {
        Self {
            bot,
            clock: clock(bot),
            cgroup: cgroup.and_then(|file| File::open(file).ok()),
            highest: Duration::ZERO,
        }
    }

    /// What the bot has used so far. `tree_root` is the process above its tree, if the bot is known to
    /// have descendants or to have had some.
    pub(super) fn read(&mut self, tree_root: Option<Pid>) -> Duration {
        let own = self.clock.and_then(|clock| clock.now().ok());
        let mut used = own.map_or(Duration::ZERO, Duration::from);
        if let Some(tree_root) = tree_root {
            used += tree::time_of_ended_children(self.bot);
            for process in tree::descendants(tree_root) {
                if process != self.bot {
                    let now = clock(process).and_then(|clock| clock.now().ok());
                    used += now.map_or(Duration::ZERO, Duration::from);
                    used += tree::time_of_ended_children(process);
                }
            }
            // Orphans are children of that process, which waits for them.
            used += tree::time_of_ended_children(tree_root);
            used = used.max(self.cgroup.as_ref().and_then(account).unwrap_or_default());
        }
        self.highest = self.highest.max(used);
        self.highest
    }
}

/// The time in `cpu.stat`, in microseconds behind a word, or in `cpuacct.usage`, in nanoseconds.
fn account(file: &File) -> Option<Duration> {
    let mut text = [0; 64];
    let count = file.read_at(&mut text, 0).ok()?;
    let text = std::str::from_utf8(&text[..count]).ok()?.lines().next()?;
    match text.strip_prefix("usage_usec ") {
        Some(micros) => micros.parse().ok().map(Duration::from_micros),
        None => text.parse().ok().map(Duration::from_nanos),
    }
}

fn clock(process: Pid) -> Option<ClockId> {
    let process = nix::unistd::Pid::from_raw(process.as_raw_nonzero().get());
    ClockId::pid_cpu_clock_id(process).ok()
}
