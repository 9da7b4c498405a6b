//! Copies of runs for the students who played in them.

mod player_copy;
mod scrub;
mod seen_log;

use std::path::Path;

use crate::report::{Digests, finish_run};
use crate::results::{ResultRow, Results, Settings};
use crate::runner::check_against_schedule;
use crate::runs::{DoneGames, Run, RunFileError};
use player_copy::copy_for_player;
pub use scrub::Scrub;

/// Copies a run for one of its players, without what the player may not see, and adds the tables and digests of an ended
/// run, so that all commands on runs work on the copy.
///
/// # Errors
/// The run cannot be read, or the copy cannot be written.
pub fn copy_ended_run(
    run: &Run,
    player: &str,
    to: &Path,
    scrub: &Scrub,
) -> Result<Run, RunFileError> {
    copy_for_player(run, player, to, scrub)?;
    let copy = Run::open(to, run.known_games())?;
    let index = copy.plan_index();
    let mut results = Results::default();
    let mut done = DoneGames::default();
    // A game outside the plan is skipped here; `verify` reports it, as in the original run.
    for row in copy.rows()? {
        let row = row?;
        results.add(&ResultRow::from(&row));
        if let Ok(game) = index.done(&row) {
            done.insert(row.id, game);
        }
    }
    for game in copy.set_aside()? {
        if let Ok(drawn) = index.drawn(&game) {
            done.insert(game.id, drawn);
        }
    }
    let checked = check_against_schedule(copy.schedules(), done);
    // If pairings depend on results, one player's games alone do not fit the schedule.
    let conclusions = checked.map(|checked| checked.conclusions);
    let conclusions = conclusions.unwrap_or_default();
    let settings = Settings::of_run(&copy);
    let rated = results.rate(&settings);
    finish_run(&copy, &rated, &conclusions, Digests::Unsigned)?;
    Ok(copy)
}
