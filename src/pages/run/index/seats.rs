//! The seats of a game: of two, the results of the first, which are the other's reversed; of more, the places of each.

use minijinja::Error;

use crate::pages::context::RunContext;
use crate::pages::parts::cell_chart::legend;
use crate::pages::parts::svg::{BarPart, Chart};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::run::places::places_by_seat;
use crate::rating::SeatPlaces;
use crate::report::Cell;
use crate::results::Rated;

/// The seats as HTML. `names` are the names of more than two.
pub fn seats(
    pages: &RunContext<'_>,
    one: &Rated<'_>,
    names: Option<&[&str]>,
    places: &SeatPlaces,
) -> Result<String, Error> {
    match names {
        Some(names) => pages.table(&of_more(one, names, places)),
        None => {
            let results = first_seat(one);
            pages.chart(&chart(one, &results), &numbers(one, &results))
        }
    }
}

/// The places of the players in each seat, and its worth.
fn of_more(one: &Rated<'_>, names: &[&str], places: &SeatPlaces) -> TableView {
    let mut table = places_by_seat(&one.game, names, |seat| places.of_seat[seat].0);
    let mut add = |column: ColumnView, cell: &dyn Fn(usize) -> CellView| {
        table.insert(table.columns.len(), column, cell);
    };
    let beaten = "the mean share of its opponents that were behind it; a tied one counts half";
    add(ColumnView::number("beaten").explained(beaten), &|seat| {
        let (places, beaten) = places.of_seat[seat];
        CellView::share(beaten / places.iter().sum::<u64>().max(1) as f64)
    });
    if let Some(worths) = one.seat_worths(names.len()) {
        let worth = "what the seat adds to a player's Elo, from the mean of all seats; the ratings allow for it";
        add(ColumnView::number("worth").explained(worth), &|seat| {
            CellView::text(&Cell::Elo(worths[seat].elo).shown())
        });
        add(ColumnView::number("± worth"), &|seat| {
            CellView::text(&Cell::Margin(worths[seat].margin()).shown())
        });
    }
    table
}

/// Results of the first seat: games won, drawn, lost, and forfeited by both.
fn first_seat(one: &Rated<'_>) -> [BarPart; 4] {
    let sum = one.standings.blocks().of_first_seat();
    let both = one.standings.totals().forfeited_by_all;
    [
        ("won", "won by the first seat", sum.wins),
        ("drawn", "drawn", sum.draws),
        ("lost", "won by the second seat", sum.losses),
        ("forfeited", "forfeited by both", both),
    ]
}

fn chart(one: &Rated<'_>, results: &[BarPart]) -> Chart {
    let mut chart = Chart {
        name: format!("{} seats", one.game),
        title: format!("{}: results of the first seat", one.game),
        description: format!("All games, by the seat that won. {}", advantage(one)),
        height: 30.0,
        legend: legend(results.iter().filter(|(_, _, count)| *count > 0)),
        ..Chart::default()
    };
    chart.stacked(4.0, 22.0, results);
    chart
}

/// Advantage of the first seat in Elo, in a sentence.
fn advantage(one: &Rated<'_>) -> String {
    match one.advantage() {
        Some(worth) => {
            let [elo, low, high] =
                [worth.elo, worth.low(), worth.high()].map(|elo| Cell::Elo(elo).shown());
            let interval = match worth.error.is_finite() {
                true => format!("with a 95 % interval from {low} to {high}"),
                false => "from too few games for an interval".to_owned(),
            };
            format!("The first seat is worth {elo} Elo, {interval}; the ratings allow for it.")
        }
        None if one.all_forfeited() => "Each game was forfeited.".to_owned(),
        None => "Both seats are rated as equal.".to_owned(),
    }
}

fn numbers(one: &Rated<'_>, results: &[BarPart]) -> TableView {
    let rows = results
        .iter()
        .map(|(_, words, count)| vec![CellView::text(words).heading(), CellView::count(*count)]);
    TableView::new(
        format!("{}: results by seat", one.game),
        vec![ColumnView::text("result"), ColumnView::number("games")],
        rows.collect(),
    )
}
