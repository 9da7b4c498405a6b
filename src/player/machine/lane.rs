//! The processor that a game keeps to while its bots answer at once.
//!
//! The thread that referees a game and its bots take turns. On one processor, a turn costs two switches
//! between processes. The system likes to spread them over idle processors, and then each turn waits
//! until two of these wake up, which takes several times as long.
//!
//! So a game whose bots answer at once is kept on one processor, by the affinity of its processes, which any of
//! them may do without. It is let go as soon as an answer takes long, or a bot computes while it is not
//! asked: whoever computes has all processors. A bot with threads or descendants is never kept.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

use super::{probe, process_tree};

/// Whoever takes longer than this to answer computes, or waits for its processor while another one may be
/// idle.
const QUICK: Duration = Duration::from_millis(1);

/// Whoever has not answered after this time is let go before the answer. Most kernels tick every 4 ms or more often. A
/// timer that is due before the next tick has to be set for each wait, which takes a virtual machine microseconds.
pub const LATE: Duration = Duration::from_millis(5);

/// What a bot may compute after an answer: it prints, and goes to sleep.
const TIDY_UP: Duration = Duration::from_micros(200);

/// How many quick answers in a row put a game on a processor. After each time that it was let go soon, it takes
/// twice as many.
const STREAK: u32 = 16;

/// A game is let go soon if it is before this many times the answers that put it on its processor. Later, it is more
/// likely that some other process was in its way.
const LONG: u32 = 4;

/// The processors for lanes.
#[derive(Debug)]
pub struct Lanes {
    /// The logical processors that this program may use, by physical core.
    cores: Vec<Vec<u32>>,
    /// All of them, as the system takes them.
    allowed: CpuSet,
    /// How many games each core keeps.
    kept: Mutex<Vec<usize>>,
}

impl Lanes {
    /// Lanes on these logical processors, by physical core. There are none where a game has no choice.
    pub fn new(cores: Vec<Vec<u32>>) -> Option<Arc<Self>> {
        let allowed = sched_getaffinity(None).ok()?;
        (allowed.count() > 1 && cores.len() > 1).then(|| {
            Arc::new(Self {
                kept: Mutex::new(vec![0; cores.len()]),
                cores,
                allowed,
            })
        })
    }

    /// Takes a processor for a game that is refereed by this thread: of the core that it is on, or if that
    /// keeps a game already, of one with the fewest. Returns the core's index, too.
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

    fn give_back(&self, core: usize) {
        lock(&self.kept)[core] -= 1;
    }
}

/// The lane of one worker, which referees one game after another in one thread.
#[derive(Debug)]
pub struct Lane {
    lanes: Arc<Lanes>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    bots: Vec<Member>,
    /// How many quick answers there were in a row, and how many it takes.
    streak: u32,
    needed: u32,
    /// The core on which the game is kept.
    core: Option<usize>,
}

/// A bot.
#[derive(Debug)]
struct Member {
    bot: Pid,
    /// The process that has the bot's whole tree below it and nothing else, if there is one.
    tree_root: Option<Pid>,
}

impl Member {
    /// All threads of the bot and its descendants.
    fn threads(&self) -> HashSet<Pid> {
        let mut processes = process_tree::descendants(self.tree_root.unwrap_or(self.bot));
        processes.push(self.bot);
        probe::threads(&processes)
            .filter_map(|thread| Pid::from_raw(thread.file_name().to_str()?.parse().ok()?))
            .collect()
    }

    /// Whether it is one thread, which may run on all of these processors.
    fn is_alone_on(&self, allowed: &CpuSet) -> bool {
        self.threads() == HashSet::from([self.bot])
            && sched_getaffinity(Some(self.bot)).is_ok_and(|set| set == *allowed)
    }

    /// Lets it run on all of these processors, with what it has started since it had one.
    fn let_go(&self, allowed: &CpuSet) {
        let mut done = HashSet::new();
        // A thread may have started another one just before its turn came.
        for _ in 0..4 {
            let mut threads = self.threads();
            threads.retain(|thread| done.insert(*thread));
            if threads.is_empty() {
                return;
            }
            for thread in threads {
                // Whoever has ended meanwhile needs no processor.
                let _ = sched_setaffinity(Some(thread), allowed);
            }
        }
    }
}

impl Lane {
    /// A lane for a worker.
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

    /// A bot is to be started by this thread, which hands its processors on.
    pub fn before_start(&self) {
        let mut state = lock(&self.state);
        self.let_go(&mut state);
        state.needed = STREAK;
    }

    /// A bot joins the game.
    pub(in crate::player) fn join(&self, bot: Pid, tree_root: Option<Pid>) {
        lock(&self.state).bots.push(Member { bot, tree_root });
    }

    /// A bot has left the game.
    pub(in crate::player) fn leave(&self, bot: Pid) {
        lock(&self.state).bots.retain(|member| member.bot != bot);
    }

