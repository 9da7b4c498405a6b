//! A listing of games: who played, who won, and why.

use crate::game::{GameResult, Seat};
use crate::report::table::{Cell, Column, ReportTable};
use crate::runs::GameRow;
use crate::text::DisplayNames;

/// A table with a row for each game. The longest column comes last.
pub fn games<'a>(rows: impl Iterator<Item = &'a GameRow>, names: &DisplayNames) -> ReportTable {
    let columns = vec![
        Column::number("id", "id"),
        Column::text("game", "game").rank(2),
        Column::text("first", "first seat"),
        Column::text("second", "second seat"),
        Column::text("winner", "winner"),
        Column::number("plies", "plies").rank(1),
        Column::text("termination", "ended by"),
        Column::text("why", "why"),
    ];
    ReportTable {
        name: "games",
        columns,
        rows: rows.map(|row| cells(row, names)).collect(),
    }
}

fn cells(row: &GameRow, names: &DisplayNames) -> Vec<Cell> {
    let player = |seat: Seat| names.shown(&row.players[seat]);
    let seated = |seat: Seat| Cell::text(format!("{} {}", row.game.seat_name(seat), player(seat)));
    let winner = match row.end.result {
        GameResult::Won(seat) => player(seat),
        GameResult::Drawn | GameResult::Nobody => row.end.result.name(row.game).to_owned(),
    };
    vec![
        Cell::Count(row.id),
        Cell::text(row.game.label()),
        seated(Seat::FIRST),
        seated(Seat::SECOND),
        Cell::text(winner),
        Cell::Count(row.end.plies.into()),
        Cell::text(row.end.termination.name()),
        Cell::text(row.end.why(row.game)),
    ]
}
