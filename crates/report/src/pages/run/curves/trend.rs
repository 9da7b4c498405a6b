//! The center of a tuning over its games, and Elo over the values that it tuned.

use super::Titled;
use crate::pages::parts::lines::{LINES, Line, Plot, Point, Setting, lines_chart};
use crate::pages::parts::svg::{Chart, Shape, range};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::rating::Estimate;
use crate::report::Cell;
use crate::schedule::{TuningState, shown};
use crate::tuning::{Parameter, Scale};

/// Upper bound on the points of a line, and on the rows of the table beside it.
const POINTS: usize = 200;

/// Elo around the curve of a parameter that is in view even where intervals go beyond it.
const AROUND: f64 = 20.0;

/// For each of the first parameters, Elo over its values by the fit; empty before all iterations are over.
pub(super) fn elo_over(game: &str, state: &TuningState) -> Vec<Titled> {
    let curves = state.fit.iter().flat_map(|fit| &fit.curves);
    let parameters = state.tuning.parameters.iter().zip(curves).take(LINES);
    parameters
        .map(|((name, parameter), curve)| {
            let (chart, numbers) = over(game, name, parameter, curve);
            (format!("Elo over {name}"), chart, numbers)
        })
        .collect()
}

fn over(
    game: &str,
    name: &str,
    parameter: &Parameter,
    curve: &[(f64, Estimate)],
) -> (Chart, TableView) {
    // The curve has values between those of a whole number.
    let parameter = &Parameter {
        whole: false,
        ..parameter.clone()
    };
    let around = |(_, it): &(f64, Estimate)| [it.elo - AROUND, it.elo + AROUND];
    let words = |elo| Cell::Elo(elo).shown();
    let plot = Plot::new(range(curve.iter().flat_map(around)), &words, "Elo");
    let mut chart = plot.chart();
    let last = curve.len().saturating_sub(1);
    let part = |at: usize| at as f64 / last.max(1) as f64;
    for (at, (_, it)) in curve.iter().enumerate() {
        chart.line(
            "interval",
            [plot.x(part(at)); 2],
            [it.low(), it.high()].map(|end| plot.y(end)),
        );
    }
    for at in [0, last / 2, last] {
        let value = curve.get(at).map(|(value, _)| shown(parameter, *value));
        plot.label(&mut chart, part(at), value.unwrap_or_default());
    }
    plot.title_below(&mut chart, name);
    let points = curve.iter().enumerate();
    chart.shapes.push(Shape::Curve {
        class: "line player-0".to_owned(),
        points: points
            .map(|(at, (_, it))| [plot.x(part(at)), plot.y(it.elo)])
            .collect(),
    });
    let rows = curve.iter().map(|(value, it)| {
        let elo = [it.elo, it.low(), it.high()].map(|elo| CellView::text(&Cell::Elo(elo).plain()));
        let value = CellView::text(&shown(parameter, *value)).heading();
        std::iter::once(value).chain(elo).collect()
    });
    let columns = [name, "Elo", "low", "high"].map(ColumnView::number);
    let title = format!("{game}: Elo over {name}");
    let table = TableView::new(title.clone(), columns.into(), rows);
    let chart = Chart {
        name: format!("{game} elo over {name}"),
        title,
        description: format!(
            "Elo of each value of `{name}` relative to the best values, by the fit of all games, with its 95 % interval. All \
             other parameters have their best values beside it."
        ),
        ..chart
    };
    (chart, table)
}

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
        title: "value, as a part of its range",
    };
    let chart = Chart {
        name: format!("{game} tuning"),
        title: match &lines[..] {
            // One line has no name beside it.
            [only] => format!("{game}: the center of {} over the games of the tuning", only.name),
            _ => format!("{game}: the center of the tuning over its games"),
        },
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
