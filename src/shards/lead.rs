//! Leads a tournament whose pairings depend on results: writes each wave once the one before is done. All that it
//! knows is in the folder of the plan, so another process can go on with it at any moment.

use super::folder::PlanFolder;
use super::merge::{MergeError, chosen_parts};
use super::waves;
use crate::config::PlannedGame;
use crate::record::{DoneGames, Part, PlanIndex, RecordError};
use crate::runner::{Fold, UnplannedGame, fold};

/// How far a led tournament is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Led {
    /// These shards of the newest wave are not done.
    Waiting {
        /// The number of the wave.
        wave: u32,
        /// The numbers of its shards.
        missing: Vec<u32>,
    },
    /// A wave was written.
    Wave {
        /// Its number.
        wave: u32,
        /// How many games it has.
        games: u64,
    },
    /// There are no more waves.
    Over {
        /// How many waves there were.
        waves: u32,
        /// How many games came after the end of a sequential test.
        surplus: u64,
    },
}

/// Why a tournament cannot be led on.
#[derive(Debug, thiserror::Error)]
pub enum LeadError {
    /// A wave cannot be read from its attempts.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// An attempt has a game that is not of the plan.
    #[error(transparent)]
    Unplanned(#[from] UnplannedGame),
}

/// Goes on by one step: writes the next wave if the newest is done.
///
/// # Errors
/// The folder cannot be read or written, or an attempt is not of this plan.
pub fn lead(folder: &PlanFolder) -> Result<Led, LeadError> {
    let newest = folder.waves()?.end - 1;
    let parts = chosen_parts(folder, false)?;
    if !parts.missing.is_empty() {
        let missing = parts.missing.iter().map(|unit| unit.shard).collect();
        return Ok(Led::Waiting {
            wave: newest,
            missing,
        });
    }
    let folded = fold_parts(folder, &parts.parts)?;
    if folded.next.is_empty() {
        waves::end(folder.path())?;
        return Ok(Led::Over {
            waves: newest,
            surplus: folded.surplus.count(),
        });
    }
    waves::write(folder.path(), newest + 1, &folded.next)?;
    Ok(Led::Wave {
        wave: newest + 1,
        games: folded.next.len() as u64,
    })
}

/// What follows from the games of these attempts, as far as they count.
pub(super) fn fold_parts(folder: &PlanFolder, parts: &[Vec<Part>]) -> Result<Fold, LeadError> {
    let plan = &folder.plan;
    let players = plan.players.iter().map(|entry| entry.name.as_str());
    let index = PlanIndex::new(plan.games.iter().map(PlannedGame::game), players);
    let cut = folder.cut();
    let mut done = DoneGames::default();
    for part in parts.iter().flatten().filter(|part| part.counts) {
        for row in part.rows()? {
            let row = row?;
            let game = index.done(&row);
            let game = game.map_err(|problem| part.refuse(row.id, problem))?;
            if cut.owner(game.game, game.pair) == part.shard {
                done.insert(row.id, game);
            }
        }
        for game in part.set_aside()? {
            let drawn = index.drawn(&game);
            let drawn = drawn.map_err(|problem| part.refuse(game.id, problem))?;
            if cut.owner(drawn.game, drawn.pair) == part.shard {
                done.insert(game.id, drawn);
            }
        }
    }
    // A pair for each shard, so that none is idle.
    let ahead = u64::from(folder.table.shards.get());
    Ok(fold(plan, &done, ahead)?)
}
