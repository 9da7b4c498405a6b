//! `referee plan`, `work`, `merge` and `status`: a tournament on many machines.

pub(super) mod lead;
pub(super) mod merge;
pub(super) mod plan;
pub(super) mod work;

use std::path::{Path, PathBuf};

use super::arguments::known_games;
use super::exit::{Exit, Failure};
use super::output::say;
use crate::shards::{PlanFolder, ShardProgress};
use crate::text::counted;

/// Opens the folder of a plan and changes into it: paths in its configuration are relative to it.
fn enter(path: &Path) -> Result<PlanFolder, Failure> {
    let path = change_to(path)?;
    Ok(PlanFolder::open(&path, known_games())?)
}

fn change_to(path: &Path) -> Result<PathBuf, Failure> {
    let whole = path.canonicalize();
    let entered = whole.and_then(|path| std::env::set_current_dir(&path).map(|()| path));
    entered.map_err(|error| Failure::of_file(path, error))
}

/// Show the progress of a tournament's shards
#[derive(Debug, clap::Args)]
pub(super) struct StatusArgs {
    /// The folder of the plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn status(args: &StatusArgs) -> Result<Exit, Failure> {
    let shards = enter(&args.folder)?.progress()?;
    let done = shards.iter().filter(|shard| shard.is_done()).count();
    let is_open = |shard: &&ShardProgress| !shard.is_done() && shard.ended == 0;
    let open = shards.iter().filter(is_open).count();
    let ended: u64 = shards.iter().map(|shard| shard.ended).sum();
    let games = shards.iter().map(|shard| shard.games).sum();
    say(&format!(
        "{}: {done} done, {} begun, {open} not begun\n{ended} of {}\n",
        counted(shards.len() as u64, "shard", "shards"),
        shards.len() - done - open,
        counted(games, "game", "games")
    ))?;
    Ok(Exit::Done)
}
