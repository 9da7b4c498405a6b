//! Tables and notes as JSON.

use serde_json::{Map, Value, json};

use super::notes::{self, NotesOn};
use super::table::ReportTable;
use super::tables;
use crate::rating::Estimate;
use crate::results::Rated;

pub fn json(rated: &[Rated<'_>], tables: &[ReportTable]) -> Value {
    let by_name = tables
        .iter()
        .map(|table| (table.name.to_owned(), table.json()));
    let games = rated.iter().map(|one| (one.game.clone(), facts(one)));
    json!({
        "tables": by_name.collect::<Map<_, _>>(),
        "games": games.collect::<Map<_, _>>(),
        "intervals": format!("margin: {}", tables::MARGIN),
    })
}

fn facts(one: &Rated<'_>) -> Value {
    let seats = one.seats.iter().filter_map(|seats| {
        let worths = one.seat_worths(*seats)?;
        Some((seats.to_string(), worths.iter().map(in_elo).collect()))
    });
    json!({
        "games": one.games(),
        "players": one.order.len(),
        "blocks": one.standings.blocks().block_count(),
        "openings": one.standings.blocks().openings,
        "variation": one.ratings.variation(),
        "first_seat_advantage": one.advantage().as_ref().map(in_elo),
        "seats": seats.collect::<Map<_, _>>(),
        "draw_rate_between_equals": one.ratings.draws_of_equals(),
        "draw_rate_with_equal_seats": one.ratings.draw_rate(),
        "notes": notes::facts(one),
        "warnings": notes::warnings(one, NotesOn::Screen),
    })
}

fn in_elo(estimate: &Estimate) -> Value {
    let rounded = |value: f64| (10.0 * value).round() / 10.0;
    json!({ "elo": rounded(estimate.elo), "margin": rounded(estimate.margin()) })
}
