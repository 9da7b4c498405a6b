//! CPU affinity: pins a game to one processor while its bots answer at once.
//!
//! The referee's thread and the bots take turns. On one processor, a turn costs two context switches. The scheduler
//! likes to spread them over idle processors, and then each turn waits for two of these to wake up, which takes
//! several times as long.
//!
//! So a game with quick bots is pinned to one processor by the affinity of its processes, which each of them may undo.
//! It is released as soon as an answer takes long or a bot computes off turn, so a computing bot has all processors. A
//! bot with threads or descendants is never pinned. Where this program has one processor, there is nothing to pin.
//!
//! A thread that shares its processor with a quick bot lets it run and then reads its answer, instead of going to sleep.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

use super::process_tree;

/// Maximum time of a quick answer. A slower bot computes, or waits for its processor while another may be idle.
const QUICK: Duration = Duration::from_millis(1);

/// Time without an answer after which a pinned game is released. Most kernels tick every 4 ms or more often. A timer
/// that is due before the next tick has to be programmed for each wait, which takes a virtual machine microseconds.
pub const LATE: Duration = Duration::from_millis(5);

/// Maximum CPU time off turn of a quick bot: it prints, and goes to sleep.
const TIDY_UP: Duration = Duration::from_micros(200);

/// Number of consecutive quick answers that pin a game. Doubled after each short pinned phase.
const STREAK: u32 = 16;

/// A pinned phase is short if it has fewer quick answers than this many times the streak that pinned the game. After a
/// longer one, some other process was more likely in the way.
const LONG: u32 = 4;

#[derive(Debug)]
pub struct Lanes {
    /// Logical processors available to this program, by physical core.
    cores: Vec<Vec<u32>>,
    allowed: CpuSet,
    kept: Mutex<Vec<usize>>,
}

impl Lanes {
    /// Lanes on these logical processors, by physical core. `None` if they are several of one core.
    pub fn new(cores: Vec<Vec<u32>>) -> Option<Arc<Self>> {
        let allowed = sched_getaffinity(None).ok()?;
        (allowed.count() == 1 || cores.len() > 1).then(|| {
            Arc::new(Self {
                kept: Mutex::new(vec![0; cores.len()]),
                cores,
                allowed,
            })
        })
    }

    /// Picks a processor for a game refereed by this thread: on the current core, unless another core has fewer games.
    /// Returns the core's index, too.
    fn take(&self) -> Option<(usize, u32)> {
        let here = sched_getcpu() as u32;
        let mut kept = lock(&self.kept);
        let least = kept.iter().copied().min()?;
        let own = self.cores.iter().position(|core| core.contains(&here));
        let own = own.filter(|core| kept[*core] == least);
        let core = own.or_else(|| kept.iter().position(|count| *count == least))?;
        let cpus = &self.cores[core];
        let cpu = cpus.iter().find(|cpu| **cpu == here).or(cpus.first())?;
        kept[core] += 1;
        Some((core, *cpu))
    }

    fn is_one(&self) -> bool {
        self.allowed.count() == 1
    }

    fn give_back(&self, core: usize) {
        lock(&self.kept)[core] -= 1;
    }
}

/// The lane of one worker, which referees its games one after another in one thread.
#[derive(Debug)]
pub struct Lane {
    lanes: Arc<Lanes>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    bots: Vec<Member>,
    /// Consecutive quick answers so far, and the number needed to pin the game.
    streak: u32,
    needed: u32,
    core: Option<usize>,
}

#[derive(Debug)]
struct Member {
    bot: Pid,
    /// Root of a process tree that holds only the bot's processes, if there is one.
    tree_root: Option<Pid>,
}

impl Member {
    fn threads(&self) -> HashSet<Pid> {
        let mut processes = process_tree::descendants(self.tree_root.unwrap_or(self.bot));
        processes.push(self.bot);
        processes
            .into_iter()
            .flat_map(process_tree::tasks)
            .collect()
    }

