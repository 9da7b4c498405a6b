//! The ratings as a figure for papers. On the page they are a column of the standings.

use crate::pages::parts::cell_chart::with_margin;
use crate::pages::parts::svg::{AXIS, Axis, Chart, round};
use crate::rating::Interval;
use crate::report::{Cell, shortened};
use crate::results::Rated;

/// Maximum display width of a name, and where the scale begins and ends, in percent of the width.
const NAME: usize = 28;
const LEFT: f64 = 27.0;
const RIGHT: f64 = 84.0;

/// Height of a player's row, and of the marks at the ends of an interval, in pixels.
const ROW: f64 = 26.0;
const MARK: f64 = 4.0;

/// The least and the greatest end of the intervals of ratings, and the ratings. Few blocks, and players who won or lost all
/// their games, set no end.
pub fn range<'a>(intervals: impl Iterator<Item = &'a Interval>) -> [f64; 2] {
    let ends = intervals.flatten().copied();
    let none = [f64::INFINITY, f64::NEG_INFINITY];
    let ends = ends.filter(|end| end.is_finite());
    ends.fold(none, |[low, high], end| [low.min(end), high.max(end)])
}

/// The ratings of all players with their intervals, best first.
pub fn ratings_figure(one: &Rated<'_>, intervals: &[Interval]) -> Chart {
    let intervals: Vec<_> = one.order.iter().zip(intervals).collect();
    let [low, high] = range(intervals.iter().map(|(_, interval)| *interval));
    let axis = Axis::new(low, high, 5);
    let x = |value: f64| round(LEFT + (RIGHT - LEFT) * axis.part(value));
    let bottom = AXIS + ROW * intervals.len() as f64 + 8.0;
    let mut chart = Chart {
        name: format!("{} ratings", one.game),
        title: format!("{}: ratings with 95 % intervals", one.game),
        description: "Elo of each player. The line is the 95 % interval.".to_owned(),
        height: bottom,
        ..Chart::default()
    };
    for tick in axis.ticks() {
        chart.line("grid", [x(tick); 2], [AXIS - 2.0, bottom]);
        chart.text("tick middle", x(tick), 14.0, Cell::Elo(tick).shown());
    }
    for (place, (player, [own_low, elo, own_high])) in intervals.iter().enumerate() {
        let y = AXIS + ROW * (place as f64 + 0.5) + 4.0;
        let name = one.settings.display_names.shown(one.name(**player));
        chart.text("start", 0.0, y + 4.0, shortened(&name, NAME));
        let numbers = with_margin([*own_low, *elo, *own_high]);
        chart.text("end quiet", 100.0, y + 4.0, numbers);
        let ends = [own_low.max(low), own_high.min(high)];
        if ends.iter().all(|end| end.is_finite()) {
            chart.line("interval", ends.map(x), [y; 2]);
            for end in [*own_low, *own_high]
                .into_iter()
                .filter(|end| end.is_finite())
            {
                chart.line("interval", [x(end); 2], [y - MARK, y + MARK]);
            }
        }
        if elo.is_finite() {
            chart.dot("rating", x(*elo), y);
        }
    }
    chart
}
