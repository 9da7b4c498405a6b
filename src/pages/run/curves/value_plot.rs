//! Elo against the values of one parameter of a grid.

use super::variants::Values;
use crate::pages::parts::lines::{Plot, dot};
use crate::pages::parts::svg::{Chart, Shape};
use crate::report::Cell;

/// Room of a character of a label, in percent of the width of a phone.
const CHARACTER: f64 = 2.2;

/// Elo at a value of the parameter, by the index of the value, with the ends of a line through it.
#[derive(Debug, Clone, Copy)]
pub struct ValuePoint {
    pub place: usize,
    pub elo: f64,
    pub ends: [f64; 2],
}

/// A chart of points in the order of the values, on a scale of at least this range, without title and description.
pub fn value_plot(values: &Values<'_>, points: &[ValuePoint], range: [f64; 2]) -> Chart {
    let parts = values.parts();
    let words = |elo| Cell::Elo(elo).shown();
    let plot = Plot::new(range, &words);
    let mut chart = plot.chart();
    let mut room = f64::NEG_INFINITY;
    for point in points {
        let part = parts[point.place];
        let text = values.shown(point.place);
        let half = CHARACTER * text.chars().count() as f64 / 2.0;
        let x = plot.x(part);
        if x - half > room {
            plot.label(&mut chart, part, text);
            room = x + half;
        }
    }
    let places = points
        .iter()
        .map(|point| [plot.x(parts[point.place]), plot.y(point.elo)]);
    let places: Vec<[f64; 2]> = places.collect();
    if values.numbers.is_some() && places.len() > 1 {
        chart.shapes.push(Shape::Curve {
            class: "line player-0".to_owned(),
            points: places.clone(),
        });
    }
    for ([x, y], point) in places.into_iter().zip(points) {
        chart.line("interval", [x; 2], point.ends.map(|end| plot.y(end)));
        dot(&mut chart, "mark", [x, y]);
    }
    chart
}

/// The range of some points and their finite ends.
pub fn range(points: &[ValuePoint]) -> [f64; 2] {
    let ends = points
        .iter()
        .flat_map(|point| [point.ends[0], point.elo, point.ends[1]]);
    let ends = ends.filter(|end| end.is_finite());
    [
        ends.clone().fold(f64::INFINITY, f64::min),
        ends.fold(f64::NEG_INFINITY, f64::max),
    ]
}

/// A sentence about the scale of the parameter, if it is logarithmic.
pub fn scale_words(values: &Values<'_>) -> &'static str {
    match values.is_logarithmic() {
        true => " The scale of the parameter is logarithmic.",
        false => "",
    }
}
