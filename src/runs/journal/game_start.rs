//! The start of a game, as recorded in its row.

use super::seat_columns::seat_column;
use crate::config::BlockStart;
use crate::game::{PerSeat, RulesFault};
use crate::runs::error::journal::RowError;

/// The start of a game. It follows from the plan, the master seed and the results before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameStart {
    /// The number of the round, from 1; `None` if the format has no rounds.
    pub round: Option<u64>,
    /// The words of the opening, separated by spaces: the setting of the block's own start, such as `start=…`, and the
    /// actions.
    pub opening: String,
    /// The seeds that the bots are given, by seat.
    pub seeds: PerSeat<u64>,
}

impl GameStart {
    /// The start of the games of a block, which belongs to a round.
    ///
    /// # Errors
    /// The rules failed.
    pub fn of(start: &BlockStart<'_>, round: Option<u64>) -> Result<Self, RulesFault> {
        let words = [start.start.as_slice(), &start.opening_line()?].concat();
        Ok(Self {
            round,
            opening: words.join(" "),
            seeds: start.bot_seeds.clone(),
        })
    }

    /// Number of plies in the opening.
    pub fn opening_plies(&self) -> u32 {
        self.opening.split_whitespace().count() as u32 - u32::from(self.has_own_start())
    }

    /// Whether the game begins in a position of its own. There, either seat may be to act.
    pub fn has_own_start(&self) -> bool {
        self.opening.starts_with("start=")
    }

    /// Checks the start in a row against the planned one, except the round, which only the schedule knows.
    ///
    /// # Errors
    /// The opening or a seed differs.
    pub fn check(&self, due: &Self) -> Result<(), RowError> {
        RowError::unless_equal("opening", &self.opening, &due.opening)?;
        due.seeds.iter().try_for_each(|(seat, due)| {
            RowError::unless_equal(seat_column(seat, "seed"), self.seeds[seat], due)
        })
    }
}
