//! Columns of the seats of a game in lists of games, and of their results.

use super::parts::table::{CellView, ColumnView};
use crate::game::{GameResult, PerSeat, Seat};
use crate::runs::player_column;

/// Upper bound on the seats with a column each. More share one.
const MOST: usize = 4;

/// The columns with the players of `seats` seats.
pub fn seat_columns(seats: usize) -> Vec<ColumnView> {
    if seats > MOST {
        return vec![ColumnView::sentence("players by seat")];
    }
    let seats = Seat::all(seats);
    seats
        .map(|seat| ColumnView::name(&format!("{} seat", player_column(seat))))
        .collect()
}

/// The cells of these columns. `cell` makes the one of a player, and `shown` its name beside others.
pub fn seat_cells(
    players: &PerSeat<String>,
    cell: impl Fn(&str) -> CellView,
    shown: impl Fn(&str) -> String,
) -> Vec<CellView> {
    if players.count() > MOST {
        let names: Vec<String> = players.values().map(|name| shown(name)).collect();
        return vec![CellView::text(&names.join(", "))];
    }
    players.values().map(|name| cell(name)).collect()
}

/// The columns of the table `ratings` with the results of games: a game of two is won, drawn or lost, and one of more has
/// places.
pub fn result_columns(seats: usize) -> &'static [&'static str] {
    match seats {
        2 => &["wins", "draws", "losses"],
        _ => &["places"],
    }
}

/// The column with the places of more than two seats.
pub fn places_column(seats: usize) -> Option<ColumnView> {
    (seats > 2).then(|| ColumnView::text("places by seat"))
}

/// The cell of this column.
pub fn places_cell(result: GameResult, seats: usize) -> Option<CellView> {
    (seats > 2).then(|| {
        let places = result.places(seats).map(|place| place.to_string());
        CellView::text(&places.into_values().collect::<Vec<_>>().join(", "))
    })
}
