//! Plays a whole plan: workers play games; one dispatcher hands them out, keeps the journal and emits events.
//!
//! Workers never touch the journal or the terminal. They send messages to the dispatcher, which handles one at
//! a time, in the thread of [`Tournament::play`]. Interrupts are messages too.

mod builds;
mod dispatch;
mod host;
mod queue;
mod tournament;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Builder, Scope};
use std::time::Duration;

pub use dispatch::{
    Audience, Bot, Completed, Interrupt, InterruptLevel, Starter, ending_signals,
    report_file_limits,
};
pub use host::{
    Demands, HIDDEN_CPU, Host, HostError, HostOptions, Machine, Placing, TierError, Turns,
    program_launches, tier_that_holds, turns_of,
};
pub use queue::{
    Fold, Portion, QueuedGame, ScheduleCheck, UnfitGame, check_against_schedule, count_games, fold,
    shard_sizes,
};
pub use tournament::{Bots, Programs, Tournament};

use crate::bot::{EngineTerms, Fault, Language, Launch, Patience, Player, variant};
use crate::clock::Wait;
use crate::config::{Entry, Plan};
use crate::game::RulesFault;
use crate::parallel::message;
use crate::protocol::{ToBot, VERSION};
use crate::referee::Void;
use crate::runs::{GameRow, RunFileError, SetAsideGame};
pub use crate::schedule::{Conclusion, GameCount, TestState, TuningProgress};

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    #[error(
        "the rules failed in {games} games in a row, each played twice, so the run was halted. The last time: {fault}"
    )]
    RulesKeepFailing {
        games: u32,
        #[source]
        fault: RulesFault,
    },
    #[error(
        "the build of `{player}` could not be run twice in a row, so the run was halted. The second time: \
         {cause}"
    )]
    Build {
        player: String,
        #[source]
        cause: io::Error,
    },
    #[error("the run was stopped {}; what was played is kept", games_left(*left, *broken_off))]
    Stopped {
        left: Option<u64>,
        broken_off: usize,
    },
    #[error(transparent)]
    UnfitGame(#[from] UnfitGame),
    #[error("a thread could not be started: {0}")]
    Thread(#[source] io::Error),
    #[error("a worker failed: {problem}")]
    WorkerFailed { problem: String },
    #[error("the schedule waits for games that nobody plays")]
    Stalled,
}

fn games_left(left: Option<u64>, broken_off: usize) -> String {
    let left = left.map_or("before its end".to_owned(), |left| {
        format!("with {left} games left to play")
    });
    match broken_off {
        0 => left,
        count => format!("{left}, {count} of them broken off"),
    }
}

#[derive(Debug)]
pub enum Event<'a> {
    Building {
        players: &'a [&'a str],
        command: &'a str,
    },
    /// A build failed: its player forfeits all games.
    Unbuilt {
        player: &'a str,
        problem: &'a str,
    },
    Begun {
        games: GameCount,
    },
    Finished(&'a GameRow),
    /// The game that has just [`Finished`](Self::Finished) as PGN, if the run writes it and keeps all logs.
    Pgn {
        id: u64,
        text: &'a str,
    },
    /// State of a sequential test: before the first game, and then just before each
    /// [`Finished`](Self::Finished).
    Tested {
        game: &'static str,
        test: TestState,
    },
    /// How far a tuning is: just before each [`Finished`](Self::Finished).
    Tuned(TuningProgress),
    Void {
        id: u64,
        cause: &'a VoidGame,
    },
    /// A game was void each time, the last times with the machine to itself: it is not played.
    SetAside(&'a SetAsideGame),
    /// No game has ended for a minute, and a turn without a clock may last so long.
    Lasting {
        in_play: usize,
        turn: Duration,
    },
    /// First interrupt: no more games begin.
    Stopping {
        in_play: usize,
    },
    /// Second interrupt: the games in play are broken off.
    BreakingOff {
        in_play: usize,
    },
    /// One of the plan's games is over, or its sequential test was stopped, and its format has a conclusion.
    Concluded {
        game: usize,
        conclusion: &'a Conclusion,
    },
}

#[derive(Debug, thiserror::Error)]
pub enum VoidGame {
    #[error("the bot of `{player}` could not be started: {fault}")]
    Start {
        player: String,
        #[source]
        fault: Fault,
    },
    #[error("`{player}` had less than {percent} % of the processor time that it wanted")]
    Short { player: String, percent: f64 },
    #[error(transparent)]
    Play(#[from] Void),
}

impl VoidGame {
    pub fn void(&self) -> Option<&Void> {
        match self {
            Self::Start { .. } | Self::Short { .. } => None,
            Self::Play(void) => Some(void),
        }
    }

    pub fn rules_fault(&self) -> Option<&RulesFault> {
        self.void()?.rules_fault()
    }
}

/// Starts a thread. On a panic, `failed` gets its message and the other threads continue.
fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: String,
    work: impl FnOnce() + Send + 'scope,
    failed: impl FnOnce(String) + Send + 'scope,
) -> Result<(), RunError> {
    let work = move || {
        // State left inconsistent by `work` is dropped with its thread.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            failed(message(panic.as_ref()));
        }
    };
    Builder::new()
        .name(name)
        .spawn_scoped(scope, work)
        .map_err(RunError::Thread)?;
    Ok(())
}

