//! Plays a whole plan: workers that play games, and one dispatcher that hands them out, keeps the
//! journal and tells what happens.
//!
//! Workers never touch the journal or the terminal. They send what they did to the dispatcher,
//! which handles one message at a time, in the thread of [`run`].

use std::fmt::{self, Display};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::config::Plan;
use crate::player::{Fault, Player};
use crate::record::{DoneGames, GameRow, RecordError, RunFolder};
use crate::referee::Participant;
use crate::schedule::Conclusion;

mod builds;
mod dispatch;
mod host;
mod game_queue;
mod machine;
mod schedule_check;
mod seeds;
mod stop;
mod worker;

use dispatch::dispatch;
use game_queue::GameQueue;
pub use game_queue::{QueuedGame, UnplannedGame};
pub use host::{Host, HostError, HostOptions, HostWarning, TierError};
pub use machine::MachineWarning;
pub use schedule_check::check_against_schedule;
pub use seeds::{Seeds, Start};
pub use stop::Stop;
pub use worker::VoidGame;
use worker::{GameReport, Worker};

/// Something that happened in a run.
#[derive(Debug)]
pub enum Event<'a> {
    /// A program is built, before the first game.
    Building {
        /// The names of the players whose program it is.
        players: &'a [&'a str],
        /// The command that makes it.
        command: &'a str,
    },
    /// A program could not be built: its player forfeits its games.
    Unbuilt {
        /// The player's name.
        player: &'a str,
        /// What went wrong.
        problem: &'a str,
    },
    /// The run begins.
    Begun {
        /// How many games there are to play, where that does not depend on results.
        games: Option<u64>,
    },
    /// A game ended and is in the journal.
    Finished(&'a GameRow),
    /// A game was void and will be played again.
    Void {
        /// The number of the game.
        id: u64,
        /// Why it was void.
        cause: &'a VoidGame,
    },
    /// The run was told to stop: no game is begun any more.
    Stopping {
        /// How many games are played to their end.
        in_play: usize,
    },
    /// The run was told to stop at once: the games in play are broken off.
    BreakingOff {
        /// How many there are.
        in_play: usize,
    },
    /// All games of one of the plan's games are over, and its format has something to say.
    Concluded {
        /// The name of the game.
        game: &'static str,
        /// What it says.
        conclusion: &'a Conclusion,
        /// The names of the players, by index.
        players: &'a [&'a str],
    },
}

/// Why a run ended before all games were played.
#[derive(Debug)]
pub enum RunError {
    /// The run's folder could not be written.
    Record(RecordError),
    /// A game was void twice in a row: something is wrong with the machine or a command.
    Halted {
        /// The number of the game.
        id: u64,
        /// Why it was void the second time.
        cause: VoidGame,
    },
    /// The machine failed twice in a row at a build.
    Build {
        /// The player whose program was to be made.
        player: String,
        /// What went wrong the second time.
        detail: String,
    },
    /// It was told to stop.
    Stopped {
        /// How many games were not played, where that is known.
        left: Option<u64>,
        /// How many of them were broken off.
        broken_off: usize,
    },
    /// The journal of a run that went on has a game that does not belong there.
    UnplannedGame(UnplannedGame),
    /// A thread could not be started, or it failed.
    Worker(String),
}

impl Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(error) => error.fmt(f),
            Self::Halted { id, cause } => write!(
                f,
                "game {id} was void twice in a row, the second time with no other game in play, so the \
                 run was halted; what was played is kept. The second time: {cause}"
            ),
            Self::Build { player, detail } => write!(
                f,
                "the build of `{player}` could not be run twice in a row, so the run was halted. The second \
                 time: {detail}"
            ),
            Self::Stopped { left, broken_off } => {
                match left {
                    Some(left) => write!(f, "the run was stopped with {left} games left to play")?,
                    None => f.write_str("the run was stopped before its end")?,
                }
                if *broken_off > 0 {
                    write!(f, ", {broken_off} of them broken off")?;
                }
                f.write_str("; what was played is kept")
            }
            Self::UnplannedGame(game) => game.fmt(f),
            Self::Worker(problem) => write!(f, "a worker failed: {problem}"),
        }
    }
}

