//! The standings of a game: a row for each player with its rating, its interval and all its results.

use minijinja::Error;

use super::bands::Bands;
use super::charts;
use super::ratings_figure::{range, ratings_figure};
use crate::pages::context::RunContext;
use crate::pages::parts::cell_chart::{CellChart, Scale};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::rating::Estimate;
use crate::report::{self, Cell};
use crate::results::{Rated, Strengths};
use crate::schedule::Conclusion;

const BAND: &str = "players with a common letter, and a common bar, are not told apart: none is stronger than \
    another one with a probability of 95 % or more. They are neighbours in the order of the ratings";

/// The standings, best first. `concluded` is the conclusion of the format, which can have places of its own.
pub fn standings(
    pages: &RunContext<'_>,
    one: &Rated<'_>,
    concluded: Option<&Conclusion>,
) -> Result<String, Error> {
    let columns = [
        "rank", "player", "elo", "margin", "games", "wins", "draws", "losses", "points", "score",
        "forfeits",
    ];
    let linked = |column: &str, cell: &Cell, view: CellView| match column {
        "player" => pages.player(&cell.plain()),
        _ => view,
    };
    let caption = format!("{}: standings, by rating", one.game);
    let ratings = report::ratings(std::slice::from_ref(one));
    let mut table = TableView::from_report(&caption, &ratings, &columns, &linked).sortable();
    let ends = |place: usize| charts::ends(one, one.order[place]);
    table.insert(5, ColumnView::charts("results", Vec::new()), |place| {
        CellView::chart(CellChart::parts(&ends(place)))
    });
    if let Some(first) = one.order.first() {
        let all = charts::ends(one, *first);
        let happened = |at: &usize| (0..one.order.len()).any(|place| ends(place)[*at].2 > 0);
        let found = (0..all.len()).filter(happened).map(|at| &all[at]);
        table.legend = charts::legend(found);
    }
    let estimates = add_intervals(&mut table, one);
    let places = concluded.map(Conclusion::places).unwrap_or_default();
    if !places.is_empty() {
        let column = ColumnView::number("place").explained(
            "in the final order of the format; the table is in the order of the ratings",
        );
        table.insert(1, column, |place| {
            let player = pages.index_of(one.name(one.order[place]));
            let found = places.iter().find(|place| Some(place.player) == player);
            found.map_or_else(CellView::default, |it| CellView::count(it.place as u64))
        });
    }
    rendered(pages, one, &estimates, &table)
}

/// A table of ratings as HTML. Its figure has the ratings as a chart.
pub fn rendered(
    pages: &RunContext<'_>,
    one: &dyn Strengths,
    estimates: &[Estimate],
    table: &TableView,
) -> Result<String, Error> {
    match estimates {
        [] => pages.exports.table(&table.caption, table),
        _ => (pages.exports).chart(&ratings_figure(one, estimates), table),
    }
    pages.templates.table(table)
}

/// Adds the intervals and the bands to a table with the columns rank, player, Elo and margin, and returns the ratings of its
/// players. Without ratings, it adds nothing.
pub fn add_intervals(table: &mut TableView, one: &dyn Strengths) -> Vec<Estimate> {
    let estimates = one.order().iter().map(|player| one.rating(*player));
    let Some(estimates) = estimates.collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let bands = Bands::new(one);
    if !bands.is_empty() {
        let column = ColumnView::number("band").explained(BAND);
        table.insert(4, column, |place| bands.cell(place));
    }
    let (column, charts) = intervals(&estimates, &bands);
    table.insert(2, column, |place| CellView::chart(charts[place].clone()));
    estimates
}

/// The intervals of the ratings on a common scale, with the bands at their left.
fn intervals(estimates: &[Estimate], bands: &Bands) -> (ColumnView, Vec<CellChart>) {
    let [low, high] = range(estimates.iter());
    let scale = Scale::new(low, high, bands.room());
    let shown = |elo: f64| Cell::Elo(elo).shown();
    let column = ColumnView::charts("95 % interval", scale.labels(0.0, shown));
    let charts = estimates.iter().enumerate().map(|(place, estimate)| {
        let ends = [estimate.low(), estimate.elo, estimate.high()];
        let [low, elo, high] = ends.map(shown);
        let label = format!("{elo} Elo, 95 % interval {low} to {high}");
        let mut chart = scale.interval(ends, 0.0, label);
        bands.draw(&mut chart, place);
        chart
    });
    (column, charts.collect())
}