    /// A bot has answered after `took`, and has used `idle_cpu` while it was not asked.
    pub(in crate::player) fn answered(&self, took: Duration, idle_cpu: Duration) {
        let mut state = lock(&self.state);
        if took > QUICK || idle_cpu > TIDY_UP {
            return self.slow_down(&mut state);
        }
        state.streak = state.streak.saturating_add(1);
        if state.core.is_none() && state.streak >= state.needed {
            self.keep(&mut state);
        }
    }

    /// Whether an answer that takes longer than [`LATE`] is to be told with [`Lane::is_late`].
    pub(in crate::player) fn is_kept(&self) -> bool {
        lock(&self.state).core.is_some()
    }

    /// An answer takes long: nobody shall miss a processor for it.
    pub(in crate::player) fn is_late(&self) {
        self.slow_down(&mut lock(&self.state));
    }

    /// After something that was not quick.
    fn slow_down(&self, state: &mut State) {
        if state.core.is_some() {
            state.needed = match state.streak / LONG >= state.needed {
                true => STREAK,
                false => state.needed.saturating_mul(2),
            };
            self.let_go(state);
        }
        state.streak = 0;
    }

    /// Keeps the game on one processor, unless a bot has threads, descendants or processors of its own choice.
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
        // Another user's process cannot be kept, and then none is.
        if processes
            .map(|process| sched_setaffinity(process, &one))
            .any(|set| set.is_err())
        {
            self.let_go(state);
            state.needed = u32::MAX;
        }
    }

    /// Gives everybody all processors.
    fn let_go(&self, state: &mut State) {
        state.streak = 0;
        let Some(core) = state.core.take() else {
            return;
        };
        self.lanes.give_back(core);
        let allowed = &self.lanes.allowed;
        // It was allowed before.
        let _ = sched_setaffinity(None, allowed);
        for bot in &state.bots {
            bot.let_go(allowed);
        }
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        if let Some(core) = lock(&self.state).core {
            self.lanes.give_back(core);
        }
    }
}

/// Nothing that is done under these locks can panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// A process that starts another one for each line that it is sent, and tells its number. It ends with its
    /// input.
    struct Parent {
        child: Child,
        children: Vec<Pid>,
    }

    impl Parent {
        fn start() -> Self {
            let child = Command::new("sh")
                .args(["-c", "while read -r line; do sleep 60 & echo $!; done"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("it starts");
            Self {
                child,
                children: Vec::new(),
            }
        }

        fn pid(&self) -> Pid {
            Pid::from_child(&self.child)
        }

        fn has_child(&mut self) -> Pid {
            let stdin = self.child.stdin.as_mut().expect("piped");
            stdin.write_all(b"go\n").expect("it reads");
            let mut line = String::new();
            let mut stdout = BufReader::new(self.child.stdout.as_mut().expect("piped"));
            stdout.read_line(&mut line).expect("it answers");
            let pid = Pid::from_raw(line.trim().parse().expect("a number")).expect("a number");
            self.children.push(pid);
            pid
        }
    }

    impl Drop for Parent {
        fn drop(&mut self) {
            for pid in self.children.iter().chain([&self.pid()]) {
                let _ = rustix::process::kill_process(*pid, rustix::process::Signal::KILL);
            }
            let _ = self.child.wait();
        }
    }

    fn count(process: Option<Pid>) -> u32 {
        sched_getaffinity(process).expect("it lives").count()
    }

    fn quick_answers(lane: &Lane, count: u32) {
        for _ in 0..count {
            lane.answered(Duration::from_micros(20), Duration::ZERO);
        }
    }

    /// Two bots on a lane, and how many processors there are, unless there is one only.
    fn game() -> Option<(Arc<Lane>, [Parent; 2], u32)> {
        let all = sched_getaffinity(None).expect("this thread lives");
        let cpus = (0..CpuSet::MAX_CPU).filter(|cpu| all.is_set(*cpu));
        let Some(lanes) = Lanes::new(cpus.map(|cpu| vec![cpu as u32]).collect()) else {
            println!("skipped: needs two processors");
            return None;
        };
        let lane = Lane::new(&lanes);
        let bots = [Parent::start(), Parent::start()];
        bots.iter().for_each(|bot| lane.join(bot.pid(), None));
        Some((lane, bots, all.count()))
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
        lane.is_late();
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
        lane.is_late();
        assert!(!lane.is_kept());
        quick_answers(&lane, STREAK);
        assert!(lane.is_kept(), "the last stay was long");
        lane.before_start();
        assert_eq!(counts(), [all; 3], "a bot inherits all processors");
    }

    #[test]
    fn a_bot_with_descendants_is_not_kept_and_later_ones_are_let_go_with_it() {
        let Some((lane, mut bots, all)) = game() else {
            return;
        };
        quick_answers(&lane, STREAK);
        let child = bots[0].has_child();
        assert_eq!(count(Some(child)), 1, "it inherits the processor");
        lane.is_late();
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
        // As from the thread of another worker.
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
