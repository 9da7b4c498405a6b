//! `referee status DIR`: state of a plan's shards.

use std::path::PathBuf;
use std::time::Duration;

use super::folder::{enter, units_words};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::say;
use crate::shards::{ShardState, ShardUnit, Status, status};
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
    say(&text(&status(&folder)?))?;
    Ok(Exit::Done)
}

fn text(status: &Status) -> String {
    let units = |wanted: ShardState| {
        let shards = status.shards.iter();
        let wanted = shards.filter(|(_, state, _)| *state == wanted);
        wanted.map(|(unit, ..)| *unit).collect::<Vec<ShardUnit>>()
    };
    let mut text = format!(
        "{}\n",
        counted(status.shards.len() as u64, "shard", "shards")
    );
    for (state, words) in [
        (ShardState::Done, "done"),
        (ShardState::Playing, "playing"),
        (ShardState::Dead, "silent"),
        (ShardState::Open, "not begun"),
    ] {
        let units = units(state);
        match (state, units.len()) {
            (_, 0) => {}
            (ShardState::Playing | ShardState::Dead, count) => {
                text.push_str(&format!("  {words}: {count} ({})\n", units_words(&units)));
            }
            (_, count) => text.push_str(&format!("  {words}: {count}\n")),
        }
    }
    let played: u64 = status.shards.iter().map(|(.., played)| played).sum();
    text.push_str(&format!(
        "{played} of {}",
        counted(status.games, "game", "games")
    ));
    let playing = units(ShardState::Playing).len() as f64;
    let rate = status.played_meanwhile as f64 / status.playing_for.as_secs_f64();
    if playing > 0.0 && rate.is_finite() && rate > 0.0 {
        let rate = rate * playing;
        let left = status.games.saturating_sub(played) as f64 / rate;
        text.push_str(&format!(
            ", {rate:.1} games a second: done in about {}",
            humantime::format_duration(Duration::from_secs(left.ceil().min(1e9) as u64))
        ));
    }
    text + "\n"
}
