//! Checks whether a bot is fit for a tournament.
//!
//! [`check`] plays a few games of a bot against an opponent, replays some of them, and returns a [`Report`]: a
//! [`Finding`] for each [`Check`]. A finding holds facts ([`Evidence`]); its verdict, text and hint are derived from
//! them.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::bot::{CancelPipe, Confinement, Fault, Launch, Supervisor};
use crate::clock::TimeControl;
use crate::config::PlannedGame;
use crate::referee::Void;

mod evidence;
mod findings;
mod games;
mod hints;
mod observed;
mod report;
mod finding_text;

use games::{Extent, Observations};

pub use evidence::{Evidence, Forfeit, GameLabel, Results};
pub use observed::Request;
pub use report::{Check, Finding, Report, Verdict};

/// The bot to check, and the conditions.
#[derive(Debug, Clone)]
pub struct CheckPlan {
    /// The game.
    pub game: PlannedGame,
    /// The bot.
    pub bot: Launch,
    /// The opponent: a bot that does not fail.
    pub opponent: Launch,
    /// The program that supervises both.
    pub supervisor: Supervisor,
    /// The bot's limits; its opponent has the default ones.
    pub confinement: Confinement,
    /// The time control of both players.
    pub time: TimeControl,
    /// Time limit for the handshake.
    pub handshake: Duration,
    /// Time limit for getting ready for a game.
    pub start: Duration,
    /// Time limit for exiting after `quit`, and for a late answer.
    pub quit: Duration,
    /// Number of games, half of them in each seat.
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
    /// The bot or its opponent could not be started.
    #[error(transparent)]
    Start(#[from] Fault),
    /// A game was void: it has no result.
    #[error(transparent)]
    Void(#[from] Void),
    /// The check was cancelled before the bot answered the handshake of its first game.
    #[error("the check was broken off before the bot answered the handshake")]
    NoHello,
    /// The opponent forfeited a game.
    #[error("the opponent failed: {detail}")]
    Opponent {
        /// The opponent's mistake.
        detail: String,
    },
}

/// Plays the games of `plan` and reports the findings. `progress` is called before each game.
///
/// # Errors
///
/// The machine fails, or the opponent forfeits a game. If the machine is too busy, the report covers the games played
/// so far.
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
