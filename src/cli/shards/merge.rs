//! `referee merge DIR`: merges the shards of a plan into a run.

use std::path::PathBuf;

use super::enter;
use crate::cli::exit::{Exit, Failure};
use crate::cli::games::pgn_at_end;
use crate::cli::output::say;
use crate::report::shell_word;
use crate::runs::SET_ASIDE;
use crate::shards::{Engine, Merged, PlanFolder, merge, ranges, submit_again};
use crate::text::counted;

/// Make an ordinary run of the shards of a tournament
///
/// The run is in `run` in the folder of the plan, and all other commands take it. It has the games that have ended: while
/// shards are played, merge again for the others.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct MergeArgs {
    /// The folder of the plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Show warnings and errors alone
    #[arg(short, long)]
    quiet: bool,
}

pub(in crate::cli) fn run(args: &MergeArgs) -> Result<Exit, Failure> {
    let folder = enter(&args.folder)?;
    let merged = merge(&folder)?;
    if !args.quiet {
        say(&summary(&folder, &merged))?;
    }
    let export = &folder.plan.export;
    if export.pgn {
        pgn_at_end(
            &PlanFolder::run_path(folder.path()),
            &export.style,
            args.quiet,
        )?;
    }
    match (merged.missing.is_empty(), merged.is_over) {
        (true, true) => Ok(Exit::Done),
        (true, false) => Err(Failure::new(
            Exit::Again,
            format!(
                "there are more waves: `referee lead {}` writes them",
                shell_word(folder.path())
            ),
        )),
        (false, _) => Err(Failure::new(Exit::Again, missing(&folder, &merged.missing))),
    }
}

fn summary(folder: &PlanFolder, merged: &Merged) -> String {
    let run = PlanFolder::run_path(folder.path());
    let mut text = format!(
        "{} merged into {}\n",
        counted(merged.games, "game", "games"),
        run.display()
    );
    if merged.set_aside > 0 {
        text.push_str(&format!(
            "{} could not be played: see {SET_ASIDE} there\n",
            counted(merged.set_aside, "game", "games")
        ));
    }
    text
}

fn missing(folder: &PlanFolder, shards: &[u32]) -> String {
    let again = if folder.path().join(Engine::Slurm.file()).exists() {
        format!("`{}`", submit_again(folder, shards.iter().copied()))
    } else {
        let (path, all) = (shell_word(folder.path()), folder.table.shards);
        let rest = if shards.len() == 1 {
            ""
        } else {
            ", and so on,"
        };
        let first = shards.first().unwrap_or(&0);
        format!("`referee work {path} --shard {first}/{all}`{rest}")
    };
    format!(
        "{} missing ({}); once {again} has played {}, merge again",
        counted(shards.len() as u64, "shard is", "shards are"),
        ranges(shards.iter().copied()),
        if shards.len() == 1 { "it" } else { "them" }
    )
}
