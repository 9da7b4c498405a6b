//! Processor time of a bot and all that it started.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::time::ClockId;
use rustix::process::Pid;

use super::cpu_counter::CpuCounter;
use super::{probe, process_tree};

/// How much more a counter may show than the reading before it is looked into.
const TOLERANCE: Duration = Duration::from_millis(2);

/// How long it takes at most until the clock of a process shows what that has used: the kernel brings it up to
/// date when the process stops to run, and with each of its own ticks.
const LAG: Duration = Duration::from_millis(10);

/// By how much less than the clocks a counter may show: they begin a little earlier.
const MISSED: Duration = Duration::from_millis(50);

/// The shortest time between two looks at the counter.
const STEP: Duration = Duration::from_millis(5);

/// The shortest time between two looks for other descendants, where a counter has them meanwhile or processor time
/// decides nothing.
const LOOK: Duration = Duration::from_millis(20);

/// A bot that runs.
#[derive(Debug, Clone)]
pub struct StartedBot {
    /// Its own process.
    pub pid: Pid,
    /// The file that tells what processor time its control group has used, if it has one.
    pub cpu_file: Option<PathBuf>,
    /// The most that the time of ended children of the process above its tree shows for earlier bots.
    pub earlier: Duration,
    /// Whether its processor time decides something.
    pub cpu_decides: bool,
}

/// Reads what a bot has used of a processor. The reading never decreases.
///
/// As long as the bot has no descendants, this reads the clock of its process. Once it has or had some,
/// their clocks are read too. The reading grows by as much as the clocks do.
///
/// Three accounts have also what the clocks miss, such as processes that have ended. One is all clocks that can
/// be read and the time of ended children, which the kernel adds, in ticks of 10 ms, to the process that
/// waited for them. That misses short descendants that nobody waits for, and those that were not looked for
/// yet. The [`CpuCounter`] has them, and so has a control group, but a bot that may write there can leave it.
/// Each account says how much it was altogether. Where that is more than the reading, the reading becomes that, and
/// grows on from there: time that one account has later than another is not counted twice.
///
/// A process that executes a file that it may not read loses the counter, and so does all that it starts. That is
/// looked for, and the bot forfeits: what such processes use, nobody can tell.
///
/// The clock of a process that runs lags behind, and the counter does not. What the reading had from the counter
/// and then once more from a clock is taken back, and the reading waits until it is used.
#[derive(Debug)]
pub struct CpuMeter {
    bot: Pid,
    /// Those of the bot and of its descendants that lived when it was last looked for them.
    clocks: Vec<Clock>,
    /// The most that the time of ended children of the process above its tree shows for earlier bots.
    earlier: Duration,
    /// The control group's account.
    cgroup: Option<File>,
    counter: Option<StartedCounter>,
    /// Whether something of the bot is not counted any more.
    has_lost_counter: bool,
    /// Whether every reading looks for descendants.
    looks_always: bool,
    /// When it was last looked for descendants.
    looked: Option<Instant>,
    used: Duration,
    /// The last reading, which is more than `used` where something was taken back.
    highest: Duration,
}

/// The clock of a process.
#[derive(Debug, Clone, Copy)]
struct Clock {
    id: ClockId,
    /// What it last showed.
    shown: Duration,
}

/// A counter, and what it shows that is not the bot's.
#[derive(Debug)]
struct StartedCounter {
    counter: CpuCounter,
    /// When it was last read.
    looked: Instant,
    /// What it showed when the bot was started.
    before: Duration,
    /// What a hypervisor had taken by then: the counter goes on meanwhile, and the clocks do not.
    stolen_before: Duration,
    /// The last reading.
    counted: Duration,
    correction: Correction,
}

/// Corrects a reading by what a counter has counted.
#[derive(Debug)]
struct Correction {
    /// What a hypervisor has taken since the bot was started, as far as is known.
    stolen: Duration,
    /// By how much the reading was last raised, as far as a clock that lagged may show that too.
    raised: Duration,
    raised_at: Instant,
}

