//! Tables and notes as JSON.

use serde_json::{Map, Value, json};

use super::notes::{self, NotesOn};
use super::table::ReportTable;
use super::tables;
use crate::results::{AllRated, RatedTables};

/// These tables and the notes of each game as one document in JSON.
pub fn json(rated: &AllRated<'_>, tables: &[ReportTable]) -> Value {
    let by_name = tables
        .iter()
        .map(|table| (table.name.to_owned(), table.json()));
    let of_two = rated.of_two.iter().map(|one| {
        let advantage = one.advantage();
        let facts = json!({
            "games": one.standings.games(),
            "players": one.order.len(),
            "first_seat_advantage": advantage.map(|value| rounded(value.elo)),
            "first_seat_advantage_margin": advantage.map(|value| rounded(value.margin())),
            "draw_rate_between_equals": one.ratings.draws_of_equals(),
            "draw_rate_with_equal_seats": one.ratings.draw_rate(),
            "whole_pairs": one.ratings.pairs(),
            "pair_correlation": one.ratings.pair_correlation(),
            "notes": notes::facts(one),
            "warnings": notes::warnings(one, NotesOn::Screen),
        });
        (one.game.to_owned(), facts)
    });
    let tables_of_more = rated.tables.iter();
    let games = of_two.chain(tables_of_more.map(|one| (one.game.to_owned(), of_tables(one))));
    json!({
        "tables": by_name.collect::<Map<_, _>>(),
        "games": games.collect::<Map<_, _>>(),
        "intervals": format!("margin: {}", tables::MARGIN),
    })
}

/// Facts about a game with more than two seats.
fn of_tables(one: &RatedTables<'_>) -> Value {
    let worths = one.seats.iter().filter_map(|seats| {
        let worths = one.seat_worths(*seats)?;
        let worths = worths.iter().enumerate().map(|(at, worth)| {
            json!({ "seat": at + 1, "elo": rounded(worth.elo), "margin": rounded(worth.margin()) })
        });
        Some((seats.to_string(), worths.collect()))
    });
    json!({
        "games": one.games.count(),
        "players": one.order.len(),
        "blocks": one.blocks,
        "seats": worths.collect::<Map<_, _>>(),
        "notes": notes::table_facts(one),
        "warnings": notes::table_warnings(one),
    })
}

fn rounded(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}
