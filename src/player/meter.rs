//! Processor time of a bot and all that it started.

use std::time::Duration;

use nix::time::ClockId;
use rustix::process::Pid;

use super::supervise::tree;

/// Reads what a bot has used of a processor. It never goes back.
///
/// As long as the bot is alone, that is one look at the kernel's clock of its process. Once it has
/// descendants, or had, their clocks are added, and the time of those that ended, which the kernel
/// keeps with whoever waited for them, in its ticks of 10 ms.
#[derive(Debug)]
pub(super) struct Meter {
    bot: Pid,
    clock: Option<ClockId>,
    seen: Duration,
}

impl Meter {
    /// A meter of the process `bot`.
    pub(super) fn new(bot: Pid) -> Self {
        Self {
            bot,
            clock: clock(bot),
            seen: Duration::ZERO,
        }
    }

    /// What the bot has used so far; `above` is the process above its tree, if the bot is known to have
    /// descendants.
    pub(super) fn read(&mut self, above: Option<Pid>) -> Duration {
        let own = self.clock.and_then(|clock| clock.now().ok());
        let mut used = own.map_or(Duration::ZERO, Duration::from);
        if let Some(above) = above {
            used += tree::time_of_ended_children(self.bot);
            for process in tree::descendants(above) {
                if process != self.bot {
                    let now = clock(process).and_then(|clock| clock.now().ok());
                    used += now.map_or(Duration::ZERO, Duration::from);
                    used += tree::time_of_ended_children(process);
                }
            }
            // Orphans are that one's to wait for.
            used += tree::time_of_ended_children(above);
        }
        self.seen = self.seen.max(used);
        self.seen
    }
}

fn clock(process: Pid) -> Option<ClockId> {
    let process = nix::unistd::Pid::from_raw(process.as_raw_nonzero().get());
    ClockId::pid_cpu_clock_id(process).ok()
}
