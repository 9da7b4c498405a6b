//! Checks whether a bot is fit for a tournament.
//!
//! [`check`] plays a few games of a bot against an opponent, replays some of them, and returns a [`Report`]: a
//! [`Finding`] for each [`Check`].

mod findings;
mod games;
mod observed;
pub mod rules;

use std::sync::Arc;
use std::time::Duration;

use games::{Extent, Observations};
use serde::Serialize;
use thiserror::Error;

use crate::bot::{CancelPipe, Confinement, Fault, Language, Launch, Supervisor};
use crate::clock::TimeControl;
use crate::config::PlannedGame;
use crate::referee::{PlayerFault, Void};

pub fn check(plan: &CheckPlan, progress: &mut dyn FnMut(Step)) -> Result<Report, CheckError> {
    let observations = games::play(plan, Extent::Games, progress)?;
    Ok(report(plan, observations))
}

/// Starts the bot of `plan` as often as [`check`] would before giving up, and requests no action. The report tells
/// whether it [cannot be loaded](Report::not_loaded).
pub fn load(plan: &CheckPlan) -> Result<Report, CheckError> {
    let observations = games::play(plan, Extent::Start, &mut |_| {})?;
    Ok(report(plan, observations))
}

fn report(plan: &CheckPlan, observations: Observations) -> Report {
    Report {
        findings: findings::findings(plan, &observations),
        not_loaded: findings::not_loaded(&observations),
        waits: observations.waits(),
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Game(u32),
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
    Opponent { detail: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Check {
    Handshake,
    Ready,
    Games,
    Clock,
    Memory,
    /// Plays identical games from equal seeds.
    Determinism,
    /// No game depends on an earlier one in its process.
    NextGame,
    OffTurn,
    Output,
    Quit,
    /// No process outlives the bot.
    Leftovers,
}

impl Check {
    /// All checks with their names, in the order of a bot's life and of the variants.
    pub const ALL: [(Self, &str); 11] = [
        (Self::Handshake, "handshake"),
        (Self::Ready, "ready"),
        (Self::Games, "games"),
        (Self::Clock, "clock"),
        (Self::Memory, "memory"),
        (Self::Determinism, "determinism"),
        (Self::NextGame, "next game"),
        (Self::OffTurn, "off turn"),
        (Self::Output, "output"),
        (Self::Quit, "quit"),
        (Self::Leftovers, "leftovers"),
    ];

    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// Outcome of a check, ordered from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    /// Not checked, since a precondition was not met.
    Skipped,
    Ok,
    /// Loses no game, and may surprise.
    Warn,
    Failed,
}

impl CheckVerdict {
    pub fn name(self) -> &'static str {
        match self {
            CheckVerdict::Skipped => "skipped",
            CheckVerdict::Ok => "ok",
            CheckVerdict::Warn => "warn",
            CheckVerdict::Failed => "failed",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// One finding for each of [`Check::ALL`], in that order.
    pub findings: Vec<Finding>,
    /// The check that every game failed before the first request for an action: the bot cannot be loaded.
    not_loaded: Option<Check>,
    /// Longest time that the bot waited for in an action without computing, where that cut the check short.
    pub waits: Option<Duration>,
    /// Details of contention, if the machine was too busy to play on. Not the bot's fault.
    pub too_busy: Option<String>,
}

impl Report {
    /// The finding that says why the bot cannot be loaded: it failed before its first action at every start. `None` if
    /// it got ready for a game, or the machine was too busy to tell.
    pub fn not_loaded(&self) -> Option<&Finding> {
        let check = self.not_loaded?;
        let mut findings = self.findings.iter();
        findings.find(|finding| finding.name == check.name())
    }

    pub fn verdict(&self) -> CheckVerdict {
        let verdicts = self.findings.iter().map(|finding| finding.verdict);
        verdicts.max().unwrap_or(CheckVerdict::Skipped)
    }
}

/// A line of a report: an observation, and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub name: &'static str,
    pub verdict: CheckVerdict,
    #[serde(rename = "seen")]
    pub words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The bot's last output, where that may explain a failure; escaped for a terminal.
    #[serde(rename = "wrote", skip_serializing_if = "Vec::is_empty")]
    pub last_lines: Vec<String>,
    #[serde(skip)]
    pub fault: Option<PlayerFault>,
}
