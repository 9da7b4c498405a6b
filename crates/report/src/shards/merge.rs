//! Merges the shards into the run, and leads a tournament whose pairings depend on results: writes each wave once the
//! one before is done. All state is in the plan's folder, so another process can continue at any moment.

use super::{FolderError, PlanFolder, waves};
use crate::report::{finish_run, write_tables};
use crate::results::{ResultRow, Results, Settings};
use crate::runner::{Fold, fold};
use crate::runs::{DoneGames, Run, merge_parts};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Led {
    /// Shards of the newest wave are not done.
    Waiting {
        wave: u32,
        missing: Vec<u32>,
    },
    Wave {
        wave: u32,
        games: u64,
    },
    Over {
        waves: u32,
        /// Number of games beyond the end of a sequential test.
        surplus: u64,
    },
}

/// Takes one step: writes the next wave if the newest is done.
pub fn lead(folder: &PlanFolder) -> Result<Led, FolderError> {
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
            surplus: folded.surplus.len() as u64,
        });
    }
    waves::write(folder.path(), newest + 1, &folded.next)?;
    Ok(Led::Wave {
        wave: newest + 1,
        games: folded.next.len() as u64,
    })
}

fn fold_shards(folder: &PlanFolder) -> Result<Fold, FolderError> {
    let mut done = DoneGames::default();
    for shard in folder.shards() {
        shard.read_done(&mut done)?;
    }
    // One block per shard, so that no shard is idle.
    let ahead = u64::from(folder.table.shards.get());
    Ok(fold(&folder.plan, folder.table.seed, &done, ahead)?)
}

#[derive(Debug)]
pub struct Merged {
    pub games: u64,
    /// Number of games set aside, because they could not be played.
    pub set_aside: u64,
    pub missing: Vec<u32>,
    pub is_over: bool,
}

/// Merges the games that have ended into the run of a plan.
pub fn merge(folder: &PlanFolder) -> Result<Merged, FolderError> {
    let missing = folder.missing()?;
    let folded = match folder.has_waves() {
        true => Some(fold_shards(folder)?),
        false => None,
    };
    let is_surplus = |id: u64| {
        folded
            .as_ref()
            .is_some_and(|it| it.surplus.contains_key(&id))
    };
    let shards: Vec<_> = folder.shards().collect();
    let (mut games, mut results) = (0, Results::default());
    let path = PlanFolder::run_path(folder.path());
    let set_aside = merge_parts(&path, &folder.plan, &shards, &is_surplus, &mut |row| {
        games += 1;
        results.add(&ResultRow::from(row));
    })?;
    let is_over = folded.as_ref().is_none_or(|it| it.next.is_empty());
    let run = Run::open(&path, folder.games)?;
    let settings = Settings::of_run(&run);
    let rated = results.rate(&settings);
    let conclusions = folded.map(|folded| folded.conclusions).unwrap_or_default();
    if missing.is_empty() && is_over {
        finish_run(&run, &rated, &conclusions)?;
    } else {
        write_tables(&run, &rated, &conclusions)?;
    }
    Ok(Merged {
        games,
        set_aside,
        missing,
        is_over,
    })
}
