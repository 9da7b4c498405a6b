//! The tables of a tuning, and the player that it found.

use toml::{Table, Value};

use super::elo_cells;
use crate::config::filled;
use crate::rating::Estimate;
use crate::report::table::{Cell, Column, ReportTable};
use crate::runs::Run;
use crate::schedule::{Conclusion, TuningState, Values, role, shown, values_text};

/// Elo that is of no consequence: below it, a parameter does not matter.
const INDIFFERENCE: f64 = 5.0;

/// Whether the values of a parameter make a difference, with 95 % intervals.
pub fn matters(worth: Estimate) -> &'static str {
    if worth.low() > 0.0 {
        "yes"
    } else if worth.high() < INDIFFERENCE {
        "no"
    } else {
        "unclear"
    }
}

fn tunings(conclusions: &[(usize, Conclusion)]) -> impl Iterator<Item = (usize, &TuningState)> {
    conclusions
        .iter()
        .filter_map(|(game, conclusion)| match conclusion {
            Conclusion::Tuned(state) => Some((*game, &**state)),
            _ => None,
        })
}

/// The table `parameters`: a row per parameter of a tuning whose iterations are over.
pub fn parameters(run: &Run, conclusions: &[(usize, Conclusion)]) -> ReportTable {
    let mut rows = Vec::new();
    for (game, state) in tunings(conclusions) {
        let Some(fit) = &state.fit else { continue };
        for (at, (name, parameter)) in state.tuning.parameters.iter().enumerate() {
            let [low, best, high] = fit.intervals[at];
            let worth = fit.worths[at];
            let mut row = vec![
                Cell::text(run.games()[game].game().label()),
                Cell::text(name),
            ];
            let values = [
                parameter.low,
                parameter.high,
                parameter.start,
                low,
                best,
                high,
            ];
            // As a bot is given them.
            let given = |value| shown(parameter, value).parse().unwrap_or(value);
            row.extend(values.map(|value| Cell::Real(given(value), None)));
            row.extend(elo_cells(Some([worth.low(), worth.elo, worth.high()])));
            row.push(Cell::text(matters(worth)));
            rows.push(row);
        }
    }
    let columns = vec![
        Column::text("game", "game").rank(2),
        Column::text("parameter", "parameter"),
        Column::number("min", "min").rank(1),
        Column::number("max", "max").rank(1),
        Column::number("start", "start"),
        Column::number("best_low", "best, low"),
        Column::number("best", "best")
            .explained("the value at which the player is strongest, by the fit of all games"),
        Column::number("best_high", "best, high"),
        Column::number("worth_low", "worth, low").rank(1),
        Column::number("worth", "worth")
            .explained("the Elo that the worst value loses to the best one"),
        Column::number("worth_high", "worth, high").rank(1),
        Column::text("matters", "matters").explained(
            "yes: the worth is above 0 for certain; no: it is below 5 Elo for certain; unclear: neither is known",
        ),
    ];
    ReportTable::new("parameters", columns, rows)
}

/// The table `tune`: a row per finished iteration.
pub fn iterations(run: &Run, conclusions: &[(usize, Conclusion)]) -> ReportTable {
    let mut columns = vec![
        Column::text("game", "game"),
        Column::number("iteration", "iteration"),
        Column::number("games", "games"),
    ];
    let mut rows = Vec::new();
    for (game, state) in tunings(conclusions) {
        if columns.len() == 3 {
            let names = state.tuning.parameters.iter().map(|(name, _)| name);
            columns.extend(names.map(|name| Column::number(name, name)));
        }
        for (number, iteration) in state.trend.iter().enumerate() {
            let games = (number as u64 + 1) * state.tuning.games_per_iteration;
            let mut row = vec![
                Cell::text(run.games()[game].game().label()),
                Cell::Count(number as u64 + 1),
                Cell::Count(games),
            ];
            row.extend(iteration.center.iter().map(|it| Cell::Real(*it, Some(6))));
            row.extend(
                iteration
                    .points
                    .each_ref()
                    .map(|it| Cell::text(values_text(it))),
            );
            let points = iteration
                .half_points
                .map(|it| Cell::Real(it as f64 / 2.0, None));
            row.extend(points);
            rows.push(row);
        }
    }
    columns.extend([
        Column::text("plus", "plus"),
        Column::text("minus", "minus"),
        Column::number("plus_points", "points of plus"),
        Column::number("minus_points", "points of minus"),
    ]);
    ReportTable::new("tune", columns, rows)
}

/// The keys of a player that are its own, and not of its run.
const OF_BEST: [&str; 11] = [
    "name",
    "house",
    "command",
    "args",
    "dir",
    "build",
    "speaks",
    "env",
    "options",
    "go",
    "fresh-process",
];

/// The player with the values found, as part of a configuration; `None` before all iterations are over.
pub fn best_player(run: &Run, conclusions: &[(usize, Conclusion)]) -> Option<String> {
    let (_, state) = tunings(conclusions).next()?;
    let values: Values = state.tuning.values(&state.fit.as_ref()?.found);
    let player = Table::try_from(run.manifest().players.get(role::FOUND)?).ok()?;
    let is_kept = |key: &str, value: &Value| OF_BEST.contains(&key) && *value != false.into();
    let kept = player
        .into_iter()
        .filter(|(key, value)| is_kept(key, value));
    let mut player = Value::Table(kept.collect());
    fill(&mut player, &values);
    let mut file = Table::new();
    file.insert("player".to_owned(), Value::Array(vec![player]));
    toml::to_string(&file).ok()
}

fn fill(value: &mut Value, values: &Values) {
    match value {
        Value::String(text) => *text = filled(text, values),
        Value::Array(list) => list.iter_mut().for_each(|it| fill(it, values)),
        Value::Table(table) => table.iter_mut().for_each(|(_, it)| fill(it, values)),
        _ => {}
    }
}
