//! The start of a game, as recorded in its row.

use crate::config::{PlannedGame, PlannedOpening};
use crate::game::{ActError, News, RulesFault};
use crate::runs::error::journal::RowError;

/// The start of a game. It follows from the plan, the master seed and the results before it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameStart {
    /// The number of the round, from 1; `None` if the format has no rounds.
    pub round: Option<u64>,
    /// The actions of the opening, separated by spaces.
    pub opening: String,
    /// The seeds that the bots are given, by seat.
    pub seeds: [u64; 2],
}

impl GameStart {
    /// The start of the games of a pair, which belongs to a round.
    ///
    /// # Errors
    /// The rules failed.
    pub fn new(
        planned: &PlannedGame,
        master_seed: u64,
        pair: u64,
        round: Option<u64>,
    ) -> Result<Self, RulesFault> {
        Ok(Self {
            round,
            opening: opening(planned, master_seed, pair)?,
            seeds: planned.bot_seeds(master_seed, pair),
        })
    }

    /// Checks the start in a row against the planned one, except the round, which only the schedule knows.
    ///
    /// # Errors
    /// The opening or a seed differs.
    pub fn check(&self, due: &Self) -> Result<(), RowError> {
        RowError::unless_equal("opening", &self.opening, &due.opening)?;
        RowError::unless_equal("first_seed", self.seeds[0], due.seeds[0])?;
        RowError::unless_equal("second_seed", self.seeds[1], due.seeds[1])
    }
}

/// The actions of the opening of a pair.
fn opening(planned: &PlannedGame, master_seed: u64, pair: u64) -> Result<String, RulesFault> {
    if planned.opening == PlannedOpening::Random(0) {
        return Ok(String::new());
    }
    let mut start = planned.start(master_seed, pair)?;
    let position = start.position.as_mut();
    let mut actions = Vec::new();
    while position.ply() < start.opening_plies && !position.to_act().is_nobody() {
        let action = start.opening.choose(position)?;
        // `choose` picks from the legal actions or from a checked opening, so none is refused.
        if let Err(ActError::Rules(fault)) = position.play(&action, &mut News::default()) {
            return Err(fault);
        }
        actions.push(action);
    }
    Ok(actions.join(" "))
}
