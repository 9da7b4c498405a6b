//! Checks whether a bot is fit for a tournament.
//!
//! [`check`] plays a few games of a bot against an opponent, replays some of them, and returns a [`Report`]: a
//! [`Finding`] for each [`Check`]. A finding holds facts ([`Evidence`]); its verdict, text and hint are derived from
//! them.

mod evidence;
mod findings;
mod games;
mod report;
pub mod rules;

use std::sync::Arc;
use std::time::Duration;

pub use evidence::{Evidence, ForfeitedGame, GameLabel, Request, Results};
use games::{Extent, Observations};
pub use report::{Check, CheckVerdict, Finding, Report};
use thiserror::Error;

use crate::bot::{
    CancelPipe, Confinement, Fault, Language, LateAnswer, LateCause, Launch, Supervisor, seconds,
};
use crate::clock::TimeControl;
use crate::config::PlannedGame;
use crate::referee::{FaultKind, Void};
use crate::text::excerpt;

/// Plays the games of `plan` and reports the findings. `progress` is called before each game.
pub fn check(plan: &CheckPlan, progress: &mut dyn FnMut(Step)) -> Result<Report, CheckError> {
    let observations = games::play(plan, Extent::Games, progress)?;
    Ok(report(plan, observations))
}

/// Starts the bot of `plan` as often as [`check`] would before giving up, and requests no action. The report tells
/// whether it [cannot be loaded](Report::not_loaded).
///
/// # Errors
///
/// Those documented at [`check`].
pub fn load(plan: &CheckPlan) -> Result<Report, CheckError> {
    let observations = games::play(plan, Extent::Start, &mut |_| {})?;
    Ok(report(plan, observations))
}

fn report(plan: &CheckPlan, observations: Observations) -> Report {
    Report {
        findings: findings::findings(plan, &observations),
        not_loaded: findings::not_loaded(&observations),
        too_busy: observations.too_busy,
    }
}

#[derive(Debug, Clone)]
pub struct CheckPlan {
    pub game: PlannedGame,
    pub bot: Launch,
    pub language: Language,
    /// The opponent: a bot that does not fail.
    pub opponent: Launch,
    /// The program that supervises both.
    pub supervisor: Supervisor,
    /// The bot's limits; its opponent has the default ones.
    pub confinement: Confinement,
    pub time: TimeControl,
    pub handshake: Duration,
    /// Time limit for getting ready for a game.
    pub start: Duration,
    /// Time limit for exiting after `quit`, and for a late answer.
    pub quit: Duration,
    /// Number of games, as many in each seat.
    pub games: u32,
    /// Master seed for the bots' seeds and the games' randomness.
    pub seed: u64,
    /// Aborts the check once cancelled; the current game is void.
    pub cancel: Option<Arc<CancelPipe>>,
}

/// The next game, for progress reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The game with this number, from 1.
    Game(u32),
    /// The replay of the game with this number.
    Again(u32),
}

