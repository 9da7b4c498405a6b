//! Charts of lines over the games of a run.

use super::svg::{AXIS, Axis, Chart, Shape, range, round};

/// Left and right end of the plot, in percent of the width. Labels stand beside it.
const LEFT: f64 = 13.0;
const RIGHT: f64 = 88.0;

/// Height of the plot in pixels, and the height of a line of labels.
const PLOT: f64 = 200.0;
const LABEL: f64 = 14.0;

/// Upper bound on the lines with colours of their own.
pub const LINES: usize = 8;

/// The classes of these lines, and of the label at the end of each.
const COLOURS: [[&str; 2]; LINES] = [
    ["player-0", "start last player-0"],
    ["player-1", "start last player-1"],
    ["player-2", "start last player-2"],
    ["player-3", "start last player-3"],
    ["player-4", "start last player-4"],
    ["player-5", "start last player-5"],
    ["player-6", "start last player-6"],
    ["player-7", "start last player-7"],
];

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub games: f64,
    pub value: f64,
    pub ends: Option<[f64; 2]>,
}

impl Point {
    pub fn new(games: u64, value: f64) -> Self {
        Self {
            games: games as f64,
            value,
            ends: None,
        }
    }
}

/// A line with a name for the legend, and its points from left to right.
#[derive(Debug, Default)]
pub struct Line {
    pub name: String,
    pub points: Vec<Point>,
    /// Whether the line is a limit of the others: it is dashed, and is not in the legend.
    pub is_limit: bool,
}

pub struct Setting<'a> {
    pub games: u64,
    pub included: &'a [f64],
    pub words: &'a dyn Fn(f64) -> String,
    pub unit: &'static str,
    /// The title of the scale of values.
    pub title: &'a str,
}

/// A plot with a scale of values at its left.
pub struct Plot<'a> {
    axis: Axis,
    words: &'a dyn Fn(f64) -> String,
    title: &'a str,
}

impl<'a> Plot<'a> {
    /// A plot of at least this range, with values in these words below this title.
    pub fn new([low, high]: [f64; 2], words: &'a dyn Fn(f64) -> String, title: &'a str) -> Self {
        Self {
            axis: Axis::new(low, high, 4),
            words,
            title,
        }
    }

    pub fn bottom(&self) -> f64 {
        AXIS + PLOT
    }

    /// The height of a value, cut at the ends of the scale.
    pub fn y(&self, value: f64) -> f64 {
        round(self.bottom() - PLOT * self.axis.part(value).clamp(0.0, 1.0))
    }

    /// The place of a part of the width, from 0 to 1.
    pub fn x(&self, part: f64) -> f64 {
        round(LEFT + (RIGHT - LEFT) * part)
    }

    /// A chart with the scale, and with room for labels below.
    pub fn chart(&self) -> Chart {
        let mut chart = Chart {
            height: self.bottom() + AXIS,
            ..Chart::default()
        };
        for tick in self.axis.ticks() {
            let y = self.y(tick);
            chart.line("grid", [LEFT, RIGHT], [y; 2]);
            chart.text("tick end", LEFT - 1.0, y + 4.0, (self.words)(tick));
        }
        chart.text("tick start", LEFT, LABEL - 2.0, self.title);
        chart
    }

    /// Adds a line below the labels: what the horizontal places are.
    pub fn title_below(&self, chart: &mut Chart, title: &str) {
        chart.height += LABEL;
        chart.text("tick middle", self.x(0.5), chart.height - 4.0, title);
    }

    pub fn label(&self, chart: &mut Chart, part: f64, text: String) {
        let (x, bottom) = (self.x(part), self.bottom());
        chart.line("grid", [x; 2], [bottom, bottom + 4.0]);
        chart.text("tick middle", x, bottom + LABEL + 2.0, text);
    }
}

/// The chart of some lines, without its title and description. At the end of each line stands its last value.
pub fn lines_chart(lines: &[Line], setting: &Setting<'_>) -> Chart {
    let plot = Plot::new(shown_range(lines, setting), setting.words, setting.title);
    let y = |value: f64| plot.y(value);
    let x = |games: f64| plot.x(games / setting.games.max(1) as f64);
    let mut chart = plot.chart();
    let last = setting.games as f64;
    for tick in Axis::new(0.0, last, 4)
        .ticks()
        .filter(|tick| *tick <= 0.8 * last)
    {
        plot.label(&mut chart, tick / last.max(1.0), format!("{tick:.0}"));
    }
    plot.label(&mut chart, 1.0, format!("{last:.0}"));
    plot.title_below(&mut chart, setting.unit);
    let coloured = lines.iter().filter(|line| !line.is_limit).zip(COLOURS);
    for (line, [colour, _]) in coloured.clone() {
        add_area(&mut chart, colour, line, &x, &y);
    }
    for line in lines.iter().filter(|line| line.is_limit) {
        let points = line.points.iter().map(|it| [x(it.games), y(it.value)]);
        curve(&mut chart, "line limit".to_owned(), points.collect());
    }
    let mut ends = Vec::new();
    for (line, [colour, label]) in coloured {
        add_line(&mut chart, colour, line, &x, &y);
        chart.legend.push((colour, line.name.clone()));
        ends.extend(
            line.points
                .last()
                .map(|last| (y(last.value), label, last.value)),
        );
    }
    let limits = lines.iter().filter(|line| line.is_limit);
    let limits = limits.filter_map(|line| Some(line.points.last()?.value));
    ends.extend(limits.map(|value| (y(value), "start last quiet", value)));
    for (at, (_, class, value)) in apart(ends) {
        chart.text(class, RIGHT + 1.0, at + 4.0, (setting.words)(value));
    }
    if chart.legend.len() < 2 {
        chart.legend.clear();
    }
    chart
}

