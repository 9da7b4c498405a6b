//! A row of the journal.

use std::borrow::Cow;
use std::time::Duration;

use super::game_start::GameStart;
use crate::game::{Blame, Game, PerSeat};
use crate::referee::GameEnd;
use crate::runs::logs::game_files::FileDigests;

/// One finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRow {
    /// The number of the game in its run, from 0.
    pub id: u64,
    /// The game played.
    pub game: Game,
    /// Its options as `key=value`, separated by spaces.
    pub options: String,
    /// The number of the block; games of a block begin from the same start.
    pub block: u64,
    /// The names of the players, by seat.
    pub players: PerSeat<String>,
    /// How the game ended. Times are whole microseconds, and those off turn are not kept.
    pub end: GameEnd,
    /// A digest of all actions and their public results: equal for equal games, and empty for a game without
    /// plies.
    pub actions_digest: String,
    /// A digest of all answers of the rules program in this game; empty where the rules are none.
    pub answers: String,
    /// When the game ended, UTC.
    pub date: String,
    /// How long the game took on the wall, in whole microseconds.
    pub took: Duration,
    /// The most memory that each player's processes held in this game, in KiB, if it is known.
    pub peak_kib: PerSeat<Option<u64>>,
    /// Digests of the files that the game left.
    pub files: FileDigests,
    /// How the game began.
    pub start: GameStart,
}

impl GameRow {
    /// The names of the players, by seat.
    pub fn names(&self) -> PerSeat<&str> {
        self.players.each_ref().map(String::as_str)
    }

    /// Who forfeited, as the column of that name has it.
    pub fn forfeited_by(&self) -> Cow<'_, str> {
        self.end.blame().name(&self.names())
    }

    /// The players' faults in words.
    pub fn detail(&self) -> String {
        self.end.detail(self.game)
    }

    /// Whether a player forfeited, or both did.
    pub fn is_forfeited(&self) -> bool {
        self.end.blame() != Blame::Nobody
    }
}