/// Why a bot could not be checked. Never the bot's fault.
#[derive(Debug, Error)]
pub enum CheckError {
    #[error(transparent)]
    Start(#[from] Fault),
    #[error(transparent)]
    Void(#[from] Void),
    #[error("the check was broken off before the bot answered the handshake")]
    NoHello,
    #[error("the opponent failed: {detail}")]
    Opponent {
        /// The opponent's mistake.
        detail: String,
    },
}

/// Maximum characters of a quoted answer.
const EXCERPT: usize = 60;

const FLUSH: &str = "flush after every line: print(..., flush=True) or python3 -u, \
                     fflush(stdout), std::endl, System.out.flush()";

impl Finding {
    /// Remedy for a finding that failed or warns.
    pub fn hint(&self) -> Option<String> {
        let hint = match &self.evidence {
            Evidence::Forfeit(forfeit) => return hint_for(forfeit),
            _ if self.verdict() < CheckVerdict::Warn => return None,
            Evidence::Hello { .. } | Evidence::Ready { .. } | Evidence::SlowestAction { .. } => {
                "more than half of the limit: on a busy machine it may take twice as long and forfeit"
            }
            Evidence::Repeated { .. } if self.check == Check::NextGame => {
                "forget the game before at `start`: the bot kept something from it; if it must, enter \
                 the bot with fresh-process = true"
            }
            Evidence::Repeated { .. } => {
                "draw all randomness from the seed in `start`; a search that stops by the clock \
                 differs too. This loses no game, but a lost game cannot be reproduced"
            }
            Evidence::OffTurn { .. } => "it forfeits in a tournament with off-turn = \"forbid\"",
            Evidence::UnaskedLine { .. } => {
                "answer `referee`, `start` and `act` only; `did` and `end` want no answer"
            }
            Evidence::DebugOutput { .. } => {
                "write less: a tournament keeps a limited amount of each game, by default 256 KiB"
            }
            Evidence::Killed { .. } => {
                "exit at `quit` or at the end of the input, which follows at once; nobody reads what \
                 the bot writes after that"
            }
            Evidence::Leftovers { survivors: 0, .. } => {
                "before the bot exits, let it wait for the processes that it started"
            }
            Evidence::Leftovers { .. } => "look for them by hand; the machine may be stuck",
            Evidence::Missing { .. }
            | Evidence::Results(_)
            | Evidence::PeakMemory { .. }
            | Evidence::Exited => return None,
        };
        Some(hint.to_owned())
    }
}

fn hint_for(forfeit: &ForfeitedGame) -> Option<String> {
    let hint = match forfeit.fault.kind {
        FaultKind::Late => {
            return Some(hint_for_late(forfeit.late_answer.as_ref(), forfeit.request));
        }
        FaultKind::Exited | FaultKind::HungUp => {
            "what it wrote last usually says why; `referee play` with it shows the same"
        }
        FaultKind::OutOfTurn | FaultKind::LineTooLong | FaultKind::Flood | FaultKind::NotText => {
            "standard output is for answers alone: write debug output to standard error, or begin \
             such lines with #"
        }
        FaultKind::NotStarted | FaultKind::NotBuilt | FaultKind::Left => return None,
        FaultKind::NoAction => {
            "the adapter or bridge in the bot's command says this of the program behind it; its README \
             says what that program may answer"
        }
        FaultKind::Memory => "hold less at a time, or ask for a higher limit",
        FaultKind::CpuSpent => {
            "stop thinking in time: look at a clock of processor time in the search \
             (time.process_time(), clock()), which all threads and child processes share; an endless loop \
             ends here too"
        }
        FaultKind::OffTurn | FaultKind::DelayedOpponent => {
            "compute only when the bot is asked to act"
        }
        FaultKind::Uncounted => "make the programs that the bot starts readable: chmod +r",
        FaultKind::BadHello => {
            "the first line on standard output must be the answer to `referee 1`: nothing may be \
             printed before it, not even by an import"
        }
        FaultKind::Refused => {
            "the engine has to take each command of the game; docs/engines.md lists them"
        }
        FaultKind::NotReady => "answer `start ...` with the single word ready",
        FaultKind::Overrun => "stop thinking in time, with a margin for a busy machine",
        FaultKind::Illegal => {
            "follow the `did` lines, your own actions among them; docs/rules has the rules, \
             and `referee position` lists the legal actions"
        }
        FaultKind::NotAnAction => {
            "an answer is one action and nothing else, in the notation of docs/protocol.md"
        }
    };
    Some(hint.to_owned())
}

fn hint_for_late(answer: Option<&LateAnswer>, request: Option<Request>) -> String {
    let advice = match request {
        Some(Request::Hello | Request::Start) => {
            "if loading takes long, load after the answer, or ask for a higher limit"
        }
        _ => "stop thinking in time, with a margin for a busy machine",
    };
    let Some(LateAnswer { line, late, cause }) = answer else {
        return format!("{advice}; if the bot did answer, {FLUSH}");
    };
    let line = excerpt(line, EXCERPT);
    match cause {
        LateCause::Buffered => format!(
            "`{line}` came when its input was closed: the answer lay in its buffer; {FLUSH}"
        ),
        LateCause::Unended => {
            format!("`{line}` came without a line end: end each line with a newline, and flush it")
        }
        LateCause::Slow => format!(
            "`{line}` came {} after the limit: the bot is too slow; {advice}",
            seconds(*late)
        ),
    }
}