    /// Whether the bot is a single thread with the default affinity.
    fn is_alone_on(&self, allowed: &CpuSet) -> bool {
        self.threads() == HashSet::from([self.bot])
            && sched_getaffinity(Some(self.bot)).is_ok_and(|set| set == *allowed)
    }

    /// Sets the affinity of all threads of the bot. Threads started while it was pinned have inherited its mask.
    fn set_affinity(&self, cpus: &CpuSet) {
        let mut done = HashSet::new();
        // A thread may have started another one just before its own reset, so the list is read again.
        for _ in 0..4 {
            let mut threads = self.threads();
            threads.retain(|thread| done.insert(*thread));
            if threads.is_empty() {
                return;
            }
            for thread in threads {
                let _ = sched_setaffinity(Some(thread), cpus);
            }
        }
    }
}

impl Lane {
    pub fn new(lanes: &Arc<Lanes>) -> Arc<Self> {
        Arc::new(Self {
            lanes: Arc::clone(lanes),
            state: Mutex::new(State {
                bots: Vec::new(),
                streak: 0,
                needed: STREAK,
                core: None,
            }),
        })
    }

    /// Releases the game before this thread starts a bot: children inherit its affinity.
    pub fn before_start(&self) {
        let mut state = lock(&self.state);
        self.let_go(&mut state);
        state.needed = STREAK;
    }

    pub(in crate::bot) fn join(&self, bot: Pid, tree_root: Option<Pid>) {
        lock(&self.state).bots.push(Member { bot, tree_root });
    }

    /// Adds a process that served elsewhere before. The game is released, so that all its processes are pinned together.
    pub(in crate::bot) fn join_late(&self, process: Pid, tree_root: Option<Pid>) {
        let mut state = lock(&self.state);
        self.let_go(&mut state);
        state.bots.push(Member {
            bot: process,
            tree_root,
        });
    }

    /// Releases the game: before a ply of both bots, and when an answer takes long.
    pub(in crate::bot) fn release(&self) {
        self.slow_down(&mut lock(&self.state));
    }

    /// Records an answer of a process that is no bot. A slow one releases the game: it computes.
    pub(in crate::bot) fn served(&self, took: Duration) {
        if took > QUICK {
            self.slow_down(&mut lock(&self.state));
        }
    }

    pub(in crate::bot) fn leave(&self, bot: Pid) {
        lock(&self.state).bots.retain(|member| member.bot != bot);
    }

    /// Records an answer after `took`, by a bot that used `idle_cpu` off turn.
    pub(in crate::bot) fn answered(&self, took: Duration, idle_cpu: Duration) {
        let mut state = lock(&self.state);
        if took > QUICK || idle_cpu > TIDY_UP {
            return self.slow_down(&mut state);
        }
        state.streak = state.streak.saturating_add(1);
        if state.core.is_none() && state.streak >= state.needed && !self.lanes.is_one() {
            self.keep(&mut state);
        }
    }

    /// Whether the game is pinned; then [`Lane::release`] must be called for an answer slower than [`LATE`].
    pub(in crate::bot) fn is_kept(&self) -> bool {
        lock(&self.state).core.is_some()
    }

    /// Whether bots that answer at once run on the processor of this thread.
    pub(in crate::bot) fn shares_processor(&self) -> bool {
        let state = lock(&self.state);
        state.core.is_some() || self.lanes.is_one() && state.streak >= STREAK
    }

    fn slow_down(&self, state: &mut State) {
        if state.core.is_some() {
            state.needed = if state.streak / LONG >= state.needed {
                STREAK
            } else {
                state.needed.saturating_mul(2)
            };
            self.let_go(state);
        }
        state.streak = 0;
    }

