//! The standings of a game: a row for each player with its rating, its interval and all its results.

use minijinja::Error;

use super::{Bands, charts, range, ratings_figure};
use crate::pages::context::RunContext;
use crate::pages::parts::cell_chart::{CellChart, Scale, legend};
use crate::pages::parts::table::{CellView, ColumnView, TableView, has_values};
use crate::pages::result_columns;
use crate::rating::Interval;
use crate::report::{self, Cell, ReportTable};
use crate::results::Rated;
use crate::schedule::Conclusion;

const BAND: &str = "players with a common letter, and a common bar, are not told apart: none is stronger than \
    another one with a probability of 95 % or more. They are neighbours in the order of the ratings";

/// The standings, best first. `concluded` is the conclusion of the format, which can have places of its own.
pub fn standings(
    pages: &RunContext<'_>,
    one: &Rated<'_>,
    concluded: Option<&Conclusion>,
) -> Result<String, Error> {
    let linked = |column: &str, cell: &Cell, view: CellView| match column {
        "player" => pages.player(&cell.plain()),
        _ => view,
    };
    let caption = format!("{}: standings, by rating", one.game);
    let ratings = report::ratings(std::slice::from_ref(one));
    let columns = columns(&ratings, one.most_seats());
    let mut table = TableView::from_report(&caption, &ratings, &columns, &linked).sortable();
    let results = |place: usize| charts::results(one, one.order[place]);
    table.insert(5, ColumnView::charts("results", Vec::new()), |place| {
        CellView::chart(CellChart::parts(&results(place)))
    });
    if let Some(first) = one.order.first() {
        let all = charts::results(one, *first);
        let happened = |at: &usize| (0..one.order.len()).any(|place| results(place)[*at].2 > 0);
        let found = (0..all.len()).filter(happened).map(|at| &all[at]);
        table.legend = legend(found);
    }
    let of_players: Vec<Interval> = one
        .order
        .iter()
        .map(|player| one.interval(*player))
        .collect();
    let bands = Bands::new(one);
    if !bands.is_empty() {
        let column = ColumnView::number("band").explained(BAND);
        table.insert(4, column, |place| bands.cell(place));
    }
    let (column, charts) = intervals(&of_players, &bands);
    table.insert(2, column, |place| CellView::chart(charts[place].clone()));
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
    // The figure for papers has the ratings alone.
    (pages.exports).chart(&ratings_figure(one, &of_players), &table);
    pages.templates.table(&table)
}

/// The columns of the table `ratings` that tell something of games with this number of seats. Of two, the interval of Elo says
/// how sure the score is; of more, points are left out for its margin, so that the table fits a screen.
fn columns(ratings: &ReportTable, seats: usize) -> Vec<&'static str> {
    let mut columns = vec!["rank", "player", "elo", "margin", "games"];
    columns.extend(result_columns(seats));
    columns.extend(match seats {
        2 => ["points", "score"].as_slice(),
        _ => &["score", "score_margin", "blocks"],
    });
    let by_rules = ["rules_points", "rules_points_margin"];
    columns.extend(
        by_rules
            .into_iter()
            .filter(|column| has_values(ratings, column)),
    );
    columns.push("forfeits");
    columns
}

/// The intervals of the ratings on a common scale, with the bands at their left.
fn intervals(intervals: &[Interval], bands: &Bands) -> (ColumnView, Vec<CellChart>) {
    let [low, high] = range(intervals.iter());
    let scale = Scale::new(low, high, bands.room());
    let shown = |elo: f64| Cell::Elo(elo).shown();
    let column = ColumnView::charts("95 % interval", scale.labels(0.0, shown));
    let charts = intervals.iter().enumerate().map(|(place, ends)| {
        let [low, elo, high] = ends.map(shown);
        let label = format!("{elo} Elo, 95 % interval {low} to {high}");
        let mut chart = scale.interval(*ends, 0.0, label);
        bands.draw(&mut chart, place);
        chart
    });
    (column, charts.collect())
}