impl CpuMeter {
    /// A meter of a bot. `counter` counts its time, perhaps with that of the sandbox that it is in.
    pub fn new(started: &StartedBot, counter: Option<CpuCounter>) -> Self {
        let bot = started.pid;
        let id = clock_of(bot);
        let own = id.and_then(time_of).unwrap_or_default();
        let counter = counter.and_then(|mut counter| {
            let now = Instant::now();
            Some(StartedCounter {
                before: counter.read()?.saturating_sub(own),
                looked: now,
                counter,
                stolen_before: probe::stolen(),
                counted: Duration::MAX,
                correction: Correction::new(now),
            })
        });
        Self {
            bot,
            clocks: id
                .map(|id| Clock {
                    id,
                    shown: Duration::ZERO,
                })
                .into_iter()
                .collect(),
            earlier: started.earlier,
            cgroup: started
                .cpu_file
                .as_ref()
                .and_then(|file| File::open(file).ok()),
            has_lost_counter: false,
            looks_always: started.cpu_decides && counter.is_none(),
            counter,
            looked: None,
            used: Duration::ZERO,
            highest: Duration::ZERO,
        }
    }

    /// What the bot has used so far. `tree_root` is the process above its tree, if the bot is known to
    /// have descendants or to have had some.
    pub fn read(&mut self, tree_root: Option<Pid>) -> Duration {
        // A look takes several times as long as a ply of a quick bot.
        let is_due = |looked: Instant| self.looks_always || looked.elapsed() >= LOOK;
        let due = tree_root.filter(|_| self.looked.is_none_or(is_due));
        let ended = due.map(|tree_root| self.look(tree_root));
        let mut shown = Duration::ZERO;
        self.clocks.retain_mut(|clock| {
            let Some(now) = time_of(clock.id) else {
                return false;
            };
            self.used += now.saturating_sub(clock.shown);
            clock.shown = now;
            shown += now;
            true
        });
        if let Some(ended) = ended {
            let group = self.cgroup.as_ref().and_then(account);
            self.used = self.used.max(shown + ended).max(group.unwrap_or_default());
        }
        if let Some(counter) = &mut self.counter {
            self.used = counter.correct(self.used);
            self.has_lost_counter |= counter.misses_some_of(shown);
        }
        self.highest = self.highest.max(self.used);
        self.highest
    }

    /// Whether a process of the bot got rid of its counter.
    pub fn has_lost_counter(&self) -> bool {
        self.has_lost_counter
    }

    /// Looks for all descendants that are seen. Returns the time of those that somebody waited for.
    ///
    /// That is read of every process before the clocks of its children are, so a process that ends meanwhile may
    /// be missed and is not counted twice. Orphans are children of the root, which waits for them.
    fn look(&mut self, tree_root: Pid) -> Duration {
        self.looked = Some(Instant::now());
        let mut ended =
            process_tree::time_of_ended_children(tree_root).saturating_sub(self.earlier);
        let known = std::mem::take(&mut self.clocks);
        let others = process_tree::descendants(tree_root).into_iter();
        let others = others.filter(|process| *process != self.bot);
        for process in [self.bot].into_iter().chain(others) {
            ended += process_tree::time_of_ended_children(process);
            self.has_lost_counter |=
                self.counter.is_some() && process_tree::runs_what_it_may_not_read(process);
            let Some(id) = clock_of(process) else {
                continue;
            };
            let clock = known.iter().find(|clock| clock.id == id).copied();
            // What a new one shows by now is in the accounts.
            let clock = clock.or_else(|| time_of(id).map(|shown| Clock { id, shown }));
            self.clocks.extend(clock);
        }
        ended
    }
}

