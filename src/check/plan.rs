//! The bot to check and the conditions, and why a check fails.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::bot::{CancelPipe, Confinement, Fault, Language, Launch, Supervisor};
use crate::clock::TimeControl;
use crate::config::PlannedGame;
use crate::referee::Void;

/// The bot to check, and the conditions.
#[derive(Debug, Clone)]
pub struct CheckPlan {
    /// The game.
    pub game: PlannedGame,
    /// The bot.
    pub bot: Launch,
    /// The bot's language.
    pub language: Language,
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
