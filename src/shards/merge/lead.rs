//! Leads a tournament whose pairings depend on results: writes each wave once the one before is done. All state
//! is in the plan's folder, so another process can continue at any moment.

use crate::runner::{Fold, UnfitGame, fold};
use crate::runs::{DoneGames, RunFileError};
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

/// Why shards cannot be merged, or a tournament cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum LeadError {
    /// A file cannot be read or written.
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    /// A shard has a game that is not in the plan.
    #[error(transparent)]
    UnfitGame(#[from] UnfitGame),
}

/// Takes one step: writes the next wave if the newest is done.
///
/// # Errors
/// The folder cannot be read or written, or a shard is not of this plan.
pub fn lead(folder: &PlanFolder) -> Result<Led, LeadError> {
    let newest = folder.waves();
    let missing = folder.missing()?;
    if !missing.is_empty() {
        return Ok(Led::Waiting {
            wave: newest,
            missing,
        });
    }
    let folded = fold_shards(folder)?;
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

/// Folds the games of all shards into the schedule.
pub(super) fn fold_shards(folder: &PlanFolder) -> Result<Fold, LeadError> {
    let mut done = DoneGames::default();
    for shard in folder.shards() {
        shard.read_done(&mut done)?;
    }
    // One block per shard, so that no shard is idle.
    let ahead = u64::from(folder.table.shards.get());
    Ok(fold(&folder.plan, &done, ahead)?)
}
