//! Tables of everyone against everyone.

use crate::pages::context::RunContext;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::report;
use crate::results::Rated;

/// Upper bound on the players of a matrix: more do not fit any screen.
pub const MATRIX_PLAYERS: usize = 60;

/// Maximum display width of a name at the top. Its row has the whole name.
const HEADING: usize = 14;

/// Upper bound on the players with a name at the top. More have their number in the order.
const NAMED: usize = 8;

/// Crosstable of results, coloured by the score.
pub fn crosstable(pages: &RunContext<'_>, one: &Rated<'_>) -> TableView {
    let caption = "won-drawn-lost against each other, best first";
    let scale = ["lost all", "half of the points", "won all"];
    matrix(pages, one, caption, scale, &|player, other| {
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
    let caption =
        "probability in percent that the player of the row is the stronger one, best first";
    let scale = ["0 %, left blank", "50 %", "100 %"];
    matrix(pages, one, caption, scale, &|player, other| {
        if player == other {
            return CellView::default();
        }
        let superiority = one.ratings.superiority(player, other);
        let text = format!("{:.1}", 100.0 * superiority);
        CellView::text(if text == "0.0" { "" } else { &text }).heat(superiority)
    })
}

fn matrix(
    pages: &RunContext<'_>,
    one: &Rated<'_>,
    caption: &str,
    scale: [&str; 3],
    cell: &dyn Fn(usize, usize) -> CellView,
) -> TableView {
    let mut columns = vec![ColumnView::name("player")];
    let is_numbered = one.order.len() > NAMED;
    columns.extend((1..).zip(&one.order).map(|(number, player)| {
        let name = pages.names.shown(one.name(*player));
        let number: u64 = number;
        ColumnView::number(&match is_numbered {
            true => number.to_string(),
            false => report::shortened(&name, HEADING),
        })
    }));
    if is_numbered {
        columns.insert(0, ColumnView::number("#"));
    }
    let rows = (1..).zip(&one.order).map(|(number, player)| {
        let mut row = vec![pages.player(one.name(*player))];
        row.extend(one.order.iter().map(|other| cell(*player, *other)));
        if is_numbered {
            row.insert(0, CellView::count(number));
        }
        row
    });
    let classes = ["heat-0", "heat-5", "heat-10"].into_iter();
    let legend = classes.zip(scale.map(str::to_owned));
    TableView {
        caption: format!("{}: {caption}", one.game),
        columns,
        rows: rows.collect(),
        legend: legend.collect(),
        ..TableView::default()
    }
}
