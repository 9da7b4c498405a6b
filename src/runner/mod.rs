//! Plays a whole plan: workers play games; one dispatcher hands them out, keeps the journal and emits events.
//!
//! Workers never touch the journal or the terminal. They send messages to the dispatcher, which handles one at
//! a time, in the thread of [`run`]. Interrupts are messages too.

use std::sync::mpsc::channel;
use std::thread;

use crate::bot::supervise::end_idle_shims;
use crate::bot::{Fault, Patience, Player};
use crate::config::Plan;
use crate::referee::Participant;
use crate::runs::{DoneGames, RunFolder};
pub use crate::schedule::{Conclusion, GameCount};

mod builds;
mod dispatch;
mod error;
mod event;
mod host;
mod queue;
mod threads;

pub use dispatch::{Audience, Interrupt, InterruptLevel, VoidGame, report_file_limits};
use dispatch::{Dispatcher, WorkerContext, spawn_worker};
pub use error::RunError;
pub use event::Event;
pub use host::{
    Demands, Host, HostError, HostOptions, HostWarning, MachineWarning, Placing, TierError,
    program_launches, tier_that_holds,
};
use queue::GameQueue;
pub use queue::{
    Fold, MisjudgedGame, Portion, QueuedGame, ScheduleCheck, UnfitGame, UnplannedGame,
    check_against_schedule, fold, sample_games,
};

/// A started bot, or a test double.
pub type Bot = Box<Participant<dyn Player>>;

/// Starts a bot, given the index of its player in the plan and the number of its worker. A fault tells whether
/// the bot or the machine is to blame.
pub type Starter<'a> = &'a (dyn Fn(usize, usize, Patience) -> Result<Bot, Fault> + Sync);

/// Outcome of a run that came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completed {
    /// Number of games set aside, because they were void each time.
    pub set_aside: usize,
}

/// Number of games in a run of `plan`.
pub fn count_games(plan: &Plan) -> GameCount {
    count_portion(plan, Portion::All)
}

/// Number of games in a portion of `plan`.
pub fn count_portion(plan: &Plan, portion: Portion) -> GameCount {
    GameQueue::of_portion(plan, portion, DoneGames::default()).count()
}

/// Plays all games of `plan` on `host` into `folder` until interrupted, each bot in its own process. A void
/// game is played again alone, and set aside if it is void once more.
///
/// # Errors
///
/// The run ended before all games were played. Finished games are in the folder.
pub fn run(
    plan: &Plan,
    host: &Host,
    folder: &mut RunFolder,
    interrupt: &Interrupt,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<Completed, RunError> {
    let start = processes(plan, host, interrupt);
    run_with(&start, plan, host, folder, interrupt, listen)
}

/// Starts the bots of a plan, each in a process of its own.
fn processes<'a>(
    plan: &'a Plan,
    host: &'a Host,
    interrupt: &'a Interrupt,
) -> impl Fn(usize, usize, Patience) -> Result<Bot, Fault> + Sync + 'a {
    move |player, worker, patience| {
        let process = host.start(plan, player, worker, patience)?;
        let player = process.cancelled_by(interrupt.cancel_pipe());
        Ok(Box::new(Participant::new(player)) as Bot)
    }
}

/// Builds the programs of a plan. Returns the reason of each failure, by the index of the player.
///
/// # Errors
///
/// A build could not be run, or the folder cannot be written.
pub fn build(
    plan: &Plan,
    host: &Host,
    folder: &mut RunFolder,
    interrupt: &Interrupt,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<Vec<Option<String>>, RunError> {
    builds::build_all(plan, host, folder, interrupt, listen)
}

/// Plays a portion of the games of `plan` like [`run`]. Programs are built already, except those with a reason
/// in `unbuilt`.
///
/// # Errors
///
/// See [`run`].
pub fn run_portion(
    portion: Portion,
    unbuilt: &[Option<String>],
    plan: &Plan,
    host: &Host,
    folder: &mut RunFolder,
    interrupt: &Interrupt,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<Completed, RunError> {
    let mut queue = GameQueue::of_portion(plan, portion, folder.take_done());
    let context = WorkerContext {
        plan,
        seed: folder.seed(),
        start: &processes(plan, host, interrupt),
        unbuilt,
        interrupt,
        audience: None,
    };
    play_queue(&mut queue, context, host, folder, listen)
}

/// Plays all games of `plan` like [`run`], with bots from `start`.
///
/// # Errors
///
/// See [`run`].
pub fn run_with(
    start: Starter<'_>,
    plan: &Plan,
    host: &Host,
    folder: &mut RunFolder,
    interrupt: &Interrupt,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<Completed, RunError> {
    run_before(None, start, plan, host, folder, interrupt, listen)
}

/// Plays all games of `plan` like [`run_with`], with an optional audience.
///
/// # Errors
///
/// See [`run`].
pub fn run_before(
    audience: Option<&dyn Audience>,
    start: Starter<'_>,
    plan: &Plan,
    host: &Host,
    folder: &mut RunFolder,
    interrupt: &Interrupt,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<Completed, RunError> {
    let mut queue = GameQueue::of_portion(plan, Portion::All, folder.take_done());
    let unbuilt = if queue.is_over() {
        vec![None; plan.players.len()]
    } else {
        build(plan, host, folder, interrupt, listen)?
    };
    if let Some((game, test)) = queue.current_test() {
        let game = plan.games[game].game().name();
        listen(&Event::Tested { game, test });
    }
    let context = WorkerContext {
        plan,
        seed: folder.seed(),
        start,
        unbuilt: &unbuilt,
        interrupt,
        audience,
    };
    let completed = play_queue(&mut queue, context, host, folder, listen);
    // A stopped test also has a likelihood ratio to report.
    for (game, conclusion) in queue.conclusions() {
        listen(&Event::Concluded {
            game,
            conclusion: &conclusion,
        });
    }
    completed
}

/// Plays the games of a queue, with one thread per worker.
fn play_queue(
    queue: &mut GameQueue,
    context: WorkerContext<'_>,
    host: &Host,
    folder: &mut RunFolder,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<Completed, RunError> {
    listen(&Event::Begun {
        games: queue.count(),
    });
    let WorkerContext {
        plan, interrupt, ..
    } = context;
    let completed = thread::scope(|scope| {
        let (sender, messages) = channel();
        let mut workers = Vec::new();
        for index in 0..host.jobs.get() {
            let tell = sender.clone();
            workers.push(spawn_worker(scope, context, index, folder.logs(), tell)?);
        }
        let connection = interrupt.connect(sender);
        let messages = (connection, messages);
        Dispatcher::new(plan, queue, folder, interrupt, listen, messages, workers).run()
    });
    // Idle shims are kept for reuse within a run; a process that goes on must not leak them.
    end_idle_shims();
    completed
}