    /// Pins the game to one processor, unless a bot has threads, descendants or an affinity of its own choice.
    fn keep(&self, state: &mut State) {
        state.streak = 0;
        let allowed = &self.lanes.allowed;
        if !state.bots.iter().all(|bot| bot.is_alone_on(allowed)) {
            state.needed = state.needed.saturating_mul(2);
            return;
        }
        let Some((core, cpu)) = self.lanes.take() else {
            return;
        };
        state.core = Some(core);
        let mut one = CpuSet::new();
        one.set(cpu as usize);
        let processes = state
            .bots
            .iter()
            .map(|member| Some(member.bot))
            .chain([None]);
        // Another user's process cannot be pinned. Then none is, for good.
        if processes
            .map(|process| sched_setaffinity(process, &one))
            .any(|set| set.is_err())
        {
            self.let_go(state);
            state.needed = u32::MAX;
        }
    }

    fn let_go(&self, state: &mut State) {
        state.streak = 0;
        let Some(core) = state.core.take() else {
            return;
        };
        self.lanes.give_back(core);
        let allowed = &self.lanes.allowed;
        // The mask was allowed before, so the call does not fail.
        let _ = sched_setaffinity(None, allowed);
        for bot in &state.bots {
            bot.set_affinity(allowed);
        }
    }
}

/// Lets a process with its descendants run on these processors, or on all that this program has.
pub fn place(process: Pid, tree_root: Option<Pid>, cpus: &[u32]) {
    let mut set = CpuSet::new();
    cpus.iter().for_each(|cpu| set.set(*cpu as usize));
    if cpus.is_empty() {
        // The main thread is never pinned.
        match sched_getaffinity(Some(rustix::process::getpid())) {
            Ok(all) => set = all,
            Err(_) => return,
        }
    }
    let member = Member {
        bot: process,
        tree_root,
    };
    member.set_affinity(&set);
}

impl Drop for Lane {
    fn drop(&mut self) {
        if let Some(core) = lock(&self.state).core {
            self.lanes.give_back(core);
        }
    }
}