type Place<'a> = &'a dyn Fn(f64) -> f64;

fn add_area(chart: &mut Chart, colour: &str, line: &Line, x: Place<'_>, y: Place<'_>) {
    let with_ends = line
        .points
        .iter()
        .filter_map(|it| Some((it.games, it.ends?)));
    let highs = with_ends
        .clone()
        .map(|(games, [_, end])| [x(games), y(end)]);
    let lows = with_ends.map(|(games, [end, _])| [x(games), y(end)]);
    let points: Vec<[f64; 2]> = highs.chain(lows.rev()).collect();
    curve(chart, format!("area {colour}"), points);
}

/// Adds the values of a line. All games won or lost have no finite Elo; the line begins after them.
fn add_line(chart: &mut Chart, colour: &str, line: &Line, x: Place<'_>, y: Place<'_>) {
    let finite = line.points.iter().filter(|it| it.value.is_finite());
    let points = finite.map(|it| [x(it.games), y(it.value)]);
    let points: Vec<[f64; 2]> = points.collect();
    if let [only] = points[..] {
        dot(chart, colour, only);
    }
    curve(chart, format!("line {colour}"), points);
}

/// Adds a dot: a line without length, whose ends are round.
pub fn dot(chart: &mut Chart, class: &str, at: [f64; 2]) {
    curve(chart, format!("line dot {class}"), vec![at; 2]);
}

fn curve(chart: &mut Chart, class: String, points: Vec<[f64; 2]>) {
    if points.len() > 1 {
        chart.shapes.push(Shape::Curve { class, points });
    }
}

/// The least and the greatest value of the scale. The intervals of the first fifth of the games may be far wider: they are cut.
fn shown_range(lines: &[Line], setting: &Setting<'_>) -> [f64; 2] {
    let early = 0.2 * setting.games as f64;
    let points = || lines.iter().flat_map(|line| &line.points);
    let late = || points().filter(|point| point.games >= early);
    let ends = late().filter_map(|point| point.ends).flatten();
    let values = late().map(|point| point.value).chain(ends);
    let all = values.chain(setting.included.iter().copied());
    match range(all) {
        [low, high] if low <= high => [low, high],
        _ => [0.0, 1.0],
    }
}

/// Moves labels apart that would overlap, each by its place from the top.
fn apart<T, U>(mut labels: Vec<(f64, T, U)>) -> Vec<(f64, (f64, T, U))> {
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut places: Vec<f64> = labels.iter().map(|label| label.0).collect();
    let mut least = f64::NEG_INFINITY;
    for place in &mut places {
        *place = place.max(least);
        least = *place + LABEL;
    }
    // Back up, where the lowest ones would leave the plot.
    let mut most = AXIS + PLOT;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - LABEL;
    }
    places.into_iter().zip(labels).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_overlap_and_stay_in_the_plot() {
        let bottom = AXIS + PLOT;
        for places in [
            vec![],
            vec![50.0],
            vec![50.0, 51.0, 52.0],
            vec![bottom; 9],
            vec![AXIS; 9],
            vec![90.0, 30.0, 95.0, 200.0, 35.0],
        ] {
            let labels = places.iter().map(|place| (*place, (), ())).collect();
            let moved: Vec<f64> = apart(labels).iter().map(|(place, _)| *place).collect();
            assert_eq!(moved.len(), places.len());
            assert!(moved.is_sorted_by(|a, b| b - a >= LABEL), "{moved:?}");
            assert!(
                moved.iter().all(|at| (AXIS..=bottom).contains(at)),
                "{moved:?}"
            );
        }
    }

    #[test]
    fn lines_end_at_the_right_and_early_intervals_are_cut() {
        let point = |games, value, end: f64| Point {
            ends: Some([-end, end]),
            ..Point::new(games, value)
        };
        let line = Line {
            name: "a".to_owned(),
            points: vec![point(2, 0.0, f64::INFINITY), point(100, 10.0, 50.0)],
            is_limit: false,
        };
        let setting = Setting {
            games: 100,
            included: &[0.0],
            words: &|value| format!("{value}"),
            unit: "games",
            title: "Elo",
        };
        let chart = lines_chart(&[line], &setting);
        let curves = chart.shapes.iter().filter_map(|shape| match shape {
            Shape::Curve { points, .. } => Some(points.clone()),
            _ => None,
        });
        let curves: Vec<_> = curves.collect();
        assert_eq!(curves.len(), 2);
        assert_eq!(curves[0][0], [14.5, AXIS]);
        assert_eq!(curves[1][1][0], RIGHT);
        assert!(chart.legend.is_empty());
    }
}
