//! Messages between the dispatcher, its workers and interrupts.

use std::sync::mpsc::Sender;

use crate::runner::event::VoidGame;
use crate::runner::queue::QueuedGame;
use crate::runs::{GameRow, RunFileError};

/// Task of a worker.
pub enum Task {
    /// Play this game.
    Play(QueuedGame),
    /// Close the bots kept for the next game, then drop this sender.
    CloseBots(Sender<()>),
}

/// Message to the dispatcher.
pub enum Message {
    /// A worker has finished its game.
    GameEnded {
        worker: usize,
        game: QueuedGame,
        report: Result<GameReport, RunFileError>,
    },
    /// A worker panicked, and its thread has ended.
    WorkerFailed { worker: usize, problem: String },
    /// The run was interrupted.
    Interrupted,
}

/// A game that ended.
pub struct FinishedGame {
    pub row: GameRow,
    /// Time of the rules program for each ply, in microseconds; empty where the rules are none.
    pub rules_us: Vec<u64>,
    /// The game as PGN, if the run writes it.
    pub pgn: Option<String>,
}

/// Outcome of a game.
pub enum GameReport {
    Finished(Box<FinishedGame>),
    Void(VoidGame),
    /// The run was interrupted before the game ended.
    BrokenOff,
}
