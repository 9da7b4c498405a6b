//! Table of forfeits by player and reason.

use super::table::{CellView, ColumnView, TableView};
use crate::report::Forfeits;

/// The first `limit` forfeits by player and reason. `player` and `game` make the cells of a player and of the
/// first game that it forfeited.
pub fn forfeits_table(
    forfeits: &Forfeits,
    limit: usize,
    player: impl Fn(&str) -> CellView,
    game: impl Fn(u64) -> CellView,
) -> TableView {
    let all = forfeits.each();
    let caption = if all.len() > limit {
        format!("the first {limit} of {} kinds", all.len())
    } else {
        "forfeits by player and reason".to_owned()
    };
    let rows = all.take(limit).map(|(name, termination, forfeit)| {
        vec![
            player(name),
            CellView::text(termination),
            CellView::count(forfeit.count),
            game(forfeit.first),
            CellView::text(&forfeit.detail),
        ]
    });
    TableView {
        caption,
        columns: vec![
            ColumnView::name("player"),
            ColumnView::text("ended by"),
            ColumnView::number("games"),
            ColumnView::number("first"),
            ColumnView::sentence("what it did there"),
        ],
        rows: rows.collect(),
        ..TableView::default()
    }
}
