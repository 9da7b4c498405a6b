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

pub fn crosstable(pages: &RunContext<'_>, one: &Rated<'_>) -> TableView {
    let caption = format!("{} against each other, best first", one.outcomes());
    let scale = ["no points", "half of the points", "all points"];
    matrix(pages, one, &caption, scale, &|player, other| {
        let tally = one.against(player, other);
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
        let superiority = one.superiority(player, other);
        let text = format!("{:.1}", 100.0 * superiority);
        CellView::text(if text == "0.0" { "" } else { &text }).heat(superiority)
    })
}

/// The table whose cells `cell` makes of two players; `scale` has the words of the colours for none, for half and for all.
fn matrix(
    pages: &RunContext<'_>,
    one: &Rated<'_>,
    caption: &str,
    scale: [&str; 3],
    cell: &dyn Fn(usize, usize) -> CellView,
) -> TableView {
    let mut columns = vec![ColumnView::name("player")];
    let players = &one.order;
    let is_numbered = players.len() > NAMED;
    columns.extend(players.iter().zip(1_u64..).map(|(player, number)| {
        ColumnView::number(&match is_numbered {
            true => number.to_string(),
            false => report::shortened(&pages.names.shown(one.name(*player)), HEADING),
        })
    }));
    if is_numbered {
        columns.insert(0, ColumnView::number("#"));
    }
    let rows = players.iter().zip(1..).map(|(player, number)| {
        let mut row = vec![pages.player(one.name(*player))];
        row.extend(players.iter().map(|other| match player == other {
            true => CellView::default(),
            false => cell(*player, *other),
        }));
        if is_numbered {
            row.insert(0, CellView::count(number));
        }
        row
    });
    let classes = ["heat-0", "heat-5", "heat-10"].into_iter();
    let legend = classes.zip(scale.map(str::to_owned));
    TableView {
        legend: legend.collect(),
        ..TableView::new(format!("{}: {caption}", one.game), columns, rows)
    }
}
