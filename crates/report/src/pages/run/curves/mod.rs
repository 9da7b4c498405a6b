//! Curves of a game: how a test, the ratings and reported values went over the games, and how Elo depends on a grid's parameters.

mod elo;
mod heat_map;
mod reported;
mod trend;
mod variants;

use std::collections::BTreeMap;

use elo::EloHistory;
use heat_map::heat_map;
use minijinja::Error;
use serde::Serialize;
use trend::{elo_over, trend};
use variants::{Grid, Values, Variant, mean_charts};

use crate::game::GameResult;
use crate::pages::context::RunContext;
use crate::pages::parts::lines::{Plot, dot};
use crate::pages::parts::svg::{Chart, Shape, range};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::parts::test_history::TestHistory;
use crate::report::Cell;
use crate::results::{Rated, Settings};
use crate::runs::{Run, RunFileError};
use crate::schedule::Conclusion;

const GRIDS: usize = 4;

#[derive(Debug, Serialize)]
pub struct CurveView {
    title: String,
    chart: String,
}

type Titled = (String, Chart, TableView);

/// The curves of the games of one kind; those without anything to show are left out.
pub fn curves(
    pages: &RunContext<'_>,
    histories: &Histories,
    one: &Rated<'_>,
    concluded: Option<&Conclusion>,
) -> Result<Vec<CurveView>, Error> {
    let game = one.game.as_str();
    let test = histories.tests.get(game);
    // Players of a tuning have no strength of their own.
    let is_tuned = matches!(concluded, Some(Conclusion::Tuned(_)));
    let elo = histories.elo.get(game).filter(|_| !is_tuned);
    let all = [
        titled(
            "The test over its games",
            test.and_then(|test| test.chart(game)),
        ),
        titled("Elo over the games", elo.and_then(|elo| elo.chart(one))),
    ];
    let mut all: Vec<Titled> = all.into_iter().flatten().collect();
    if let Some(Conclusion::Tuned(state)) = concluded {
        all.extend(titled("The values over the games", trend(game, state)));
        all.extend(elo_over(game, state));
    }
    all.extend(by_parameters(pages, one));
    let curves = all.iter().map(|(title, chart, numbers)| {
        Ok(CurveView {
            title: title.clone(),
            chart: pages.chart(chart, numbers)?,
        })
    });
    curves.collect()
}

fn titled(title: &str, made: Option<(Chart, TableView)>) -> Option<Titled> {
    made.map(|(chart, numbers)| (title.to_owned(), chart, numbers))
}

/// Elo by the parameters of grids, and values that bots reported.
fn by_parameters(pages: &RunContext<'_>, one: &Rated<'_>) -> Vec<Titled> {
    let game = one.game.as_str();
    let grids = variants::grids(pages, one);
    let grids = grids
        .iter()
        .map(|grid| charts(pages, grid, game))
        .filter(|charts| !charts.is_empty());
    let charts = grids.take(GRIDS).flatten();
    let mut all: Vec<Titled> = charts
        .map(|(words, chart, numbers)| (format!("Elo by {words}"), chart, numbers))
        .collect();
    if let Some(values) = pages.read.reported.get(game) {
        all.extend(reported::charts(pages, game, values));
    }
    all
}

/// The histories of the games of a run, by the name of the game.
#[derive(Debug, Default)]
pub struct Histories {
    pub tests: BTreeMap<&'static str, TestHistory>,
    pub elo: BTreeMap<String, EloHistory>,
}