#[derive(Debug, thiserror::Error)]
#[error("player `{player}`: {problem}")]
pub struct UnfitEngine {
    pub player: String,
    /// The option that does not fit, or why the engine did not say its options.
    pub problem: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedEngines {
    /// All. One that does not answer is unfit.
    All,
    /// Engines with options, and all in games with variants. One that does not answer is passed over: it forfeits its games.
    WithOptions,
}

/// Starts each engine once and checks the options of all players that run it, and the variants of the games. An engine that is built first is not
/// asked.
pub fn check_engines(plan: &Plan, host: &Host, asked: AskedEngines) -> Result<(), UnfitEngine> {
    let games = plan.games.iter();
    let variants: Vec<String> = games.filter_map(|game| variant(&game.setup)).collect();
    let mut engines: Vec<(&Launch, Vec<usize>)> = Vec::new();
    for (index, entry) in plan.players.iter().enumerate() {
        if !is_asked(entry, asked, !variants.is_empty()) {
            continue;
        }
        match engines.iter_mut().find(|(known, players)| {
            let protocol = |player: &Entry| Some(player.language.engine()?.protocol);
            **known == entry.launch && protocol(&plan.players[players[0]]) == protocol(entry)
        }) {
            Some((_, players)) => players.push(index),
            None => engines.push((&entry.launch, vec![index])),
        }
    }
    engines
        .iter()
        .try_for_each(|(_, players)| check_engine(plan, host, players, &variants, asked))
}

fn is_asked(entry: &Entry, asked: AskedEngines, are_variants: bool) -> bool {
    let terms = entry.language.engine();
    let has_options = terms.is_some_and(|terms| !terms.options.is_empty());
    let is_checked = has_options || are_variants || asked == AskedEngines::All;
    entry.build.is_none() && terms.is_some() && is_checked
}

fn check_engine(
    plan: &Plan,
    host: &Host,
    players: &[usize],
    variants: &[String],
    asked: AskedEngines,
) -> Result<(), UnfitEngine> {
    let unfit = |player: usize, problem: String| UnfitEngine {
        player: plan.players[player].name.clone(),
        problem,
    };
    let first = players[0];
    let limits = plan.limits_of(first);
    let Some(terms) = plan.players[first].language.engine() else {
        return Ok(());
    };
    let without_options = Language::Engine(EngineTerms::new(terms.protocol));
    let asked_for_options = host
        .start(plan, first, None, 0, Patience::Long)
        .and_then(|engine| {
            let mut engine = engine.speaking(&without_options, Default::default());
            let wait = Wait {
                wall: limits.handshake,
                cpu: None,
            };
            engine.tell(&ToBot::Hello { version: VERSION });
            engine.request();
            let answered = engine.answer(wait, &mut String::new());
            engine.dismiss();
            engine.close(limits.quit);
            answered.map(|_| engine)
        });
    let engine = match asked_for_options {
        Ok(engine) => engine,
        Err(Fault::Machine(_) | Fault::Starved { .. }) => return Ok(()),
        Err(fault) if asked == AskedEngines::All => return Err(unfit(first, fault.to_string())),
        Err(_) => return Ok(()),
    };
    for player in players {
        for entry in plan.extremes(*player) {
            let terms = entry.language.engine();
            if let Some(problem) = terms.and_then(|terms| engine.unfit_option(terms, variants)) {
                return Err(unfit(*player, problem));
            }
        }
    }
    Ok(())
}
