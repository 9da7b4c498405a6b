//! The center of a tuning over its games.

use crate::pages::parts::lines::{LINES, Line, Point, Setting, lines_chart};
use crate::pages::parts::svg::Chart;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::report::Cell;
use crate::schedule::TuningState;
use crate::tuning::Scale;

/// Upper bound on the points of a line, and on the rows of the table beside it.
const POINTS: usize = 200;

/// The center as a part of each parameter's range, with its values in numbers; `None` before the first iteration is over.
pub(super) fn trend(game: &str, state: &TuningState) -> Option<(Chart, TableView)> {
    let tuning = &state.tuning;
    let step = state.trend.len().div_ceil(POINTS).max(1);
    let games = |iteration: usize| iteration as u64 * tuning.games_per_iteration;
    let begun = state.trend.iter().map(|iteration| &iteration.center);
    let mut centers: Vec<(u64, &Vec<f64>)> = begun
        .enumerate()
        .step_by(step)
        .map(|(at, center)| (games(at), center))
        .collect();
    centers.push((games(state.trend.len()), &state.center));
    let last = centers.last().filter(|(games, _)| *games > 0)?.0;
    let parameters = tuning.parameters.iter().enumerate().take(LINES);
    let lines: Vec<Line> = parameters
        .map(|(at, (name, parameter))| {
            let place = |value: f64| match parameter.scale {
                Scale::Linear => value,
                Scale::Logarithmic => value.ln(),
            };
            let [low, high] = [parameter.low, parameter.high].map(place);
            let part = |value: f64| (place(value) - low) / (high - low);
            let points = centers.iter();
            Line {
                name: name.clone(),
                points: points
                    .map(|(games, center)| Point::new(*games, part(center[at])))
                    .collect(),
                is_limit: false,
            }
        })
        .collect();
    let setting = Setting {
        games: last,
        included: &[0.0, 1.0],
        words: &|part| Cell::Share(part).shown(),
        unit: "games",
    };
    let chart = Chart {
        name: format!("{game} tuning"),
        title: format!("{game}: the center of the tuning over its games"),
        description: "The center of each iteration, for each parameter in percent of its range on its scale. The values found \
                      follow from all games, and can lie elsewhere."
            .to_owned(),
        ..lines_chart(&lines, &setting)
    };
    let rows = centers.iter().map(|(games, center)| {
        let mut row = vec![CellView::count(*games).heading()];
        let values = tuning.parameters.iter().zip(*center);
        row.extend(values.map(|(_, value)| CellView::text(&Cell::Real(*value, Some(3)).plain())));
        row
    });
    let mut columns = vec![ColumnView::number("games")];
    let names = tuning.parameters.iter().map(|(name, _)| name);
    columns.extend(names.map(|name| ColumnView::number(name)));
    let table = TableView::new(format!("{game}: center after these games"), columns, rows);
    Some((chart, table))
}