impl std::error::Error for RunError {}

/// What the dispatcher asks of a worker.
enum Errand {
    /// To play a game, and to tell what became of it.
    Play(QueuedGame),
    /// To send its waiting bots away, and to tell when that is done by closing this.
    Rest(Sender<()>),
}

/// What a worker tells the dispatcher of a game.
struct Report {
    worker: usize,
    game: QueuedGame,
    played: Result<GameReport, RecordError>,
}

fn of_plan(plan: &Plan, done: DoneGames) -> GameQueue {
    GameQueue::new(&plan.format, plan.players.len(), plan.games.len(), done)
}

/// How many games a run of `plan` has, where that does not depend on results.
pub fn total_games(plan: &Plan) -> Option<u64> {
    of_plan(plan, DoneGames::default()).total()
}

/// Starts the bot of a player, by its index in the plan, for the worker of a number. The fault says whether the bot or the
/// machine is to blame if there is none.
pub type Starter<'a> =
    &'a (dyn Fn(usize, usize) -> Result<Box<Participant<dyn Player>>, Fault> + Sync);

/// Plays all games of `plan` on `host` into `folder`, each bot in a process of its own, for as long as nobody says `stop`.
pub fn run(
    plan: &Plan,
    host: &Host,
    folder: &mut RunFolder,
    stop: &Stop,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<(), RunError> {
    let start = |player: usize, worker: usize| {
        let process = host.start(plan, player, worker)?;
        Ok(
            Box::new(Participant::new(process.cancelled_by(stop.cancel_pipe())))
                as Box<Participant<dyn Player>>,
        )
    };
    run_with(&start, plan, host, folder, stop, listen)
}

/// Plays all games of `plan` like [`run`], between bots that `start` gives.
pub fn run_with(
    start: Starter<'_>,
    plan: &Plan,
    host: &Host,
    folder: &mut RunFolder,
    stop: &Stop,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<(), RunError> {
    let mut queue = of_plan(plan, folder.take_done());
    let unbuilt = match queue.is_over() {
        true => vec![None; plan.players.len()],
        false => builds::build_all(plan, host, folder, stop, listen)?,
    };
    listen(&Event::Begun {
        games: queue.total(),
    });
    thread::scope(|scope| {
        let (report, reports) = channel();
        let mut desks = Vec::new();
        for index in 0..host.jobs.get() {
            let (desk, errands) = channel();
            let report = report.clone();
            let logs = folder.logs();
            let unbuilt = unbuilt.as_slice();
            let work = move || {
                let mut worker = Worker::new(plan, index, (start, unbuilt), logs, stop);
                work(&mut worker, index, &errands, &report);
            };
            thread::Builder::new()
                .name(format!("worker-{index}"))
                .spawn_scoped(scope, work)
                .map_err(|error| RunError::Worker(error.to_string()))?;
            desks.push(desk);
        }
        drop(report);
        dispatch(&mut queue, folder, &desks, &reports, stop, listen)
    })?;
    let players: Vec<&str> = plan
        .players
        .iter()
        .map(|entry| entry.name.as_str())
        .collect();
    for (game, conclusion) in queue.conclusions() {
        listen(&Event::Concluded {
            game: plan.games[game].game().name(),
            conclusion: &conclusion,
            players: &players,
        });
    }
    Ok(())
}

fn work(
    worker: &mut Worker<'_>,
    index: usize,
    errands: &Receiver<Errand>,
    reports: &Sender<Report>,
) {
    for errand in errands {
        let game = match errand {
            Errand::Play(game) => game,
            Errand::Rest(done) => {
                worker.rest();
                drop(done);
                continue;
            }
        };
        let report = Report {
            worker: index,
            game,
            played: worker.play(&game),
        };
        if reports.send(report).is_err() {
            break;
        }
    }
}
