//! Tests and ratings as they went, in one pass over the journal in the order of the games' numbers.

use std::collections::BTreeMap;

use super::elo::EloHistory;
use crate::game::GameResult;
use crate::pages::parts::test_history::TestHistory;
use crate::results::{Rated, Settings};
use crate::runs::{Run, RunFileError};

/// The histories of the games of a run, by the name of the game.
#[derive(Debug, Default)]
pub struct Histories {
    pub tests: BTreeMap<&'static str, TestHistory>,
    pub elo: BTreeMap<String, EloHistory>,
}

impl Histories {
    /// Reads the journal of a run, whose games have these ratings.
    ///
    /// # Errors
    /// A file of the run cannot be read.
    pub fn read(run: &Run, rated: &[Rated<'_>], settings: &Settings) -> Result<Self, RunFileError> {
        let names = run.player_names();
        let mut all = Self::default();
        for (planned, schedule) in run.games().iter().zip(run.schedules()) {
            let test = TestHistory::new(schedule, &names);
            all.tests
                .extend(test.map(|test| (planned.game().label(), test)));
        }
        for one in rated {
            let history = EloHistory::new(one);
            all.elo
                .extend(history.map(|history| (one.game.clone(), history)));
        }
        if all.tests.is_empty() && all.elo.is_empty() {
            return Ok(all);
        }
        // As in the schedule, a game that could not be played is drawn.
        for game in run.set_aside()? {
            let planned = run.games().iter().map(|planned| planned.game());
            let label = planned
                .filter(|planned| planned.name() == game.game)
                .map(|it| it.label())
                .next();
            if let Some(test) = label.and_then(|label| all.tests.get_mut(label)) {
                test.add_result(game.block, &game.players, GameResult::Drawn);
            }
        }
        run.rows_in_order(&mut |row| {
            if let Some(test) = all.tests.get_mut(row.game.label()) {
                test.add(row);
            }
            if let Some(elo) = all.elo.get_mut(row.game.label()) {
                elo.add(row, settings);
            }
        })?;
        Ok(all)
    }
}
