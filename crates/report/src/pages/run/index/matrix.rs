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
    let table = Matrix {
        game: &one.game,
        players: &names(one),
        caption: &format!("{} against each other, best first", one.outcomes()),
        scale: ["no points", "half of the points", "all points"],
    };
    matrix(pages, &table, &|player, other| {
        if player == other {
            return CellView::default();
        }
        let [player, other] = [player, other].map(|place| one.order[place]);
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
    let table = Matrix {
        game: &one.game,
        players: &names(one),
        caption: "probability in percent that the player of the row is the stronger one, best first",
        scale: ["0 %, left blank", "50 %", "100 %"],
    };
    matrix(pages, &table, &|player, other| {
        if player == other {
            return CellView::default();
        }
        let [player, other] = [player, other].map(|place| one.order[place]);
        let superiority = one.superiority(player, other);
        let text = format!("{:.1}", 100.0 * superiority);
        CellView::text(if text == "0.0" { "" } else { &text }).heat(superiority)
    })
}

/// The players' names, best first.
fn names<'a>(one: &'a Rated<'_>) -> Vec<&'a str> {
    one.order.iter().map(|player| one.name(*player)).collect()
}

/// A table of everyone against everyone without its cells.
struct Matrix<'a> {
    game: &'a str,
    /// The names of the players, best first.
    players: &'a [&'a str],
    caption: &'a str,
    /// The words of the colours for none, for half and for all.
    scale: [&'a str; 3],
}

/// The table whose cells `cell` makes, from the places of two players in it.
fn matrix(
    pages: &RunContext<'_>,
    table: &Matrix<'_>,
    cell: &dyn Fn(usize, usize) -> CellView,
) -> TableView {
    let mut columns = vec![ColumnView::name("player")];
    let players = table.players;
    let is_numbered = players.len() > NAMED;
    columns.extend((1..).zip(players).map(|(number, player)| {
        let name = pages.names.shown(player);
        let number: u64 = number;
        ColumnView::number(&match is_numbered {
            true => number.to_string(),
            false => report::shortened(&name, HEADING),
        })
    }));
    if is_numbered {
        columns.insert(0, ColumnView::number("#"));
    }
    let rows = players.iter().enumerate().map(|(player, name)| {
        let mut row = vec![pages.player(name)];
        row.extend((0..players.len()).map(|other| cell(player, other)));
        if is_numbered {
            row.insert(0, CellView::count(player as u64 + 1));
        }
        row
    });
    let classes = ["heat-0", "heat-5", "heat-10"].into_iter();
    let legend = classes.zip(table.scale.map(str::to_owned));
    TableView {
        legend: legend.collect(),
        ..TableView::new(format!("{}: {}", table.game, table.caption), columns, rows)
    }
}
