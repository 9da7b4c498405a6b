//! A game of a queue, and what may become of it.

use crate::game::PerSeat;
use crate::referee::Termination;
use crate::schedule::{Cut, Streak, Ticket};

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

/// A game of the journal that contradicts the plan.
#[derive(Debug, Clone, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum UnfitGame {
    /// It is not in the schedule, which may have another game under its number, given the results before it.
    #[error(
        "game {id} is in the journal, and the plan does not have that game between those players"
    )]
    Unplanned {
        id: u64,
        planned: Option<Box<QueuedGame>>,
    },
    /// It was played but has to be forfeited unplayed, or the reverse.
    #[error(
        "game {id} {}, and by `hopeless-after` and the games before it {}",
        if *is_unplayed { "was forfeited unplayed" } else { "was played" },
        if *is_unplayed { "it is played, or another player forfeits it" } else { "it is forfeited unplayed" }
    )]
    Misjudged { id: u64, is_unplayed: bool },
}

/// Failure streak of each hopeless player, by seat; `None` for a player that plays.
pub type Hopeless = PerSeat<Option<Streak<Termination>>>;

/// Verdict on a game by `hopeless-after`.
#[derive(Debug)]
pub enum HopelessVerdict {
    Play,
    /// Forfeit it unplayed.
    Forfeit(Hopeless),
    /// Open: earlier games that are not over decide.
    Open,
}

/// Next step of the dispatcher.
#[derive(Debug)]
pub enum QueueStep {
    Play(QueuedGame),
    /// Record that the game is forfeited unplayed.
    Forfeit(QueuedGame, Hopeless),
    /// Wait until another game has ended.
    Wait,
    Done,
    Unfit(UnfitGame),
}
