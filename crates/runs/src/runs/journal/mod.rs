//! `games.csv`, a row per finished game, and `set-aside.csv` beside it.

mod columns;
pub(super) mod done;
pub(super) mod rows;
pub(super) mod set_aside;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

pub use columns::RowShape;

use crate::config::BlockStart;
use crate::game::{ForfeitedBy, Game, MOST_SEATS, PerSeat, RulesFault, Seat};
use crate::referee::GameEnd;
use crate::runs::error::RowError;
use crate::runs::logs::game_files::FileDigests;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRow {
    pub id: u64,
    pub game: Game,
    /// Its options as `key=value`, separated by spaces.
    pub options: String,
    /// The number of the block; games of a block begin from the same start.
    pub block: u64,
    pub players: PerSeat<String>,
    /// How the game ended. Times are whole microseconds, and those off turn are not kept.
    pub end: GameEnd,
    /// A digest of all actions and their public results: equal for equal games, and empty for a game without
    /// plies.
    pub actions_digest: String,
    /// A digest of all answers of the rules program in this game; empty where the rules are none.
    pub answers: String,
    pub date: String,
    /// How long the game took on the wall, in whole microseconds.
    pub took: Duration,
    /// The most memory that each player's processes held in this game, in KiB, if it is known.
    pub peak_kib: PerSeat<Option<u64>>,
    pub files: FileDigests,
    pub start: GameStart,
    /// The values of each player's parameters as `name=value`, separated by spaces, if they are tuned.
    pub values: Option<PerSeat<String>>,
}

impl GameRow {
    pub fn names(&self) -> PerSeat<&str> {
        self.players.each_ref().map(String::as_str)
    }

    pub fn forfeited_by(&self) -> Cow<'_, str> {
        self.end.forfeited_by().name(&self.names())
    }

    pub fn detail(&self) -> String {
        self.end.detail(self.game)
    }

    pub fn is_forfeited(&self) -> bool {
        self.end.forfeited_by() != ForfeitedBy::Nobody
    }

    pub fn is_below(&self, share: Option<f64>) -> bool {
        let mut spent = self.end.spent.values();
        share.is_some_and(|share| spent.any(|spent| spent.cpu_share() < share))
    }
}

/// The word for each seat in the names of its columns.
const SEATS: [&str; MOST_SEATS] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
];

pub fn seat_column(seat: Seat, column: &str) -> String {
    format!("{}_{column}", player_column(seat))
}

pub fn player_column(seat: Seat) -> &'static str {
    SEATS[seat.index()]
}

/// The start of a game. It follows from the plan, the master seed and the results before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameStart {
    /// The number of the round, from 1; `None` if the format has no rounds.
    pub round: Option<u64>,
    /// The words of the opening, separated by spaces: the setting of the block's own start, such as `start=…`, and the
    /// actions.
    pub opening: String,
    pub seeds: PerSeat<u64>,
}

impl GameStart {
    /// The start of the games of a block, which belongs to a round.
    pub fn of(start: &BlockStart<'_>, round: Option<u64>) -> Result<Self, RulesFault> {
        let words = [start.start.as_slice(), &start.opening.0].concat();
        Ok(Self {
            round,
            opening: words.join(" "),
            seeds: start.bot_seeds.clone(),
        })
    }

    pub fn opening_plies(&self) -> u32 {
        self.opening.split_whitespace().count() as u32 - u32::from(self.has_own_start())
    }

    /// Whether the game begins in a position of its own. There, either seat may be to act.
    pub fn has_own_start(&self) -> bool {
        self.opening.starts_with("start=")
    }

    /// Checks the start in a row against the planned one, except the round, which only the schedule knows.
    pub fn check(&self, due: &Self) -> Result<(), RowError> {
        RowError::unless_equal("opening", &self.opening, &due.opening)?;
        due.seeds.iter().try_for_each(|(seat, due)| {
            RowError::unless_equal(seat_column(seat, "seed"), self.seeds[seat], due)
        })
    }
}

pub type Ids = BTreeSet<u64>;
