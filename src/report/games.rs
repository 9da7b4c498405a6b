//! A listing of games: who played, who won, and why.

use super::table::{Cell, Column, ReportTable};
use crate::game::{GameResult, Seat};
use crate::record::GameRow;

/// A table with a row for each game. The longest column comes last.
pub fn games<'a>(rows: impl Iterator<Item = &'a GameRow>) -> ReportTable {
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
        rows: rows.map(row).collect(),
    }
}

fn row(row: &GameRow) -> Vec<Cell> {
    let seated = |seat: Seat| {
        let (name, player) = (row.game.seat_name(seat), &row.players[seat.index()]);
        Cell::text(format!("{name} {player}"))
    };
    let winner = match row.end.result {
        GameResult::Won(seat) => row.players[seat.index()].as_str(),
        GameResult::Drawn | GameResult::Nobody => row.end.result.name(row.game),
    };
    vec![
        Cell::Count(row.id),
        Cell::text(row.game.name()),
        seated(Seat::First),
        seated(Seat::Second),
        Cell::text(winner),
        Cell::Count(row.end.plies.into()),
        Cell::text(row.end.termination.name()),
        Cell::text(row.end.why(row.game)),
    ]
}
