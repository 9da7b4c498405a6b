//! Lines over two axes.

use super::svg::{AXIS, Axis, CURVE, Chart, Shape, round};

/// Left end and width of the plotting area, in percent: labels stand on both sides.
const LEFT: f64 = 15.0;
const WIDTH: f64 = 77.0;

const HEIGHT: f64 = 220.0;

/// Minimum distance between the labels at the ends of lines, in pixels.
const APART: f64 = 13.0;

/// CSS classes of lines that differ by colour or dashes.
pub const SERIES: [&str; 12] = [
    "series-0",
    "series-1",
    "series-2",
    "series-3",
    "series-4",
    "series-5",
    "series-6",
    "series-7",
    "series-8",
    "series-9",
    "series-10",
    "series-11",
];

/// A line through points, from left to right.
pub struct Series {
    /// Label at its right end.
    pub label: String,
    /// Its entry in the legend.
    pub words: String,
    pub points: Vec<(f64, f64)>,
}

/// Axes of a line chart.
pub struct Plot {
    pub x: Axis,
    pub y: Axis,
}

impl Plot {
    /// The place of a value on the horizontal axis, in percent of the width.
    pub fn across(&self, value: f64) -> f64 {
        round(LEFT + WIDTH * self.x.part(value))
    }

    /// The place of a value on the vertical axis, in pixels.
    pub fn down(&self, value: f64) -> f64 {
        round(AXIS + HEIGHT * (1.0 - self.y.part(value)))
    }

    /// A chart with both axes, without lines.
    pub fn chart(
        &self,
        [x_label, y_label]: [&dyn Fn(f64) -> String; 2],
        [x_title, y_title]: [&str; 2],
    ) -> Chart {
        let bottom = AXIS + HEIGHT;
        let mut chart = Chart {
            height: bottom + 2.0 * AXIS,
            ..Chart::default()
        };
        chart.text("start quiet", 0.0, 11.0, y_title);
        for tick in self.y.ticks() {
            let y = self.down(tick);
            chart.line("grid", [LEFT, LEFT + WIDTH], [y, y]);
            chart.text("tick end", LEFT - 0.8, y + 4.0, y_label(tick));
        }
        for tick in self.x.ticks() {
            let x = self.across(tick);
            chart.line("grid", [x, x], [bottom, bottom + 4.0]);
            chart.text("tick middle", x, bottom + 17.0, x_label(tick));
        }
        chart.text("end quiet", LEFT + WIDTH, bottom + 34.0, x_title);
        chart
    }

    /// Draws up to `SERIES.len()` lines, and a legend if there are several.
    pub fn draw(&self, chart: &mut Chart, lines: Vec<Series>) {
        let mut ends = Vec::new();
        let several = lines.len() > 1;
        for (class, line) in SERIES.into_iter().zip(lines) {
            let Some((last_x, last_y)) = line.points.last().copied() else {
                continue;
            };
            let point = |(x, y): &(f64, f64)| {
                let across = round(CURVE * self.x.part(*x));
                format!("{across},{}", round(self.down(*y) - AXIS))
            };
            let points: Vec<String> = line.points.iter().map(point).collect();
            chart.shapes.push(Shape::Curve {
                class,
                x: LEFT,
                y: AXIS,
                width: WIDTH,
                height: HEIGHT,
                points: points.join(" "),
                tooltip: line.words.clone(),
            });
            chart.dot(class, self.across(last_x), self.down(last_y));
            if several {
                chart.legend.push((class, line.words));
            }
            ends.push((self.across(last_x), self.down(last_y), line.label));
        }
        ends.sort_by(|one, two| one.1.total_cmp(&two.1));
        let places = spread(&ends.iter().map(|end| end.1).collect::<Vec<_>>());
        for ((x, _, label), y) in ends.into_iter().zip(places) {
            chart.text("start label", x + 1.5, y + 4.0, label);
        }
    }
}

/// Label positions near the wanted ones, which are sorted, at least [`APART`] from each other. Labels are
/// pushed down to make room, then up again from the lower end of the plot.
fn spread(wanted: &[f64]) -> Vec<f64> {
    let mut places: Vec<f64> = wanted.to_vec();
    for at in 1..places.len() {
        places[at] = places[at].max(places[at - 1] + APART);
    }
    let mut limit = AXIS + HEIGHT;
    for place in places.iter_mut().rev() {
        *place = place.min(limit);
        limit = *place - APART;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_readable_and_stay_in_the_chart() {
        let bottom = AXIS + HEIGHT;
        assert_eq!(spread(&[30.0, 100.0]), [30.0, 100.0]);
        assert_eq!(spread(&[30.0, 31.0, 60.0]), [30.0, 43.0, 60.0]);
        assert_eq!(spread(&[bottom - 1.0, bottom]), [bottom - APART, bottom]);
        let places = spread(&[bottom; SERIES.len()]);
        assert!(places[0] >= AXIS && places.windows(2).all(|two| two[1] - two[0] >= APART));
        assert!(spread(&[]).is_empty());
    }
}
