//! Tables and notes as JSON.

use serde_json::{Map, Value, json};

use super::notes::{self, NotesOn};
use super::table::ReportTable;
use super::tables;
use crate::results::Rated;

/// These tables and the notes of each game as one document in JSON.
pub fn json(rated: &[Rated<'_>], tables: &[ReportTable]) -> Value {
    let by_name = tables
        .iter()
        .map(|table| (table.name.to_owned(), table.json()));
    let games = rated.iter().map(|one| {
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
    json!({
        "tables": by_name.collect::<Map<_, _>>(),
        "games": games.collect::<Map<_, _>>(),
        "intervals": format!("margin: {}", tables::MARGIN),
    })
}

fn rounded(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}
