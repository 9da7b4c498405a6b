//! `referee play GAME FIRST SECOND`: plays games, drawn move by move.

use std::path::PathBuf;
use std::time::Duration;

use super::arguments::{SetupArgs, parse_small, parse_time};
use super::{Exit, Failure, drawing, print, style};
use crate::game::{AnyPosition, Game, Seat};
use crate::referee::{GameEnd, Ply, Termination};
use crate::report::warn;
use table::Table;

mod human;
mod keyboard;
mod recorded;
mod unrecorded;
mod table;

/// Play one game and draw it move by move, or several
///
/// A player is a house bot (random, greedy, search), `human` for yourself, or a command in quotes,
/// such as "python3 bots/twenty-lines/bot.py". FIRST acts first. A person types actions, the beginning of
/// one to see how it can go on, `?` for help, `undo` to take back the last action, and `quit` to leave.
/// After `undo` bots start anew, with all their time.
///
/// With --out or --games the games are kept in the folder of a run, for `referee replay`, `games`, `verify`
/// and `rate`. Games between bots are not drawn if there are several.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    setup: SetupArgs,
    /// The player in the first seat; NAME=COMMAND gives a bot a name
    first: String,
    /// The player in the second seat
    second: String,
    /// How many games to play. Every two have the same start, with the seats swapped
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    games: Option<u32>,
    /// The folder in which the games are kept; with --games a new one below results/ if not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Time of each bot for the whole game, such as 60s
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    per_game: Option<Duration>,
    /// Time of each bot for one action
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    per_move: Option<Duration>,
    /// Plies played at random before the players take over
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_small, allow_negative_numbers = true)]
    opening_plies: u32,
}

const EXAMPLES: &str = "\
Examples:
  referee play cachex human search
  referee play cachex \"python3 bot.py\" search --out results/lesson
  referee play dark-chess mine=\"python3 bot.py\" random --games 10 --per-move 1s";

/// Name of a person at the terminal.
const HUMAN: &str = "human";

/// Help on the commands of a person.
const COMMANDS: &str = "Type an action, or its beginning to see how it can go on. Enter lists all legal actions, undo \
                        takes your last action back, quit leaves the game.";

/// Wall cap of an action: a person may be away for a while.
const WALL_CAP: Duration = Duration::from_secs(24 * 3600);

/// Time of a bot for the handshake, and to get ready for a game.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Time of a bot to exit after `quit`.
const QUIT: Duration = Duration::from_secs(1);

pub(super) fn run(args: &PlayArgs) -> Result<Exit, Failure> {
    match (&args.out, args.games) {
        (None, None) => unrecorded::run(args),
        _ => recorded::run(args),
    }
}

/// Text for a person before a game.
fn introduction(args: &PlayArgs) -> Result<String, Failure> {
    let goal = args.setup.setup()?.goal();
    Ok(format!("{goal}\n{COMMANDS}\n\n"))
}

/// Warns if all plies of a game were its opening.
fn warn_of_opening(args: &PlayArgs, end: &GameEnd) {
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
fn drawn(game: Game, position: &dyn AnyPosition, last: Option<&str>) -> String {
    match position.picture(Seat::First, last) {
        Ok(picture) => drawing::board(game, &picture, style()),
        Err(fault) => format!("{fault}\n"),
    }
}

/// Draws a ply, and records it at the table.
fn show_ply(game: Game, table: &Table, ply: &Ply<'_>, position: &dyn AnyPosition) {
    table.played(ply.action);
    let text = format!(
        "\n{}{}",
        drawing::ply(
            ply.number,
            game.seat_name(ply.seat),
            ply.action,
            ply.public,
            ply.spent.map(|spent| spent.wall),
        ),
        drawn(game, position, Some(ply.action))
    );
    // A failed write means that the reader has gone.
    let _ = print(&text);
}
