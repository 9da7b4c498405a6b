//! Charts as simple shapes. Horizontal positions are in percent of the width, so that a chart fits any
//! screen while its letters keep their size. Vertical positions are in pixels.

use serde::Serialize;

/// A part of a bar: CSS class, words, and count.
pub type BarPart = (&'static str, &'static str, u64);

#[derive(Debug, Clone, Default, Serialize)]
pub struct Chart {
    /// The words of its file's name among the figures; empty for the title.
    pub name: String,
    pub title: String,
    pub description: String,
    pub height: f64,
    /// Later ones cover earlier ones.
    pub shapes: Vec<Shape>,
    /// Entries of the legend: CSS class and words.
    pub legend: Vec<(&'static str, String)>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shape {
    Line {
        class: &'static str,
        x: [f64; 2],
        y: [f64; 2],
    },
    Bar {
        class: &'static str,
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        tooltip: String,
    },
    Dot {
        class: &'static str,
        x: f64,
        y: f64,
    },
    /// A line through many points, or the outline of an area: in percent and pixels, like all places.
    Curve {
        class: String,
        points: Vec<[f64; 2]>,
    },
    Text {
        /// With the alignment: `start`, `middle` or `end`.
        class: &'static str,
        x: f64,
        y: f64,
        text: String,
    },
}

/// Height of an axis above or below a chart, in pixels.
pub const AXIS: f64 = 20.0;

#[derive(Debug, Clone, Copy)]
pub struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// An axis from a round number to a round number, with at most `ticks` steps.
    pub fn new(low: f64, high: f64, ticks: u32) -> Self {
        let span = (high - low).max(1.0);
        let rough = span / f64::from(ticks);
        let power = 10_f64.powf(rough.log10().floor());
        let factors = [1.0, 2.0, 5.0, 10.0];
        let factor = factors.into_iter().find(|factor| factor * power >= rough);
        let step = power * factor.unwrap_or(10.0);
        let low = (low / step).floor() * step;
        Self {
            low,
            high: ((high / step).ceil() * step).max(low + step),
            step,
        }
    }

    /// Position of a value along the axis, from 0 to 1.
    pub fn part(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    pub fn ticks(&self) -> impl Iterator<Item = f64> + '_ {
        let steps = ((self.high - self.low) / self.step).round() as u32;
        (0..=steps).map(|tick| self.low + f64::from(tick) * self.step)
    }
}

impl Chart {
    pub fn line(&mut self, class: &'static str, x: [f64; 2], y: [f64; 2]) {
        self.shapes.push(Shape::Line { class, x, y });
    }

    pub fn dot(&mut self, class: &'static str, x: f64, y: f64) {
        self.shapes.push(Shape::Dot { class, x, y });
    }

    pub fn text(&mut self, class: &'static str, x: f64, y: f64, text: impl Into<String>) {
        let text = text.into();
        self.shapes.push(Shape::Text { class, x, y, text });
    }
}

/// The least and the greatest of the finite values.
pub fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let none = [f64::INFINITY, f64::NEG_INFINITY];
    let finite = values.filter(|value| value.is_finite());
    finite.fold(none, |[low, high], value| [low.min(value), high.max(value)])
}

/// Two decimals: a hundredth of a percent is less than a pixel.
pub fn round(value: f64) -> f64 {
    (100.0 * value).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_round_ticks_that_enclose_its_values() {
        for (low, high, ticks) in [
            (-968.0, 754.0, &[-1000.0, -500.0, 0.0, 500.0, 1000.0][..]),
            (0.0, 1.0, &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
            (-3.0, -3.0, &[-3.0, -2.8, -2.6, -2.4, -2.2, -2.0]),
            (0.0, 1999.0, &[0.0, 500.0, 1000.0, 1500.0, 2000.0]),
        ] {
            let axis = Axis::new(low, high, 5);
            let found: Vec<f64> = axis.ticks().map(round).collect();
            assert!(found.first() <= Some(&low) && found.last() >= Some(&high));
            assert!(found.len() <= 7, "{found:?}");
            if low != high {
                assert_eq!(found, ticks, "{low} to {high}");
            }
            let ends = [found[0], found[found.len() - 1]];
            assert_eq!(ends.map(|end| round(axis.part(end))), [0.0, 1.0]);
        }
    }
}
