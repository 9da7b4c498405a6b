//! The names of the columns that each seat has.

use crate::game::{MOST_SEATS, Seat};

/// The word for each seat in the names of its columns.
pub(super) const SEATS: [&str; MOST_SEATS] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
];

/// The name of a seat's column.
pub fn seat_column(seat: Seat, column: &str) -> String {
    format!("{}_{column}", player_column(seat))
}

/// The name of the column of a seat's player.
pub fn player_column(seat: Seat) -> &'static str {
    SEATS[seat.index()]
}
