//! `referee merge DIR`: merges the shards of a plan into a run.

use std::path::PathBuf;

use super::folder::{enter, units_words};
use crate::cli::exit::{Exit, Failure};
use crate::cli::games::pgn_at_end;
use crate::cli::output::say;
use crate::report::shell_word;
use crate::runs::SET_ASIDE;
use crate::shards::{Engine, Merged, NODES, PlanFolder, ShardUnit, merge, submit_again};
use crate::text::counted;

/// Make an ordinary run of the shards of a tournament
///
/// The run is in `run` in the folder of the plan, and all other commands take it. Of each shard one attempt
/// counts; merge.toml says which, and it stays so. Shards may still be played: merge again for the others.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct MergeArgs {
    /// The folder of the plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Maximum number of disagreeing games listed.
const LISTED: usize = 20;

pub(in crate::cli) fn run(args: &MergeArgs) -> Result<Exit, Failure> {
    let folder = enter(&args.folder)?;
    let merged = merge(&folder)?;
    say(&summary(&folder, &merged))?;
    if folder.plan.pgn {
        pgn_at_end(&PlanFolder::run_path(folder.path()), false)?;
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
    if merged.compared > 0 {
        text.push_str(&format!(
            "{} played twice; {} other actions\n",
            counted(merged.compared, "game was", "games were"),
            counted(merged.disagreeing, "has", "have")
        ));
    }
    for it in merged.disagreements.iter().take(LISTED) {
        let players: Vec<&str> = it.players.values().map(String::as_str).collect();
        let [counts, other] = &it.attempts;
        text.push_str(&format!(
            "  game {}: {}, in {counts} (which counts) and {other}{}\n",
            it.id,
            players.join(" against "),
            match &it.first_ply {
                Some((ply, player)) => format!(": first at ply {ply}, of {player}"),
                None => String::new(),
            }
        ));
    }
    for it in merged.standing_out.iter().take(LISTED) {
        text.push_str(&format!(
            "  on {}, {} made {} points in {} where {:.1} were expected ({:+.1} standard deviations)\n",
            it.node,
            it.player,
            it.points,
            counted(it.games, "game", "games"),
            it.expected,
            it.deviations
        ));
    }
    if !merged.standing_out.is_empty() {
        text.push_str(&format!(
            "these machines may be slower, or have other programs: see {NODES} in {}\n",
            folder.path().display()
        ));
    }
    text
}

fn missing(folder: &PlanFolder, shards: &[ShardUnit]) -> String {
    let again = if folder.path().join(Engine::Slurm.file()).exists() {
        submit_again(folder, shards.iter().map(|unit| unit.shard))
    } else {
        format!("referee work {} --any", shell_word(folder.path()))
    };
    format!(
        "{} missing ({}); once `{again}` has played {}, merge again",
        counted(shards.len() as u64, "shard is", "shards are"),
        units_words(shards),
        if shards.len() == 1 { "it" } else { "them" }
    )
}
