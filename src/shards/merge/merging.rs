//! Merges shards into the run.

use super::lead::{LeadError, fold_shards};
use crate::report::{finish_run, write_tables};
use crate::results::{ResultRow, Results, Settings};
use crate::runs::{Run, merge_parts};
use crate::shards::plan::PlanFolder;

/// Result of a merge.
#[derive(Debug)]
pub struct Merged {
    /// Number of games in the run.
    pub games: u64,
    /// Number of games set aside, because they could not be played.
    pub set_aside: u64,
    /// Numbers of the shards that have games left to play.
    pub missing: Vec<u32>,
    /// Whether no wave follows.
    pub is_over: bool,
}

/// Merges the games that have ended into the run of a plan.
///
/// # Errors
/// A shard has lost a file of a game, or a file cannot be read or written.
pub fn merge(folder: &PlanFolder) -> Result<Merged, LeadError> {
    let missing = folder.missing()?;
    let folded = match folder.has_waves() {
        true => Some(fold_shards(folder)?),
        false => None,
    };
    let is_surplus = |id: u64| folded.as_ref().is_some_and(|it| it.surplus.contains(id));
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
