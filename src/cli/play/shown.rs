//! Screens of a game in play.

use super::args::PlayArgs;
use super::live_game::LiveGame;
use crate::cli::drawing;
use crate::cli::exit::Failure;
use crate::cli::output::{print, style};
use crate::game::{AnyPosition, Game};
use crate::referee::{GameEnd, Ply, Termination};
use crate::report::warn;

/// Help on the commands of a person.
pub(super) const COMMANDS: &str = "Type an action, or its beginning to see how it can go on. Enter lists all legal actions, undo \
                        takes your last action back, quit leaves the game.";

/// Text for a person before a game.
pub(super) fn introduction(args: &PlayArgs) -> Result<String, Failure> {
    let goal = args.setup()?.goal();
    Ok(format!("{goal}\n{COMMANDS}\n\n"))
}

/// Warns if all plies of a game were its opening.
pub(super) fn warn_of_opening(args: &PlayArgs, end: &GameEnd) {
    let plies = end.plies;
    if end.termination != Termination::Left && plies > 0 && plies <= args.opening_plies {
        warn(&format!(
            "the game ended within its --opening-plies {}: all of it was random, and no player \
             was asked",
            args.opening_plies
        ));
    }
}

/// The drawn board. A failure of the rules takes its place; their next answer ends the game.
pub(super) fn drawn(live: &LiveGame, position: &dyn AnyPosition) -> String {
    let (game, seats) = (live.game(), live.seats_to_show(position.to_act()));
    match drawing::views(position) {
        Ok(now) => {
            let boards = drawing::boards(game, &live.next_views(now), &seats, style());
            boards + &drawing::points(game, position.rules_points().as_ref())
        }
        Err(fault) => format!("{fault}\n"),
    }
}

/// Draws a ply, and records it in the live game.
pub(super) fn show_ply(game: Game, live: &LiveGame, ply: &Ply<'_>, position: &dyn AnyPosition) {
    let word = ply.word();
    live.played(&word);
    let lines = ply.played().map(|(seat, played)| {
        drawing::action(
            ply.number,
            game.seat_name(seat),
            played.action,
            played.public,
            played.spent.map(|spent| spent.wall),
        )
    });
    let lines: String = lines.collect();
    let text = format!("\n{lines}{}", drawn(live, position));
    // A failed write means that the reader has gone.
    let _ = print(&text);
}
