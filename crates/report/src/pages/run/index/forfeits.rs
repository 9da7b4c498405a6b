//! Forfeits on the index.

use minijinja::Error;

use crate::pages::context::RunContext;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::report::Forfeits;

/// Upper bound on the forfeits in the table.
const LISTED: usize = 300;

/// Forfeits by player and reason, with the command that brings the bot there again; empty without forfeits.
pub fn all_forfeits(pages: &RunContext<'_>, forfeits: &Forfeits) -> Result<String, Error> {
    let logged = pages.run.manifest().record.logs.keeps(true);
    let all = forfeits.each();
    let caption = if all.len() > LISTED {
        format!(
            "the first {LISTED} of {} kinds; the players' pages have all",
            all.len()
        )
    } else {
        "forfeits by player and reason".to_owned()
    };
    let rows = all.take(LISTED).map(|(name, termination, forfeit)| {
        vec![
            pages.player(name),
            CellView::text(termination),
            CellView::count(forfeit.count),
            pages.game(forfeit.first, None, logged),
            CellView::text(&forfeit.detail),
            pages.replay_command(forfeit.first, name, logged),
        ]
    });
    let columns = vec![
        ColumnView::name("player"),
        ColumnView::text("ended by"),
        ColumnView::number("games"),
        ColumnView::number("first"),
        ColumnView::sentence("what it did there"),
        ColumnView::sentence("see what the bot does there"),
    ];
    let table = TableView::new(caption, columns, rows).sortable();
    if table.rows.is_empty() {
        return Ok(String::new());
    }
    pages.table(&table)
}
