//! Charts with a row for each player or opening.

use super::svg::{AXIS, Axis, Chart};

/// Maximum display width of a name in a chart. Tables have the whole name.
pub const NAME: usize = 28;

/// Height of a player's row in a chart, and offsets of the name and the bar in it, in pixels.
pub const ROW: f64 = 36.0;
pub const NAME_AT: f64 = 14.0;
pub const BAR_AT: f64 = 20.0;
pub const BAR: f64 = 10.0;

/// The height of a chart of intervals.
pub fn intervals_height(rows: usize) -> f64 {
    AXIS + ROW * rows as f64 + 8.0
}

/// Adds a row to a chart of intervals: the name at `left`, the numbers at the right, and below them the
/// value with its interval.
pub fn interval(
    chart: &mut Chart,
    axis: &Axis,
    left: f64,
    row: usize,
    [name, numbers]: [String; 2],
    [low, value, high]: [f64; 3],
) {
    let top = AXIS + ROW * row as f64 + 4.0;
    chart.text("start", left, top + NAME_AT, name);
    chart.text("end quiet", 100.0, top + NAME_AT, numbers);
    let y = top + BAR_AT + 6.0;
    let ends = [low, high].map(|end| axis.place(end));
    if ends.iter().all(|end| end.is_finite()) {
        chart.line("interval", ends, [y, y]);
        for end in ends {
            chart.line("interval", [end, end], [y - 4.0, y + 4.0]);
        }
    }
    chart.dot("rating", axis.place(value), y);
}
