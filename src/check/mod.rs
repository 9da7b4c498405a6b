//! Is a bot fit for a tournament?
//!
//! [`check`] plays a few games of a bot against an opponent, plays some of them again, and returns a
//! [`Report`]: a [`Finding`] for each [`Check`]. A finding holds facts ([`Evidence`]); its verdict,
//! its words and its hint follow from them.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::clock::TimeControl;
use crate::config::PlannedGame;
use crate::player::{CancelPipe, Confinement, Fault, Launch, Supervisor};
use crate::referee::Void;

mod evidence;
mod findings;
mod games;
mod hints;
mod observed;
mod report;
mod words;

use games::{Extent, Observations};

pub use evidence::{Evidence, Forfeit, GameLabel, Results};
pub use observed::Request;
pub use report::{Check, Finding, Report, Verdict};

/// Which bot is checked, and under which conditions.
#[derive(Debug, Clone)]
pub struct CheckPlan {
    /// The game.
    pub game: PlannedGame,
    /// The bot.
    pub bot: Launch,
    /// Who plays against it: a bot that does not fail.
    pub opponent: Launch,
    /// The program that supervises both.
    pub supervisor: Supervisor,
    /// The limits of the bot; its opponent has the default ones.
    pub confinement: Confinement,
    /// The time control of both.
    pub time: TimeControl,
    /// How long the bot may take to answer the handshake.
    pub handshake: Duration,
    /// How long it may take to get ready for a game.
    pub start: Duration,
    /// How long the bot may take to exit after `quit`, and how long a late answer is waited for.
    pub quit: Duration,
    /// How many games are played, half of them in each seat.
    pub games: u32,
    /// The seed from which the seeds of the bots and all chance of the games come.
    pub seed: u64,
    /// Breaks the check off once it is cancelled: then a game is void.
    pub cancel: Option<Arc<CancelPipe>>,
}

/// A game that is about to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The game of this number, from 1.
    Game(u32),
    /// The game of this number a second time.
    Again(u32),
}

/// Why a bot could not be checked. It is not the bot's fault.
#[derive(Debug, Error)]
pub enum CheckError {
    /// The bot or its opponent could not be started.
    #[error(transparent)]
    Start(#[from] Fault),
    /// A game was void.
    #[error(transparent)]
    Void(#[from] Void),
    /// The check was broken off while the bot was asked for the handshake of its first game.
    #[error("the check was broken off before the bot answered the handshake")]
    NoHello,
    /// The opponent forfeited a game.
    #[error("the opponent failed: {detail}")]
    Opponent {
        /// What it did wrong.
        detail: String,
    },
}

/// Plays the games of `plan` and reports what was seen of the bot. `progress` is told of each game
/// before it is played.
///
/// # Errors
///
/// If the machine fails, or the opponent forfeits a game. On a machine that is too busy there is a report
/// of what was seen.
pub fn check(plan: &CheckPlan, progress: &mut dyn FnMut(Step)) -> Result<Report, CheckError> {
    let observations = games::play(plan, Extent::Games, progress)?;
    Ok(report(plan, observations))
}

/// Starts the bot of `plan` as often as [`check`] would before it gave up, and asks it for no action. The report tells
/// whether it [cannot be loaded](Report::not_loaded).
///
/// # Errors
///
/// As of [`check`].
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
