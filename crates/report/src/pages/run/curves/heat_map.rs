//! Elo against two parameters of a grid, as a cell for each pair of values.

use super::variants::{Grid, Values};
use crate::pages::parts::cell_chart::with_margin;
use crate::pages::parts::svg::{AXIS, Chart, Shape, range, round};
use crate::report::{Cell, shortened};

/// Upper bound on the columns and the rows: more would have no room for their numbers.
const COLUMNS: usize = 12;
const ROWS: usize = 40;

/// Width of the labels of rows in percent, and height of a row in pixels.
const LABELS: f64 = 16.0;
const ROW: f64 = 30.0;

const LABEL: usize = 8;

const CELLS: [&str; 11] = [
    "cell-0", "cell-1", "cell-2", "cell-3", "cell-4", "cell-5", "cell-6", "cell-7", "cell-8",
    "cell-9", "cell-10",
];

/// The ratings of a grid by two parameters; `None` if there are too many values. The parameter with more of them has the rows.
pub fn heat_map(
    grid: &Grid<'_>,
    game: &str,
    one: &Values<'_>,
    other: &Values<'_>,
) -> Option<Chart> {
    let (rows, columns) = match one.texts.len() >= other.texts.len() {
        true => (one, other),
        false => (other, one),
    };
    if columns.texts.len() > COLUMNS || rows.texts.len() > ROWS {
        return None;
    }
    let elo = grid.variants.iter().map(|variant| variant.rating[1]);
    let [low, high] = range(elo);
    let shown = |elo| Cell::Elo(elo).shown();
    let name = [rows.parameter, columns.parameter];
    let mut chart = Chart {
        name: format!("{game} elo by {} and {}", one.parameter, other.parameter),
        title: format!("{game}: Elo by {} (down) and {} (across)", name[0], name[1]),
        description: format!(
            "Elo of each variant of the grid: a row for each value of `{}`, a column for each of `{}`. The numbers have the 95 % \
             intervals.",
            name[0], name[1]
        ),
        height: AXIS + ROW * rows.texts.len() as f64,
        legend: vec![
            (CELLS[0], format!("lowest: {}", shown(low))),
            (CELLS[10], format!("highest: {}", shown(high))),
        ],
        ..Chart::default()
    };
    let width = (100.0 - LABELS) / columns.texts.len() as f64;
    let left = |column: usize| LABELS + width * column as f64;
    for column in 0..columns.texts.len() {
        let text = shortened(&columns.shown(column), LABEL);
        chart.text("tick middle", round(left(column) + width / 2.0), 14.0, text);
    }
    for row in 0..rows.texts.len() {
        let top = AXIS + ROW * row as f64;
        let text = shortened(&rows.shown(row), LABEL);
        chart.text("tick end", LABELS - 1.5, top + 20.0, text);
    }
    for variant in &grid.variants {
        let (Some(row), Some(column)) = (variant.place(rows), variant.place(columns)) else {
            continue;
        };
        let [_, elo, _] = variant.rating;
        let part = (elo - low) / (high - low).max(1.0);
        // Between 0 and 10, so the cast is exact.
        let step = (10.0 * part.clamp(0.0, 1.0)).round() as usize;
        let top = AXIS + ROW * row as f64;
        let words = with_margin(variant.rating);
        chart.shapes.push(Shape::Bar {
            class: CELLS[step],
            x: round(left(column) + 0.2),
            y: top + 1.0,
            width: round(width - 0.4),
            height: ROW - 2.0,
            tooltip: format!(
                "{} {}, {} {}: {words}",
                name[0],
                rows.shown(row),
                name[1],
                columns.shown(column)
            ),
        });
        chart.text(
            "cell middle",
            round(left(column) + width / 2.0),
            top + 19.0,
            shown(elo),
        );
    }
    Some(chart)
}
