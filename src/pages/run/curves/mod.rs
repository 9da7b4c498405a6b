//! Curves of a game: how a test, the ratings and reported values went over the games, and how Elo depends on a grid's parameters.

mod by_parameter;
mod elo;
mod heat_map;
mod history;
mod means;
mod pairs;
mod reported;
mod value_plot;
mod variants;

pub use history::Histories;

use minijinja::Error;
use serde::Serialize;

use crate::pages::context::RunContext;
use crate::pages::parts::svg::Chart;
use crate::pages::parts::table::TableView;
use crate::pages::parts::test_history::TestHistory;
use crate::results::Rated;
use crate::schedule::Format;
use pairs::PlayerPairs;

/// Upper bound on the grids with a chart.
const GRIDS: usize = 4;

/// A curve with its heading.
#[derive(Debug, Serialize)]
pub struct CurveView {
    title: String,
    chart: String,
}

/// A chart with its heading and its numbers.
type Titled = (String, Chart, TableView);

/// The curves of the games of one kind; those without anything to show are left out.
pub fn curves(
    pages: &RunContext<'_>,
    histories: &Histories,
    one: &Rated<'_>,
) -> Result<Vec<CurveView>, Error> {
    let game = one.game.as_str();
    let test = histories.tests.get(game);
    let elo = histories.elo.get(game);
    let pairs = match test.and_then(TestHistory::last) {
        Some(state) => PlayerPairs::of_test(one, state),
        None => PlayerPairs::of_games(one, challenger(pages)),
    };
    let all = [
        titled(
            "The test over its games",
            test.and_then(|test| test.chart(game)),
        ),
        titled("Elo over the games", elo.and_then(|elo| elo.chart(one))),
        titled("Game pairs", pairs.and_then(|pairs| pairs.chart(game))),
    ];
    let mut all: Vec<Titled> = all.into_iter().flatten().collect();
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
        .map(|grid| by_parameter::charts(pages, grid, game))
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

/// The one challenger of a gauntlet.
fn challenger<'a>(pages: &RunContext<'a>) -> Option<&'a str> {
    match pages.run.format() {
        Format::Gauntlet { challengers, .. } => match challengers.as_slice() {
            [only] => pages.run.player_names().get(*only).copied(),
            _ => None,
        },
        _ => None,
    }
}
