//! Charts in the cells of a table: an interval on a scale, or the parts of a whole. A chart is as wide as its
//! column, and its words are beside it in other cells.

use serde::Serialize;

use super::svg::{Axis, BarPart, round};
use crate::rating::Interval;
use crate::report::Cell;

/// Height of a chart, in the units of its outlines. Its width is 100.
const HEIGHT: f64 = 24.0;

/// Space at each end of a scale, and half the height of the marks at the ends of an interval.
const EDGE: f64 = 2.0;
const MARK: f64 = 5.0;

const BAR_AT: f64 = 7.0;
const BAR: f64 = 10.0;

pub fn legend<'a>(parts: impl Iterator<Item = &'a BarPart>) -> Vec<(&'static str, String)> {
    parts
        .map(|(class, words, _)| (*class, (*words).to_owned()))
        .collect()
}

/// A rating with half the width of its interval, or with the end that it has.
pub fn with_margin([low, elo, high]: Interval) -> String {
    let shown = |elo: f64| Cell::Elo(elo).shown();
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!(
            "{} ± {}",
            shown(elo),
            Cell::Margin((high - low) / 2.0).shown()
        ),
        (true, false) => format!("{}, at least {}", shown(elo), shown(low)),
        (false, true) => format!("{}, at most {}", shown(elo), shown(high)),
        (false, false) => shown(elo),
    }
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct CellChart {
    pub label: String,
    /// CSS class and outline of each shape.
    pub shapes: Vec<(&'static str, String)>,
}

/// A scale that all charts of a column share.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    axis: Axis,
}

/// A label at the head of a column: its place in percent of the width, its alignment, and its words.
pub type Label = (f64, &'static str, String);

impl Scale {
    pub fn new(low: f64, high: f64) -> Self {
        Self {
            axis: Axis::new(low, high, 4),
        }
    }

    /// The place of a value, cut at the ends of the scale.
    fn place(&self, value: f64) -> f64 {
        let part = self.axis.part(value).clamp(0.0, 1.0);
        round(EDGE + (100.0 - 2.0 * EDGE) * part)
    }

    /// The labels at both ends of the scale and at `base`, from the left to the right. More would not fit a column.
    pub fn labels(&self, base: f64, words: impl Fn(f64) -> String) -> Vec<Label> {
        let ticks: Vec<f64> = self.axis.ticks().collect();
        let last = ticks.len().saturating_sub(1);
        let label = |(at, tick): (usize, &f64)| {
            let alignment = match at {
                0 => "start",
                at if at == last => "end",
                _ if *tick == base => "middle",
                _ => return None,
            };
            Some((self.place(*tick), alignment, words(*tick)))
        };
        ticks.iter().enumerate().filter_map(label).collect()
    }

    /// A value with its interval. The line at `base` is stronger than the others. An infinite end is the one of the scale, without
    /// a mark.
    pub fn interval(&self, [low, value, high]: Interval, base: f64, label: String) -> CellChart {
        let upright = |value: f64| format!("M{} 0V{HEIGHT}", self.place(value));
        let (bases, others): (Vec<f64>, Vec<f64>) =
            self.axis.ticks().partition(|tick| *tick == base);
        let grid = |ticks: Vec<f64>| ticks.into_iter().map(upright).collect::<String>();
        let mut shapes = vec![("grid", grid(others)), ("base", grid(bases))];
        let y = HEIGHT / 2.0;
        if low.is_finite() || high.is_finite() {
            let [left, right] = [low, high].map(|end| self.place(end));
            let mut line = format!("M{left} {y}H{right}");
            for (end, x) in [(low, left), (high, right)] {
                if end.is_finite() {
                    line.push_str(&format!("M{x} {}V{}", y - MARK, y + MARK));
                }
            }
            shapes.push(("interval", line));
        }
        if value.is_finite() {
            shapes.push(("rating", format!("M{} {y}h0", self.place(value))));
        }
        CellChart { label, shapes }
    }
}

impl CellChart {
    pub fn parts(counts: &[BarPart]) -> Self {
        let all: u64 = counts.iter().map(|(_, _, count)| count).sum();
        let mut chart = Self::default();
        let mut words = Vec::new();
        let mut x = 0.0;
        for (class, name, count) in counts.iter().filter(|(_, _, count)| *count > 0) {
            let width = 100.0 * *count as f64 / all as f64;
            chart.shapes.push((*class, bar(x, width, BAR_AT, BAR)));
            words.push(format!("{name}: {count}"));
            x += width;
        }
        chart.label = words.join(", ");
        chart
    }
}

fn bar(x: f64, width: f64, y: f64, height: f64) -> String {
    let (x, width) = (round(x), round(width));
    format!("M{x} {y}h{width}v{height}h-{width}z")
}
