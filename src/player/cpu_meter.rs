//! Processor time of a bot and all that it started.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

use nix::time::ClockId;
use rustix::process::Pid;

use super::cpu_counter::CpuCounter;
use super::probe;
use super::supervise::{StartedBot, tree};

/// How much more a counter may show than the clocks of the processes before it is looked into.
const TOLERANCE: Duration = Duration::from_millis(2);

/// The shortest time between two looks at the counter.
const STEP: Duration = Duration::from_millis(5);

/// The shortest time between two looks for other descendants, where a counter has them meanwhile or processor time
/// decides nothing.
const LOOK: Duration = Duration::from_millis(20);

/// Reads what a bot has used of a processor. The reading never decreases.
///
/// As long as the bot has no descendants, this reads the clock of its process. Once it has or had some,
/// their clocks are added, and the time of those that ended: the kernel adds that, in ticks of 10 ms,
/// to the process that waited for them. That misses short descendants that nobody waits for, and those that
/// were not looked for yet. The [`CpuCounter`] has them, and so has a control group, but a bot that may write
/// there can leave it. The greatest of the three accounts is taken.
#[derive(Debug)]
pub(super) struct CpuMeter {
    bot: Pid,
    clock: Option<ClockId>,
    /// The most that the time of ended children of the process above its tree shows for earlier bots.
    earlier: Duration,
    /// The control group's account.
    cgroup: Option<File>,
    counter: Option<StartedCounter>,
    /// Whether every reading looks for descendants.
    looks_always: bool,
    /// When it was last looked for descendants.
    looked: Option<Instant>,
    /// What those had used that had ended by then.
    ended: Duration,
    /// The clocks of those that lived, and what they last showed.
    living: Vec<(ClockId, Duration)>,
    highest: Duration,
}

/// A counter, and what it shows that is not the bot's.
#[derive(Debug)]
struct StartedCounter {
    counter: CpuCounter,
    /// When it was last read.
    looked: Instant,
    /// What it showed when the bot was started.
    before: Duration,
    /// What a hypervisor had taken by then, and has taken since: the counter goes on meanwhile, and
    /// the clocks do not.
    stolen_before: Duration,
    stolen_since: Duration,
}

impl CpuMeter {
    /// A meter of a bot. `counter` counts its time, perhaps with that of the sandbox that it is in.
    pub(super) fn new(started: &StartedBot, counter: Option<CpuCounter>) -> Self {
        let bot = started.pid;
        let clock = clock(bot);
        let own = clock.and_then(|clock| clock.now().ok());
        let own = own.map_or(Duration::ZERO, Duration::from);
        let counter = counter.and_then(|mut counter| {
            Some(StartedCounter {
                before: counter.read()?.saturating_sub(own),
                looked: Instant::now(),
                counter,
                stolen_before: probe::stolen(),
                stolen_since: Duration::ZERO,
            })
        });
        Self {
            bot,
            clock,
            earlier: started.earlier,
            cgroup: started
                .cpu_file
                .as_ref()
                .and_then(|file| File::open(file).ok()),
            looks_always: started.cpu_decides && counter.is_none(),
            counter,
            looked: None,
            ended: Duration::ZERO,
            living: Vec::new(),
            highest: Duration::ZERO,
        }
    }

    /// What the bot has used so far. `tree_root` is the process above its tree, if the bot is known to
    /// have descendants or to have had some.
    pub(super) fn read(&mut self, tree_root: Option<Pid>) -> Duration {
        // A look takes several times as long as a ply of a quick bot.
        let is_due = |looked: Instant| self.looks_always || looked.elapsed() >= LOOK;
        if let Some(tree_root) = tree_root
            && self.looked.is_none_or(is_due)
        {
            self.look(tree_root);
        }
        let own = self.clock.and_then(|clock| clock.now().ok());
        let mut used = own.map_or(Duration::ZERO, Duration::from) + self.ended;
        for (clock, last) in &mut self.living {
            // That of a process that has ended meanwhile shows nothing.
            *last = clock.now().map_or(*last, Duration::from);
            used += *last;
        }
        let used = used.max(self.highest);
        let counter = self.counter.as_mut();
        let counted = counter.and_then(|counter| counter.read_above(used));
        self.highest = used.max(counted.unwrap_or_default());
        self.highest
    }

    /// Looks for all descendants that are seen, or that somebody waited for.
    fn look(&mut self, tree_root: Pid) {
        self.looked = Some(Instant::now());
        self.ended = tree::time_of_ended_children(self.bot);
        self.living.clear();
        for process in tree::descendants(tree_root) {
            if process != self.bot {
                self.living
                    .extend(clock(process).map(|clock| (clock, Duration::ZERO)));
                self.ended += tree::time_of_ended_children(process);
            }
        }
        // Orphans are children of that process, which waits for them.
        self.ended += tree::time_of_ended_children(tree_root).saturating_sub(self.earlier);
        let account = self.cgroup.as_ref().and_then(account);
        self.highest = self.highest.max(account.unwrap_or_default());
    }
}

impl StartedCounter {
    /// What the bot has used, where that is more than the clocks say.
    fn read_above(&mut self, clocks: Duration) -> Option<Duration> {
        // A read interrupts the processors that run the bot, which would slow every ply. The next read
        // finds what was used in between.
        if self.looked.elapsed() < STEP {
            return None;
        }
        self.looked = Instant::now();
        let counted = self.counter.read()?.saturating_sub(self.before);
        if counted <= clocks + self.stolen_since + TOLERANCE {
            return None;
        }
        self.stolen_since = probe::stolen().saturating_sub(self.stolen_before);
        Some(counted.saturating_sub(self.stolen_since))
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
