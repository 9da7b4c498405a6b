//! `referee games RUN`: the games of a run, filtered.

use std::path::PathBuf;

use serde::Serialize;

use super::filter::{FilterError, GameFilter};
use super::{Exit, Failure, json_line, print, style};
use crate::game::{GameResult, Reason, Seat};
use crate::record::{GameRow, RecordError, Run};
use crate::report;

/// List the games of a run: who played, who won, why, and how to see one
///
/// Games are in the order of their numbers. All filters that are given must fit.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct GamesArgs {
    /// The folder of the run
    run: PathBuf,
    /// Only games that a player of --player won
    #[arg(long, requires = "player", group = "end")]
    won: bool,
    /// Only games that a player of --player lost
    #[arg(long, requires = "player", group = "end")]
    lost: bool,
    /// Only drawn games
    #[arg(long, group = "end")]
    drawn: bool,
    /// Only games that were forfeited; with --player, by that player
    #[arg(long)]
    forfeited: bool,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filter: GameFilter,
}

const EXAMPLES: &str = "\
Examples:
  referee games results/demo --player greedy --lost       what greedy lost
  referee games results/demo --forfeited                  every forfeit
  referee games results/demo --termination time --json    for a script";

/// Why the games are not listed.
#[derive(Debug, thiserror::Error)]
pub(super) enum GamesError {
    #[error("--player {name}: nobody of that name plays in this run: expected one of {}", players.join(", "))]
    UnknownPlayer { name: String, players: Vec<String> },
    #[error(transparent)]
    Filter(#[from] FilterError),
    #[error(transparent)]
    Record(#[from] RecordError),
}

pub(super) fn run(args: &GamesArgs) -> Result<Exit, Failure> {
    let run = Run::open(&args.run)?;
    let rows = rows(args, &run)?;
    if args.json {
        let text: String = rows.iter().map(json).collect();
        return print(&text).map(|()| Exit::Done);
    }
    let mut text = match rows.is_empty() {
        true => "no games\n".to_owned(),
        false => report::plain(
            &report::games(rows.iter(), &run.manifest().display_names()),
            style(),
        ),
    };
    if let Some(row) = rows.first() {
        let run = report::shell_word(&args.run);
        text.push_str(&format!(
            "see one of them: referee replay {run} {}\n",
            row.id
        ));
    }
    print(&text)?;
    Ok(Exit::Done)
}

/// The games that pass the filters.
fn rows(args: &GamesArgs, run: &Run) -> Result<Vec<GameRow>, GamesError> {
    let known = run.player_names();
    if let Some(name) = args.filter.players().find(|name| !known.contains(name)) {
        return Err(GamesError::UnknownPlayer {
            name: name.to_owned(),
            players: known.into_iter().map(str::to_owned).collect(),
        });
    }
    let mut rows = Vec::new();
    let mut unseen = args.filter.unseen();
    run.rows_in_order(&mut |row| {
        unseen.see(&row.result(0));
        if args.filter.keeps(&row.result(0)) && keeps(args, row) {
            rows.push(row.clone());
        }
    })?;
    unseen.none_left()?;
    Ok(rows)
}

/// Whether the game ended as it was asked for.
fn keeps(args: &GamesArgs, row: &GameRow) -> bool {
    let is_named = |name: &str| args.filter.players().any(|player| player == name);
    let names = row.names();
    let (won, lost) = match row.end.result {
        GameResult::Won(seat) => (
            is_named(names[seat.index()]),
            is_named(names[seat.other().index()]),
        ),
        GameResult::Drawn => (false, false),
        GameResult::Nobody => (false, names.iter().any(|name| is_named(name))),
    };
    let forfeited = match args.filter.players().next() {
        None => row.is_forfeited(),
        Some(_) => Seat::BOTH
            .iter()
            .any(|seat| row.end.blame.includes(*seat) && is_named(names[seat.index()])),
    };
    (!args.won || won)
        && (!args.lost || lost)
        && (!args.drawn || row.end.result == GameResult::Drawn)
        && (!args.forfeited || forfeited)
}

#[derive(Serialize)]
struct ListedGame<'a> {
    id: u64,
    game: &'static str,
    options: &'a str,
    pair: u64,
    seats: [&'static str; 2],
    players: [&'a str; 2],
    winner: &'a str,
    termination: &'static str,
    forfeited_by: &'a str,
    reason: &'static str,
    detail: &'a str,
    plies: u32,
    date: &'a str,
}

fn json(row: &GameRow) -> String {
    json_line(&ListedGame {
        id: row.id,
        game: row.game.name(),
        options: &row.options,
        pair: row.pair,
        seats: row.game.seat_names(),
        players: row.names(),
        winner: row.end.result.name(row.game),
        termination: row.end.termination.name(),
        forfeited_by: row.forfeited_by(),
        reason: row.end.reason.map_or("", Reason::name),
        detail: &row.detail(),
        plies: row.end.plies,
        date: &row.date,
    })
}
