//! CPU time of a bot and its descendants.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::time::ClockId;
use perf_event::events::Software;
use perf_event::{Builder, Counter};
use rustix::process::{Pid, getpid};
use serde::{Deserialize, Serialize};

use super::{probe, process_tree};

/// Excess of the counter over the reading up to which it is ignored.
const TOLERANCE: Duration = Duration::from_millis(2);

/// Maximum lag of a process's CPU clock: the kernel updates it when the process stops running, and at each tick.
const LAG: Duration = Duration::from_millis(10);

/// Most tasks with a second counter at a time: each takes a file descriptor.
const MOST_WATCHED: usize = 64;

const STEP: Duration = Duration::from_millis(5);

/// Minimum interval between two searches for descendants, if a counter includes them anyway or CPU time decides
/// nothing.
pub(super) const LOOK: Duration = Duration::from_millis(20);

#[derive(Debug, Clone)]
pub struct StartedBot {
    pub pid: Pid,
    /// The file that tells what processor time its control group has used, if it has one.
    pub cpu_file: Option<PathBuf>,
    /// The most that the time of ended children of the process above its tree shows for earlier bots.
    pub earlier: Duration,
    /// Whether its processor time decides something.
    pub cpu_decides: bool,
}

/// Reads the CPU time of a bot. The reading never decreases.
///
/// While the bot has no descendants, this reads the clock of its process. Once it has or had some, their clocks are
/// read too. The reading grows by the increments of the clocks.
///
/// Three accounts include CPU time that the clocks miss, such as exited processes. The first is the sum of all
/// readable clocks and of the time of reaped children, which the kernel adds to the process that waited for them, in
/// ticks of 10 ms. It misses short-lived descendants that nobody waits for, and those not found yet. The second is the
/// [`CpuCounter`], and the third a control group; both include these descendants, but a bot with write access can
/// leave its group. Each account is a total. Where it exceeds the reading, the reading is raised to it and grows from
/// there, so time that appears in one account later than in another is not counted twice.
///
/// A process that executes a file without read permission, or with such an interpreter, loses the counter, and so do its
/// descendants. So at each search every task gets a second counter. At the next search these have counted no more than
/// the first one, unless it was lost. Such a bot forfeits, since its CPU time is unknown.
///
/// The clock of a running process lags behind, and the counter does not. CPU time counted first by the counter and
/// then again by a clock is subtracted, and the reading stays constant until the bot has used as much.
#[derive(Debug)]
pub struct CpuMeter {
    bot: Pid,
    /// Clocks of the bot and of its descendants that were alive at the last search.
    clocks: Vec<Clock>,
    /// Upper bound on the time of reaped children that the root of the tree has from earlier bots.
    earlier: Duration,
    cgroup: Option<File>,
    counter: Option<StartedCounter>,
    /// Whether a process of the bot is no longer counted.
    pub has_lost_counter: bool,
    looks_always: bool,
    looked: Option<Instant>,
    used: Duration,
    /// Last reading; more than `used` after a subtraction.
    highest: Duration,
}

#[derive(Debug, Clone, Copy)]
struct Clock {
    id: ClockId,
    shown: Duration,
}

/// A counter, with its offsets from the bot's CPU time.
#[derive(Debug)]
struct StartedCounter {
    counter: CpuCounter,
    looked: Instant,
    before: Duration,
    /// Steal time at the start of the bot. The counter runs during stolen time, and the clocks do not.
    stolen_before: Duration,
    correction: Correction,
    /// Second counters since the last search, and the value of the first one before they were started.
    watched: Vec<CpuCounter>,
    at_search: Duration,
    /// CPU time that only second counters have shown.
    missed: Duration,
    /// Which tasks are watched next, if they are too many.
    turn: usize,
}

#[derive(Debug)]
struct Correction {
    /// Steal time since the start of the bot, at its last reading.
    stolen: Duration,
    /// Last raise of the reading, minus the part that a lagging clock has shown since.
    raised: Duration,
    raised_at: Instant,
}

