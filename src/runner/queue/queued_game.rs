//! A game of a queue, and what may become of it.

use crate::schedule::{Cut, Ticket};

/// A game to play.
#[derive(Debug, Clone)]
pub struct QueuedGame {
    /// Number of the game in the run.
    pub id: u64,
    /// Index of the game in the plan.
    pub game: usize,
    /// Players, block and round.
    pub ticket: Ticket,
    /// Whether it was void before.
    pub was_void: bool,
}

/// Selection of the games of a plan to play.
#[derive(Debug, Clone, Default)]
pub enum Portion {
    /// All games.
    #[default]
    All,
    /// Games of a shard, by the shard's number from 0. Pairings depend on no result.
    Shard(u32, Cut),
    /// Listed games.
    Listed(Vec<QueuedGame>),
}

/// A game of the journal that is not in the schedule, which may have another game under its number, given the
/// results before it.
#[derive(Debug, Clone, thiserror::Error)]
#[error("game {id} is in the journal, and the plan does not have that game between those players")]
pub struct UnfitGame {
    /// Its number.
    pub id: u64,
    /// The game of the schedule under this number.
    pub planned: Option<Box<QueuedGame>>,
}

/// Next step of the dispatcher.
#[derive(Debug)]
pub enum QueueStep {
    Play(QueuedGame),
    /// Wait until another game has ended.
    Wait,
    Done,
    Unfit(UnfitGame),
}
