//! Charts of columns of equal width.

use super::svg::{AXIS, Chart, Shape, round};
use crate::text::counted;

/// Height of the tallest column of a histogram, in pixels.
const COLUMNS: f64 = 140.0;

/// Width of a histogram class, rounded up to a round number, for `span` in at most about `classes` classes.
pub fn class_width(span: u32, classes: u32) -> u32 {
    let widths = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
    let needed = span / classes + 1;
    let width = widths.into_iter().find(|width| *width >= needed);
    width.unwrap_or(needed)
}

/// Columns of equal width, each with its tooltip. `ends` labels the ends of the axis; the last
/// two words are the noun of the counted things.
pub fn columns_chart(
    columns: &[(u64, String)],
    ends: [String; 2],
    [one, many]: [&str; 2],
) -> Chart {
    let most = columns.iter().map(|(count, _)| *count).max().unwrap_or(0);
    let bottom = AXIS + COLUMNS;
    let mut chart = Chart {
        height: bottom + AXIS,
        ..Chart::default()
    };
    chart.text(
        "start quiet",
        0.0,
        12.0,
        format!("highest: {}", counted(most, one, many)),
    );
    let width = 100.0 / columns.len().max(1) as f64;
    for (at, (count, tooltip)) in columns.iter().enumerate() {
        let height = round(COLUMNS * *count as f64 / most.max(1) as f64);
        chart.shapes.push(Shape::Bar {
            class: "column",
            x: round(at as f64 * width + width * 0.06),
            y: round(bottom - height),
            width: round(width * 0.88),
            height,
            tooltip: tooltip.clone(),
        });
    }
    chart.line("base", [0.0, 100.0], [bottom, bottom]);
    let [low, high] = ends;
    chart.text("start quiet", 0.0, bottom + 15.0, low);
    chart.text("end quiet", 100.0, bottom + 15.0, high);
    chart
}