impl CpuMeter {
    /// A meter for a bot. `counter` counts its CPU time, and in a sandbox also the sandbox's own.
    pub fn new(started: &StartedBot, counter: Option<CpuCounter>) -> Self {
        let bot = started.pid;
        let id = clock_of(bot);
        let own = id.and_then(time_of).unwrap_or_default();
        let counter = counter.and_then(|mut counter| {
            let now = Instant::now();
            let at_search = counter.read()?;
            Some(StartedCounter {
                before: at_search.saturating_sub(own),
                looked: now,
                counter,
                stolen_before: probe::stolen(),
                correction: Correction::new(now),
                watched: Vec::new(),
                at_search,
                missed: Duration::ZERO,
                turn: 0,
            })
        });
        Self {
            bot,
            clocks: Vec::from_iter(id.map(|id| Clock {
                id,
                shown: Duration::ZERO,
            })),
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

    /// CPU time of the bot so far. `tree_root` is the root of its process tree, given once the bot has had
    /// descendants, and `now` is the time.
    pub fn read(&mut self, tree_root: Option<Pid>, now: Instant) -> Duration {
        // A search takes several times as long as a ply of a quick bot.
        let is_due = |looked: Instant| self.looks_always || now - looked >= LOOK;
        let due = tree_root.filter(|_| self.looked.is_none_or(is_due));
        let ended = due.map(|tree_root| self.search_descendants(tree_root));
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
            self.used = counter.correct(self.used, now);
        }
        self.highest = self.highest.max(self.used);
        self.highest
    }

    /// Searches for all visible descendants. Returns the CPU time of reaped children.
    ///
    /// That time is read for each process before the clocks of its children, so a process that ends meanwhile may be
    /// missed and is never counted twice. Orphans are reparented to the root, which waits for them.
    fn search_descendants(&mut self, tree_root: Pid) -> Duration {
        self.looked = Some(Instant::now());
        let mut ended =
            process_tree::time_of_ended_children(tree_root).saturating_sub(self.earlier);
        let known = std::mem::take(&mut self.clocks);
        let others = process_tree::descendants(tree_root).into_iter();
        let others = others.filter(|process| *process != self.bot);
        let all: Vec<Pid> = [self.bot].into_iter().chain(others).collect();
        if let Some(counter) = &mut self.counter {
            self.has_lost_counter |= counter.has_missed_some_of(&all);
        }
        for process in all {
            ended += process_tree::time_of_ended_children(process);
            let Some(id) = clock_of(process) else {
                continue;
            };
            let clock = known.iter().find(|clock| clock.id == id).copied();
            // The time of a new process before this is in the accounts.
            let clock = clock.or_else(|| time_of(id).map(|shown| Clock { id, shown }));
            self.clocks.extend(clock);
        }
        ended
    }
}

impl StartedCounter {
    /// CPU time of the bot, given its CPU time `used` without the counter.
    fn correct(&mut self, used: Duration, now: Instant) -> Duration {
        // Reading the counter interrupts the processors that run the bot, which would slow every ply. The next read
        // includes the time in between.
        if now - self.looked < STEP && self.correction.raised.is_zero() {
            return used;
        }
        self.looked = now;
        let Some(counted) = self.counter.read() else {
            return used;
        };
        let counted = counted.saturating_sub(self.before);
        let stolen = || probe::stolen().saturating_sub(self.stolen_before);
        self.correction.apply(used, counted, self.looked, stolen)
    }

    /// Whether tasks ran uncounted since the last search, or cannot be counted. Watches the tasks of these processes until
    /// the next one.
    ///
    /// A second counter includes the task's descendants from its start on, so no two include the same, and the first
    /// counter should include all.
    fn has_missed_some_of(&mut self, processes: &[Pid]) -> bool {
        let seen: Duration = self.watched.iter_mut().filter_map(CpuCounter::read).sum();
        self.watched.clear();
        let Some(counted) = self.counter.read() else {
            return false;
        };
        self.missed += seen.saturating_sub(counted.saturating_sub(self.at_search));
        self.at_search = counted;
        let tasks: Vec<Pid> = processes
            .iter()
            .copied()
            .flat_map(process_tree::tasks)
            .collect();
        self.turn = self.turn.wrapping_add(MOST_WATCHED) % tasks.len().max(1);
        let in_turn = tasks.iter().cycle().skip(self.turn);
        let mut is_refused = false;
        for task in in_turn.take(tasks.len().min(MOST_WATCHED)) {
            match CpuCounter::of(*task, true) {
                Ok(counter) => self.watched.push(counter),
                // The kernel protects a process that runs what its user may not read.
                Err(error) => is_refused |= error.kind() == io::ErrorKind::PermissionDenied,
            }
        }
        self.missed > TOLERANCE || is_refused
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

    /// Corrected CPU time, given `used` without the counter. `stolen` reads the steal time.
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
        // The raise is an upper bound: a counter that the bot has escaped must not lower the reading further.
        let twice = twice.min(self.raised);
        self.raised -= twice;
        if now.saturating_duration_since(self.raised_at) >= LAG {
            self.raised = Duration::ZERO;
        }
        used - twice
    }
}

/// Parses `cpu.stat` (microseconds after a keyword) or `cpuacct.usage` (nanoseconds).
fn account(file: &File) -> Option<Duration> {
    let mut room = [0; 1024];
    let text = process_tree::text(file, &mut room)?.lines().next()?;
    match text.strip_prefix("usage_usec ") {
        Some(micros) => micros.parse().ok().map(Duration::from_micros),
        None => text.parse().ok().map(Duration::from_nanos),
    }
}

fn clock_of(process: Pid) -> Option<ClockId> {
    let process = nix::unistd::Pid::from_raw(process.as_raw_nonzero().get());
    ClockId::pid_cpu_clock_id(process).ok()
}

fn time_of(clock: ClockId) -> Option<Duration> {
    clock.now().ok().map(Duration::from)
}

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
    pub(super) fn of_programs_below(process: Pid) -> io::Result<Self> {
        Self::of(process, false)
    }

    /// Counts a task and its descendants, at once or from when they execute a program.
    fn of(task: Pid, at_once: bool) -> io::Result<Self> {
        let mut builder = Builder::new(Software::TASK_CLOCK);
        builder
            .observe_pid(task.as_raw_nonzero().get())
            .inherit(true)
            // `enable_on_exec` starts counting when a child executes a program. The process itself never does.
            .enabled(at_once)
            .enable_on_exec(!at_once);
        builder.attrs_mut().size = OLDEST_FORM;
        builder.build().map(Self)
    }

    /// [`CpuCounter::of_programs_below`], or `None` if the system allows no counters at all.
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

    pub(super) fn read(&mut self) -> Option<Duration> {
        self.0.read().ok().map(Duration::from_nanos)
    }
}

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
    pub fn here() -> Self {
        match CpuCounter::of_programs_below(getpid()) {
            Ok(_) => Self::Counter,
            Err(_) => Self::Processes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Corrections at successive times in milliseconds, with a steal time of 3 ms.
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
        // The clocks have caught up since, and all time is known.
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
