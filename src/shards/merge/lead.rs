//! Leads a tournament whose pairings depend on results: writes each wave once the one before is done. All state
//! is in the plan's folder, so another process can continue at any moment.

use super::parts::{MergeError, chosen_parts};
use crate::runner::{Fold, UnfitGame, fold};
use crate::runs::{DoneGames, MergePart, PlanIndex, RunFileError};
use crate::shards::plan::{PlanFolder, waves};

/// State of a tournament after [`lead`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Led {
    /// Shards of the newest wave are not done.
    Waiting {
        /// Number of the wave.
        wave: u32,
        /// Numbers of the shards that are missing.
        missing: Vec<u32>,
    },
    /// The next wave was written.
    Wave {
        /// Number of the wave.
        wave: u32,
        /// Number of games in it.
        games: u64,
    },
    /// No wave follows.
    Over {
        /// Number of waves.
        waves: u32,
        /// Number of games beyond the end of a sequential test.
        surplus: u64,
    },
}

/// Why a tournament cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum LeadError {
    /// The attempts of a wave cannot be read.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// A file cannot be read or written.
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    /// An attempt has a game that is not in the plan.
    #[error(transparent)]
    UnfitGame(#[from] UnfitGame),
}

/// Takes one step: writes the next wave if the newest is done.
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

/// Folds the games of these attempts into the schedule. Only attempts that count are read.
pub(super) fn fold_parts(folder: &PlanFolder, parts: &[Vec<MergePart>]) -> Result<Fold, LeadError> {
    let plan = &folder.plan;
    let index = PlanIndex::of_plan(plan);
    let cut = folder.cut();
    let mut done = DoneGames::default();
    for part in parts.iter().flatten().filter(|part| part.counts) {
        for row in part.rows()? {
            let row = row?;
            let game = index.done(&row);
            let game = game.map_err(|problem| part.refuse(row.id, problem))?;
            if cut.owner(game.game, game.block) == part.shard {
                done.insert(row.id, game);
            }
        }
        for game in part.set_aside()? {
            let drawn = index.drawn(&game);
            let drawn = drawn.map_err(|problem| part.refuse(game.id, problem))?;
            if cut.owner(drawn.game, drawn.block) == part.shard {
                done.insert(game.id, drawn);
            }
        }
    }
    // One block per shard, so that no shard is idle.
    let ahead = u64::from(folder.table.shards.get());
    Ok(fold(plan, &done, ahead)?)
}
