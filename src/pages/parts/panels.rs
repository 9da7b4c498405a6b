//! Charts of many lines over the games of a run: a small panel for each, all with one scale.

use super::lines::{Line, Point, Setting, add_area, add_line, range};
use super::svg::{AXIS, Axis, Chart, round};

/// Panels in a row, their left end and the room between two, in percent of the width. The scale stands left of them.
const COLUMNS: usize = 2;
const LEFT: f64 = 13.0;
const BETWEEN: f64 = 3.0;

/// Height of a panel and of the name above it, and room below, in pixels.
const PANEL: f64 = 64.0;
const NAME: f64 = 22.0;
const BELOW: f64 = 10.0;

/// Maximum display width of a name: the width of a panel on a phone.
pub const PANEL_NAME: usize = 21;

/// The chart of some lines, without its title and description. The scale is of the values: wide intervals are cut, since they
/// would make all lines flat.
pub fn panels_chart(lines: &[Line], setting: &Setting<'_>) -> Chart {
    let without_ends = |point: &Point| Point {
        ends: None,
        ..*point
    };
    let values = lines.iter().map(|line| Line {
        points: line.points.iter().map(without_ends).collect(),
        ..Line::default()
    });
    let [low, high] = range(&values.collect::<Vec<_>>(), setting);
    let axis = Axis::new(low, high, 3);
    let width = (100.0 - LEFT + BETWEEN) / COLUMNS as f64 - BETWEEN;
    let rows = lines.len().div_ceil(COLUMNS);
    let bottom = |row: usize| (row + 1) as f64 * (NAME + PANEL + BELOW) - BELOW;
    let mut chart = Chart {
        height: bottom(rows.saturating_sub(1)) + AXIS,
        ..Chart::default()
    };
    for (at, line) in lines.iter().enumerate() {
        let (row, column) = (at / COLUMNS, at % COLUMNS);
        let bottom = bottom(row);
        let left = LEFT + column as f64 * (width + BETWEEN);
        let y = |value: f64| round(bottom - PANEL * axis.part(value).clamp(0.0, 1.0));
        let x = |games: f64| round(left + width * games / setting.games.max(1) as f64);
        for tick in axis.ticks() {
            chart.line("grid", [round(left), round(left + width)], [y(tick); 2]);
            if column == 0 {
                chart.text("tick end", LEFT - 1.0, y(tick) + 4.0, (setting.words)(tick));
            }
        }
        let name = bottom - PANEL - 6.0;
        chart.text("start label", round(left), name, line.name.as_str());
        add_area(&mut chart, "player-0", line, &x, &y);
        add_line(&mut chart, "player-0", line, &x, &y);
    }
    let words = format!("{} {}", setting.games, setting.unit);
    let below = chart.height - 4.0;
    chart.text("tick start", LEFT, below, "0");
    chart.text("tick end", round(LEFT + width), below, words);
    chart
}

#[cfg(test)]
mod tests {
    use super::super::svg::Shape;
    use super::*;

    #[test]
    fn each_line_is_in_its_panel_by_the_same_scale() {
        let line = |value: f64| Line {
            name: format!("{value}"),
            points: vec![Point::new(0, 0.0), Point::new(10, value)],
            is_limit: false,
        };
        let setting = Setting {
            games: 10,
            included: &[0.0],
            words: &|value| format!("{value}"),
            unit: "games",
        };
        let chart = panels_chart(&[50.0, 100.0, 0.0, 100.0].map(line), &setting);
        let curves = chart.shapes.iter().filter_map(|shape| match shape {
            Shape::Curve { points, .. } => Some(points.as_slice()),
            _ => None,
        });
        let ends: Vec<[f64; 2]> = curves.map(|points| points[1]).collect();
        let row = NAME + PANEL;
        assert_eq!(
            ends,
            [
                [55.0, row - PANEL / 2.0],
                [100.0, NAME],
                [55.0, 2.0 * row + BELOW],
                [100.0, row + BELOW + NAME]
            ]
        );
        assert_eq!(chart.height, 2.0 * row + BELOW + AXIS);
    }
}
