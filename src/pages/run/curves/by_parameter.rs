//! Elo against the parameters of a grid: a line for one, a heat map for two, and means for more.

use super::heat_map::heat_map;
use super::means::mean_charts;
use super::value_plot::{ValuePoint, range, scale_words, value_plot};
use super::variants::{Grid, Values, Variant};
use crate::pages::context::RunContext;
use crate::pages::parts::svg::Chart;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::report::Cell;

/// The charts of a grid's ratings against its parameters, each with the parameters in words, and the numbers.
pub fn charts(
    pages: &RunContext<'_>,
    grid: &Grid<'_>,
    game: &str,
) -> Vec<(String, Chart, TableView)> {
    let varied = grid.varied();
    let found = match varied.as_slice() {
        [] => return Vec::new(),
        [one] => Some((one.parameter.to_owned(), line(grid, game, one))),
        [one, other] => heat_map(grid, game, one, other).map(|chart| {
            let words = format!("{} and {}", one.parameter, other.parameter);
            (words, chart)
        }),
        _ => None,
    };
    match found {
        Some((words, chart)) => {
            let table = numbers(pages, grid, game, &words, &varied);
            vec![(words, chart, table)]
        }
        None => mean_charts(grid, game, &varied),
    }
}

fn line(grid: &Grid<'_>, game: &str, values: &Values<'_>) -> Chart {
    let points = grid.variants.iter().filter_map(|variant| {
        let [low, elo, high] = variant.rating;
        Some(ValuePoint {
            place: variant.place(values)?,
            elo,
            ends: [low, high],
        })
    });
    let mut points: Vec<ValuePoint> = points.collect();
    points.sort_by_key(|point| point.place);
    let parameter = values.parameter;
    Chart {
        name: format!("{game} elo by {parameter}"),
        title: format!("{game}: Elo by {parameter}"),
        description: format!(
            "Elo of each variant of the grid, with its 95 % interval, against its value of `{parameter}`.{}",
            scale_words(values)
        ),
        ..value_plot(values, &points, range(&points))
    }
}

fn numbers(
    pages: &RunContext<'_>,
    grid: &Grid<'_>,
    game: &str,
    words: &str,
    varied: &[Values<'_>],
) -> TableView {
    let mut columns: Vec<ColumnView> = varied
        .iter()
        .map(|it| ColumnView::number(it.parameter))
        .collect();
    columns.extend(["Elo", "low", "high"].map(ColumnView::number));
    columns.push(ColumnView::name("player"));
    let mut variants: Vec<&Variant<'_>> = grid.variants.iter().collect();
    variants.sort_by_key(|variant| {
        varied
            .iter()
            .map(|it| variant.place(it))
            .collect::<Vec<_>>()
    });
    let rows = variants.into_iter().map(|variant| {
        let own = varied
            .iter()
            .filter_map(|it| variant.values.get(it.parameter));
        let mut row: Vec<CellView> = own.map(|value| CellView::text(value)).collect();
        let [low, elo, high] = variant.rating;
        row.extend([elo, low, high].map(|elo| CellView::text(&Cell::Elo(elo).plain())));
        row.push(pages.player(variant.name));
        row
    });
    TableView::new(format!("{game}: Elo by {words}"), columns, rows.collect())
}