impl StartedCounter {
    /// What the bot has used, where `used` is known without the counter.
    fn correct(&mut self, used: Duration) -> Duration {
        // A read interrupts the processors that run the bot, which would slow every ply. The next read
        // finds what was used in between.
        if self.looked.elapsed() < STEP && self.correction.raised.is_zero() {
            return used;
        }
        self.looked = Instant::now();
        let Some(counted) = self.counter.read() else {
            return used;
        };
        let counted = counted.saturating_sub(self.before);
        self.counted = counted;
        let stolen = || probe::stolen().saturating_sub(self.stolen_before);
        self.correction.apply(used, counted, self.looked, stolen)
    }
}

impl StartedCounter {
    /// Whether the clocks of processes that live show more than was counted in all. They lag behind it otherwise, but
    /// for what many processors did since the counter was read.
    fn misses_some_of(&self, shown: Duration) -> bool {
        shown
            > self
                .counted
                .saturating_add(MISSED + self.looked.elapsed() * 64)
    }
}

impl Correction {
    fn new(now: Instant) -> Self {
        Self {
            stolen: Duration::ZERO,
            raised: Duration::ZERO,
            raised_at: now,
        }
    }

    /// What was used, of which `used` is known otherwise. `stolen` says what a hypervisor has taken by now.
    fn apply(
        &mut self,
        used: Duration,
        counted: Duration,
        now: Instant,
        stolen: impl FnOnce() -> Duration,
    ) -> Duration {
        if counted > used + self.stolen + TOLERANCE {
            self.stolen = stolen();
            let corrected = used.max(counted.saturating_sub(self.stolen));
            self.raised = corrected - used;
            self.raised_at = now;
            return corrected;
        }
        let twice = used.saturating_sub(counted.saturating_sub(self.stolen));
        // No more than the counter gave: a bot may have got rid of its counter.
        let twice = twice.min(self.raised);
        self.raised -= twice;
        if now.saturating_duration_since(self.raised_at) >= LAG {
            self.raised = Duration::ZERO;
        }
        used - twice
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

fn clock_of(process: Pid) -> Option<ClockId> {
    let process = nix::unistd::Pid::from_raw(process.as_raw_nonzero().get());
    ClockId::pid_cpu_clock_id(process).ok()
}

/// What a clock shows, unless its process is gone.
fn time_of(clock: ClockId) -> Option<Duration> {
    clock.now().ok().map(Duration::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// A correction, and how it corrects at so many milliseconds. A hypervisor has taken 3 ms.
    fn correct(
        correction: &mut Correction,
        begun: Instant,
        at: u32,
        used: u32,
        counted: u32,
    ) -> Duration {
        correction.apply(used * MS, counted * MS, begun + at * MS, || 3 * MS)
    }

    #[test]
    fn what_only_the_counter_has_is_charged_without_what_was_stolen() {
        let begun = Instant::now();
        let mut correction = Correction::new(begun);
        assert_eq!(correct(&mut correction, begun, 10, 20, 22), 20 * MS);
        assert_eq!(correct(&mut correction, begun, 20, 20, 40), 37 * MS);
        // The clocks have grown since, and all is known.
        assert_eq!(correct(&mut correction, begun, 40, 47, 50), 47 * MS);
    }

    #[test]
    fn what_a_clock_shows_after_the_counter_is_taken_back() {
        let begun = Instant::now();
        let mut correction = Correction::new(begun);
        assert_eq!(correct(&mut correction, begun, 10, 20, 28), 25 * MS);
        // A clock lagged by 4 ms.
        assert_eq!(correct(&mut correction, begun, 12, 29, 28), 25 * MS);
        assert_eq!(correct(&mut correction, begun, 13, 26, 28), 25 * MS);
    }

    #[test]
    fn a_counter_that_has_stopped_takes_back_no_more_than_it_gave() {
        let begun = Instant::now();
        let mut correction = Correction::new(begun);
        assert_eq!(correct(&mut correction, begun, 10, 20, 28), 25 * MS);
        assert_eq!(correct(&mut correction, begun, 14, 60, 28), 55 * MS);
        assert_eq!(correct(&mut correction, begun, 40, 90, 28), 90 * MS);
    }
}
