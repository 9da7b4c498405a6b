//! Tables of everyone against everyone.

use crate::pages::context::RunContext;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::report;
use crate::results::Rated;

/// Upper bound on the players of a matrix: more do not fit any screen.
pub const MATRIX_PLAYERS: usize = 60;

/// Maximum display width of a name at the top. Its row has the whole name.
const HEADING: usize = 14;

/// Crosstable of results, coloured by the score.
pub fn crosstable(pages: &RunContext<'_>, one: &Rated<'_>) -> TableView {
    let caption = "won-drawn-lost against each other, best first";
    matrix(pages, one, caption, &|player, other| {
        let tally = one.standings.against(player, other);
        match tally.games() {
            0 => CellView::default(),
            games => {
                let text = format!("{}-{}-{}", tally.wins, tally.draws, tally.losses);
                CellView::text(&text).heat(tally.points() / games as f64)
            }
        }
    })
}

/// Probability that the row's player is stronger than the column's.
pub fn superiority(pages: &RunContext<'_>, one: &Rated<'_>) -> TableView {
    let caption = "probability that the player of the row is the stronger one, best first";
    matrix(pages, one, caption, &|player, other| {
        if player == other {
            return CellView::default();
        }
        let superiority = one.ratings.superiority(player, other);
        CellView::share(superiority).heat(superiority)
    })
}

fn matrix(
    pages: &RunContext<'_>,
    one: &Rated<'_>,
    caption: &str,
    cell: &dyn Fn(usize, usize) -> CellView,
) -> TableView {
    let mut columns = vec![ColumnView::name("player")];
    let names = one
        .order
        .iter()
        .map(|player| pages.names.shown(one.name(*player)));
    columns.extend(names.map(|name| ColumnView::number(&report::shortened(&name, HEADING))));
    let rows = one.order.iter().map(|player| {
        let mut row = vec![pages.player(one.name(*player))];
        row.extend(one.order.iter().map(|other| cell(*player, *other)));
        row
    });
    TableView {
        caption: format!("{}: {caption}", one.game),
        columns,
        rows: rows.collect(),
    }
}
