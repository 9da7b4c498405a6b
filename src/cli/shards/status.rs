//! `referee status DIR`: state of a plan's shards.

use std::path::PathBuf;

use super::enter;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::say;
use crate::shards::ShardProgress;
use crate::text::counted;

/// Show how far the shards of a tournament are
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct StatusArgs {
    /// The folder of the plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(in crate::cli) fn run(args: &StatusArgs) -> Result<Exit, Failure> {
    let folder = enter(&args.folder)?;
    say(&text(&folder.progress()?))?;
    Ok(Exit::Done)
}

fn text(shards: &[ShardProgress]) -> String {
    let count = |wanted: &dyn Fn(&ShardProgress) -> bool| {
        shards.iter().filter(|shard| wanted(shard)).count()
    };
    let done = count(&|shard| shard.is_done());
    let open = count(&|shard| !shard.is_done() && shard.ended == 0);
    let ended: u64 = shards.iter().map(|shard| shard.ended).sum();
    let games = shards.iter().map(|shard| shard.games).sum();
    format!(
        "{}: {done} done, {} begun, {open} not begun\n{ended} of {}\n",
        counted(shards.len() as u64, "shard", "shards"),
        shards.len() - done - open,
        counted(games, "game", "games")
    )
}
