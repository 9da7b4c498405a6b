//! Games of a run, to be played again by the program that is checked.

use crate::random::BlockSeeds;
use crate::rules::{Actions, NewGame, seed_of_game};
use crate::runs::{Recording, Run, RunFileError};

/// A game of a run: how it began, and its actions.
#[derive(Debug, Clone)]
pub struct RecordedGame {
    pub(super) name: &'static str,
    pub(super) start: NewGame,
    pub(super) plies: Vec<Actions>,
}

/// The first games of a run that left their logs, at most so many.
pub fn recorded_games(run: &Run, most: usize) -> Result<Vec<RecordedGame>, RunFileError> {
    let mut games = Vec::new();
    for row in run.rows()? {
        let row = row?;
        if games.len() < most && run.keeps_log(&row) {
            games.push(recorded(run.manifest().seed, &run.recording_of(row)?));
        }
    }
    Ok(games)
}

fn recorded(seed: u64, recording: &Recording) -> RecordedGame {
    let row = &recording.row;
    // A seat that left is no action; the game goes on without it.
    let plies = recording.plies.iter().take_while(|ply| !ply.is_drop());
    let plies = plies.map(|ply| {
        let actions = ply.actions();
        actions
            .map(|(seat, logged)| (seat.number(), logged.action.clone()))
            .collect()
    });
    RecordedGame {
        name: row.game.name(),
        start: NewGame {
            seed: seed_of_game(&mut BlockSeeds::new(seed, row.game, row.block).chance),
            seats: row.game.seat_count() as u8,
            options: options(&row.options),
        },
        plies: plies.collect(),
    }
}

/// Options as `KEY=VALUE`, with blanks between them.
fn options(text: &str) -> Vec<(String, String)> {
    let options = text
        .split_whitespace()
        .filter_map(|option| option.split_once('='));
    options
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}