/// No code under these locks can panic, so a poisoned lock is still consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::machine::tests::Parent;

    fn count(process: Option<Pid>) -> u32 {
        sched_getaffinity(process).expect("it lives").count()
    }

    fn quick_answers(lane: &Lane, count: u32) {
        for _ in 0..count {
            lane.answered(Duration::from_micros(20), Duration::ZERO);
        }
    }

    /// Two bots on a lane, and the number of processors; `None` on a single processor.
    fn game() -> Option<(Arc<Lane>, [Parent; 2], u32)> {
        let all = sched_getaffinity(None).expect("this thread lives");
        if all.count() == 1 {
            println!("skipped: needs two processors");
            return None;
        }
        let cpus = (0..CpuSet::MAX_CPU).filter(|cpu| all.is_set(*cpu));
        let lanes = Lanes::new(cpus.map(|cpu| vec![cpu as u32]).collect())?;
        let lane = Lane::new(&lanes);
        let bots = [Parent::start(), Parent::start()];
        bots.iter().for_each(|bot| lane.join(bot.pid(), None));
        Some((lane, bots, all.count()))
    }

    #[test]
    fn on_one_processor_quick_answers_share_it_until_a_slow_one() {
        let all = sched_getaffinity(None).expect("this thread lives");
        let cpu = (0..CpuSet::MAX_CPU)
            .find(|cpu| all.is_set(*cpu))
            .expect("one");
        let mut one = CpuSet::new();
        one.set(cpu);
        sched_setaffinity(None, &one).expect("a processor of this program");
        let lanes = Lanes::new(vec![vec![cpu as u32]]).expect("one processor");
        let lane = Lane::new(&lanes);
        quick_answers(&lane, STREAK - 1);
        assert!(!lane.shares_processor());
        quick_answers(&lane, 1);
        assert_eq!([lane.shares_processor(), lane.is_kept()], [true, false]);
        lane.answered(2 * QUICK, Duration::ZERO);
        assert!(!lane.shares_processor());
        sched_setaffinity(None, &all).expect("the ones that it had");
    }

    #[test]
    fn quick_answers_in_a_row_put_a_game_on_a_processor_and_a_slow_one_ends_that() {
        let Some((lane, bots, all)) = game() else {
            return;
        };
        let counts = || [Some(bots[0].pid()), Some(bots[1].pid()), None].map(count);
        quick_answers(&lane, STREAK - 1);
        assert_eq!((lane.is_kept(), counts()), (false, [all; 3]));
        quick_answers(&lane, 1);
        assert_eq!((lane.is_kept(), counts()), (true, [1; 3]));
        let one = sched_getaffinity(None).expect("this thread lives");
        assert!(
            bots.iter()
                .all(|bot| sched_getaffinity(Some(bot.pid())) == Ok(one))
        );
        lane.release();
        assert_eq!((lane.is_kept(), counts()), (false, [all; 3]));
        quick_answers(&lane, 2 * STREAK - 1);
        assert!(!lane.is_kept(), "it takes twice as many now");
        quick_answers(&lane, 1);
        assert!(lane.is_kept());
        lane.answered(Duration::from_micros(20), Duration::from_millis(1));
        assert!(!lane.is_kept(), "a bot computed off turn");
        lane.before_start();
        quick_answers(&lane, STREAK);
        assert!(lane.is_kept(), "another bot begins anew");
        quick_answers(&lane, LONG * STREAK);
        lane.release();
        assert!(!lane.is_kept());
        quick_answers(&lane, STREAK);
        assert!(lane.is_kept(), "the last stay was long");
        lane.before_start();
        assert_eq!(counts(), [all; 3], "a bot inherits all processors");
    }

    #[test]
    fn a_process_that_joins_late_goes_with_the_game() {
        let Some((lane, bots, all)) = game() else {
            return;
        };
        let rules = Parent::start();
        let counts = || [Some(bots[0].pid()), Some(rules.pid()), None].map(count);
        quick_answers(&lane, STREAK);
        assert_eq!(counts(), [1, all, 1]);
        lane.join_late(rules.pid(), None);
        assert_eq!(counts(), [all; 3], "all are pinned together or not at all");
        quick_answers(&lane, STREAK);
        assert_eq!(counts(), [1; 3]);
        lane.served(QUICK);
        assert!(lane.is_kept());
        lane.served(QUICK + Duration::from_micros(1));
        assert_eq!(counts(), [all; 3], "it computes");
        quick_answers(&lane, 2 * STREAK);
        lane.release();
        assert_eq!(counts(), [all; 3], "both bots are to compute");
        quick_answers(&lane, 4 * STREAK);
        assert!(lane.is_kept());
        lane.leave(rules.pid());
        place(rules.pid(), None, &[]);
        assert_eq!(counts(), [1, all, 1]);
    }

    #[test]
    fn a_bot_with_descendants_is_not_kept_and_later_ones_are_let_go_with_it() {
        let Some((lane, mut bots, all)) = game() else {
            return;
        };
        quick_answers(&lane, STREAK);
        let child = bots[0].has_child();
        assert_eq!(count(Some(child)), 1, "it inherits the processor");
        lane.release();
        assert_eq!(count(Some(child)), all);
        quick_answers(&lane, 2 * STREAK);
        assert!(!lane.is_kept());
    }

    #[test]
    fn games_take_processors_of_their_own() {
        let Some((lane, _bots, _)) = game() else {
            return;
        };
        quick_answers(&lane, STREAK);
        let one = sched_getaffinity(None).expect("this thread lives");
        let lanes = Arc::clone(&lane.lanes);
        let other = Lane::new(&lanes);
        let bot = Parent::start();
        // Sets the affinity as if from the thread of another worker.
        sched_setaffinity(None, &lanes.allowed).expect("it may");
        sched_setaffinity(Some(bot.pid()), &lanes.allowed).expect("it may");
        other.join(bot.pid(), None);
        quick_answers(&other, STREAK);
        assert!(other.is_kept());
        assert_ne!(sched_getaffinity(Some(bot.pid())), Ok(one));
        drop(other);
        assert_eq!(lock(&lanes.kept).iter().sum::<usize>(), 1);
    }
}
