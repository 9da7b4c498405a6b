//! Elo against the parameters of a grid: a line for one, a heat map for two.

use super::heat_map::heat_map;
use super::variants::{Grid, Values, Variant};
use crate::pages::context::RunContext;
use crate::pages::parts::lines::{Plot, dot};
use crate::pages::parts::svg::{Chart, Shape};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::report::Cell;

/// Room of a character of a label, in percent of the width of a phone.
const CHARACTER: f64 = 2.2;

/// The ratings of a grid against its parameters, one or two, with the numbers, and the parameters in words; `None` for any
/// other number of parameters.
pub fn chart(
    pages: &RunContext<'_>,
    grid: &Grid<'_>,
    game: &str,
) -> Option<(String, Chart, TableView)> {
    let varied = grid.varied();
    let (words, chart) = match varied.as_slice() {
        [one] => (one.parameter.to_owned(), line(grid, game, one)),
        [one, other] => (
            format!("{} and {}", one.parameter, other.parameter),
            heat_map(grid, game, one, other)?,
        ),
        _ => return None,
    };
    let table = numbers(pages, grid, game, &words, &varied);
    Some((words, chart, table))
}

fn line(grid: &Grid<'_>, game: &str, values: &Values<'_>) -> Chart {
    let parts = values.parts();
    let points = grid.variants.iter().filter_map(|variant| {
        let place = variant.place(values)?;
        Some((place, parts[place], variant.rating))
    });
    let mut points: Vec<_> = points.collect();
    points.sort_by_key(|(place, ..)| *place);
    let ends = points.iter().flat_map(|(.., it)| [it.low(), it.high()]);
    let ends = ends.filter(|end| end.is_finite());
    let range = [
        ends.clone().fold(f64::INFINITY, f64::min),
        ends.fold(f64::NEG_INFINITY, f64::max),
    ];
    let words = |elo| Cell::Elo(elo).shown();
    let plot = Plot::new(range, &words);
    let mut chart = plot.chart();
    let mut room = f64::NEG_INFINITY;
    for (place, part, _) in &points {
        let text = values.shown(*place);
        let half = CHARACTER * text.chars().count() as f64 / 2.0;
        let x = plot.x(*part);
        if x - half > room {
            plot.label(&mut chart, *part, text);
            room = x + half;
        }
    }
    let places = points
        .iter()
        .map(|(_, part, rating)| [plot.x(*part), plot.y(rating.elo)]);
    let places: Vec<[f64; 2]> = places.collect();
    if values.numbers.is_some() && places.len() > 1 {
        chart.shapes.push(Shape::Curve {
            class: "line player-0".to_owned(),
            points: places.clone(),
        });
    }
    for ([x, y], (.., rating)) in places.into_iter().zip(&points) {
        chart.line(
            "interval",
            [x; 2],
            [plot.y(rating.low()), plot.y(rating.high())],
        );
        dot(&mut chart, "mark", [x, y]);
    }
    let scale = match values.is_logarithmic() {
        true => " The scale of the parameter is logarithmic.",
        false => "",
    };
    Chart {
        name: format!("{game} elo by {}", values.parameter),
        title: format!("{game}: Elo by {}", values.parameter),
        description: format!(
            "Elo of each variant of the grid, with its 95 % interval, against its value of `{}`.{scale}",
            values.parameter
        ),
        ..chart
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
        let rating = variant.rating;
        let elo = [rating.elo, rating.low(), rating.high()];
        row.extend(elo.map(|elo| CellView::text(&Cell::Elo(elo).plain())));
        row.push(pages.player(variant.name));
        row
    });
    TableView::new(format!("{game}: Elo by {words}"), columns, rows.collect())
}