impl Histories {
    pub fn read(run: &Run, rated: &[Rated<'_>], settings: &Settings) -> Result<Self, RunFileError> {
        let names = run.player_names();
        let mut all = Self::default();
        for (planned, schedule) in run.games().iter().zip(run.schedules()) {
            let test = TestHistory::new(schedule, &names);
            all.tests
                .extend(test.map(|test| (planned.game().label(), test)));
        }
        for one in rated {
            let history = EloHistory::new(one);
            all.elo
                .extend(history.map(|history| (one.game.clone(), history)));
        }
        if all.tests.is_empty() && all.elo.is_empty() {
            return Ok(all);
        }
        // As in the schedule, a game that could not be played is drawn.
        for game in run.set_aside()? {
            let planned = run.games().iter().map(|planned| planned.game());
            let label = planned
                .filter(|planned| planned.name() == game.game)
                .map(|it| it.label())
                .next();
            if let Some(test) = label.and_then(|label| all.tests.get_mut(label)) {
                test.add_result(game.block, &game.players, GameResult::Drawn);
            }
        }
        run.rows_in_order(&mut |row| {
            if let Some(test) = all.tests.get_mut(row.game.label()) {
                test.add(row);
            }
            if let Some(elo) = all.elo.get_mut(row.game.label()) {
                elo.add(row, settings);
            }
        })?;
        Ok(all)
    }
}

/// The charts of a grid's ratings against its parameters, each with the parameters in words, and the numbers.
pub fn charts(pages: &RunContext<'_>, grid: &Grid<'_>, game: &str) -> Vec<Titled> {
    let varied = grid.varied();
    let found = match varied.as_slice() {
        [] => return Vec::new(),
        [one] => Some((one.parameter.to_owned(), line(grid, game, one))),
        [one, other] => heat_map(grid, game, one, other).map(|chart| {
            let words = format!("{} and {}", one.parameter, other.parameter);
            (words, chart)
        }),
        _ => None,
    };
    match found {
        Some((words, chart)) => {
            let table = numbers(pages, grid, game, &words, &varied);
            vec![(words, chart, table)]
        }
        None => mean_charts(grid, game, &varied),
    }
}

fn line(grid: &Grid<'_>, game: &str, values: &Values<'_>) -> Chart {
    let points = grid.variants.iter().filter_map(|variant| {
        let [low, elo, high] = variant.rating;
        Some(ValuePoint {
            place: variant.place(values)?,
            elo,
            ends: [low, high],
        })
    });
    let mut points: Vec<ValuePoint> = points.collect();
    points.sort_by_key(|point| point.place);
    let parameter = values.parameter;
    Chart {
        name: format!("{game} elo by {parameter}"),
        title: format!("{game}: Elo by {parameter}"),
        description: format!(
            "Elo of each variant of the grid, with its 95 % interval, against its value of `{parameter}`.{}",
            scale_words(values)
        ),
        ..value_plot(values, &points, range(points.iter().flat_map(values_of)))
    }
}

fn numbers(
    pages: &RunContext<'_>,
    grid: &Grid<'_>,
    game: &str,
    words: &str,
    varied: &[Values<'_>],
) -> TableView {
    let mut columns: Vec<ColumnView> = varied
        .iter()
        .map(|it| ColumnView::number(it.parameter))
        .collect();
    columns.extend(["Elo", "low", "high"].map(ColumnView::number));
    columns.push(ColumnView::name("player"));
    let mut variants: Vec<&Variant<'_>> = grid.variants.iter().collect();
    variants.sort_by_key(|variant| {
        varied
            .iter()
            .map(|it| variant.place(it))
            .collect::<Vec<_>>()
    });
    let rows = variants.into_iter().map(|variant| {
        let own = varied
            .iter()
            .filter_map(|it| variant.values.get(it.parameter));
        let mut row: Vec<CellView> = own.map(|value| CellView::text(value)).collect();
        let [low, elo, high] = variant.rating;
        row.extend([elo, low, high].map(|elo| CellView::text(&Cell::Elo(elo).plain())));
        row.push(pages.player(variant.name));
        row
    });
    TableView::new(format!("{game}: Elo by {words}"), columns, rows)
}

pub fn values_of(point: &ValuePoint) -> [f64; 3] {
    [point.ends[0], point.elo, point.ends[1]]
}

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
    let plot = Plot::new(range, &words, "Elo");
    let mut chart = plot.chart();
    plot.title_below(&mut chart, values.parameter);
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

/// A sentence about the scale of the parameter, if it is logarithmic.
pub fn scale_words(values: &Values<'_>) -> &'static str {
    match values.is_logarithmic() {
        true => " The scale of the parameter is logarithmic.",
        false => "",
    }
}
