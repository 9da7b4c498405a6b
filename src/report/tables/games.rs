//! A listing of games: who played, who won, and why.

use crate::game::Seat;
use crate::report::table::{Cell, Column, ReportTable};
use crate::runs::{GameRow, player_column};
use crate::text::DisplayNames;

/// Upper bound on the seats with a column each. More share one.
const MOST: usize = 4;

/// A table with a row for each game. The longest column comes last.
pub fn games<'a>(rows: impl Iterator<Item = &'a GameRow>, names: &DisplayNames) -> ReportTable {
    let mut rows = rows.peekable();
    let count = rows.peek().map_or(2, |row| row.players.count());
    let mut columns = vec![
        Column::number("id", "id"),
        Column::text("game", "game").rank(2),
    ];
    if count > MOST {
        columns.push(Column::text("players", "players by seat"));
    } else {
        let seats = Seat::all(count).map(player_column);
        columns.extend(seats.map(|word| Column::text(word, &format!("{word} seat"))));
    }
    columns.push(Column::text("winner", "winner"));
    if count > 2 {
        columns.push(Column::text("places", "places").rank(1));
    }
    columns.extend([
        Column::number("plies", "plies").rank(1),
        Column::text("termination", "ended by"),
        Column::text("why", "why"),
    ]);
    ReportTable {
        name: "games",
        columns,
        rows: rows.map(|row| cells(row, names)).collect(),
    }
}

fn cells(row: &GameRow, names: &DisplayNames) -> Vec<Cell> {
    let player = |seat: Seat| names.shown(&row.players[seat]);
    let seated = |seat: Seat| format!("{} {}", row.game.seat_name(seat), player(seat));
    let winner = match row.end.result {
        result if result.winners().is_empty() => row.game.result_name(result).into_owned(),
        result => {
            let winners: Vec<String> = result.winners().iter().map(player).collect();
            winners.join(", ")
        }
    };
    let mut cells = vec![Cell::Count(row.id), Cell::text(row.game.label())];
    let seated = row.game.seats().map(seated);
    if row.players.count() > MOST {
        cells.push(Cell::text(seated.collect::<Vec<_>>().join(", ")));
    } else {
        cells.extend(seated.map(Cell::text));
    }
    cells.push(Cell::text(winner));
    if let Some(places) = row.game.places(row.end.result) {
        let places: Vec<String> = places.iter().map(u8::to_string).collect();
        cells.push(Cell::text(places.join(", ")));
    }
    cells.extend([
        Cell::Count(row.end.plies.into()),
        Cell::text(row.end.termination.name()),
        Cell::text(row.end.why(row.game)),
    ]);
    cells
}
