//! The ratings as a figure for papers. On the page they are a column of the standings.

use crate::pages::parts::svg::{AXIS, Axis, Chart, round};
use crate::rating::Estimate;
use crate::report::{Cell, shortened};
use crate::results::Strengths;

/// Maximum display width of a name, and where the scale begins and ends, in percent of the width.
const NAME: usize = 28;
const LEFT: f64 = 27.0;
const RIGHT: f64 = 84.0;

/// Height of a player's row, and of the marks at the ends of an interval, in pixels.
const ROW: f64 = 26.0;
const MARK: f64 = 4.0;

/// The least and the greatest end of the intervals of ratings. Few blocks set no end.
pub fn range<'a>(estimates: impl Iterator<Item = &'a Estimate>) -> [f64; 2] {
    let ends = estimates.flat_map(|it| [it.low(), it.elo, it.high()]);
    let none = [f64::INFINITY, f64::NEG_INFINITY];
    let ends = ends.filter(|end| end.is_finite());
    ends.fold(none, |[low, high], end| [low.min(end), high.max(end)])
}

/// The ratings of all players with their intervals, best first.
pub fn ratings_figure(one: &dyn Strengths, estimates: &[Estimate]) -> Chart {
    let estimates: Vec<_> = one.order().iter().zip(estimates).collect();
    let [low, high] = range(estimates.iter().map(|(_, estimate)| *estimate));
    let axis = Axis::new(low, high, 5);
    let x = |value: f64| round(LEFT + (RIGHT - LEFT) * axis.part(value));
    let bottom = AXIS + ROW * estimates.len() as f64 + 8.0;
    let mut chart = Chart {
        name: format!("{} ratings", one.game()),
        title: format!("{}: ratings with 95 % intervals", one.game()),
        description: "Elo of each player. The line is the 95 % interval.".to_owned(),
        height: bottom,
        ..Chart::default()
    };
    for tick in axis.ticks() {
        chart.line("grid", [x(tick); 2], [AXIS - 2.0, bottom]);
        chart.text("tick middle", x(tick), 14.0, Cell::Elo(tick).shown());
    }
    for (place, (player, estimate)) in estimates.iter().enumerate() {
        let y = AXIS + ROW * (place as f64 + 0.5) + 4.0;
        let name = one.settings().display_names.shown(one.name(**player));
        chart.text("start", 0.0, y + 4.0, shortened(&name, NAME));
        let (elo, margin) = (Cell::Elo(estimate.elo), Cell::Margin(estimate.margin()));
        let numbers = format!("{} ± {}", elo.shown(), margin.shown());
        chart.text("end quiet", 100.0, y + 4.0, numbers);
        let ends = [estimate.low(), estimate.high()].map(x);
        if ends.iter().all(|end| end.is_finite()) {
            chart.line("interval", ends, [y; 2]);
            for end in ends {
                chart.line("interval", [end; 2], [y - MARK, y + MARK]);
            }
        }
        if estimate.elo.is_finite() {
            chart.dot("rating", x(estimate.elo), y);
        }
    }
    chart
}
