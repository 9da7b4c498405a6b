//! How sure the marks of a class are, and what more games would bring.

use std::time::Duration;

use super::view::{ClassView, text};
use crate::grade::feedback::{dash, number, percent};
use crate::grade::marks::{Mark, Status};
use crate::grade::scheme::{Forecast, Scheme};
use crate::pages::{Block, CellView, ColumnView, TableView};
use crate::parallel;
use crate::random::Stream;
use crate::report::rough;

/// Further games against each opponent, for which the page guesses the gain. In games of more than two seats they are
/// games against each seating, and rounded up to blocks.
const MORE: [u32; 5] = [0, 10, 20, 40, 80];

/// Number of simulations for each student and number of games. The errors of a class average out.
const SIMULATIONS: usize = 200;

/// Seed of the simulations, a constant: equal games have equal figures.
const CHANCE: u64 = 2;

/// How sure the marks are, and a table of what more games would bring.
pub(super) fn blocks(class: &ClassView<'_>, jobs: usize) -> Vec<Block> {
    let graded: Vec<&Mark> = class.with(Status::Graded).collect();
    let changes = graded.iter().filter_map(|mark| mark.change.as_ref());
    let changes: Vec<f64> = changes.map(|change| change.probability).collect();
    if changes.is_empty() {
        return vec![text("Nobody is graded yet.")];
    }
    let count = changes.len();
    let mean = changes.iter().sum::<f64>() / count as f64;
    let often = changes.iter().filter(|change| **change > 0.5).count();
    let never = changes.iter().filter(|change| **change < 0.05).count();
    let step = class.grading.round_to;
    let steps = match step {
        step if step > 0.0 => format!("marks have steps of {}", number(step)),
        _ => "marks are not rounded, so nearly every repetition gives another one".to_owned(),
    };
    let mut blocks = vec![text(format!(
        "With other games of the same kind, {} of the marks would be other ones ({steps}). For {often} of {} a change is \
         likelier than not, and for {never} it is below 5 %.",
        percent(mean),
        class.counted(count)
    ))];
    let scheme = class.grading.scheme();
    if scheme.tests.iter().all(|test| test.rule.is_sequential()) {
        blocks.push(text(
            "More games bring nothing: each test plays on until its verdict, or to its most games.",
        ));
        return blocks;
    }
    blocks.push(Block::Listing(table(class, &scheme, &graded, mean, jobs)));
    blocks.push(text(
        "The figures are guesses from the games that were played, by the model of the marks (docs/marks.md). A few more \
         games may bring marks nearer to each other, and yet over a step of the rounding: see the mean distance. To have \
         more games played, raise `games` of each test, or set `change` of [marks] to the probability that you accept; \
         `most-games` bounds them. Then give the same command again.",
    ));
    blocks
}

/// A row for each number of further games.
/// `now` is the mean probability of a change without further games.
fn table(
    class: &ClassView<'_>,
    scheme: &Scheme,
    graded: &[&Mark],
    now: f64,
    jobs: usize,
) -> TableView {
    let are_blocks = |games: u32| {
        let mut tests = class.grading.tests.iter();
        tests.all(|test| games.is_multiple_of(test.seats() as u32))
    };
    let rows = MORE.iter().map(|least| {
        let more = (*least..).find(|more| are_blocks(*more)).unwrap_or(*least);
        let forecasts = parallel::map(graded, |mark| forecast(class, scheme, mark, more));
        let forecasts: Vec<Forecast> = forecasts.into_iter().flatten().collect();
        let mean = |of: fn(&Forecast) -> f64| {
            forecasts.iter().map(of).sum::<f64>() / forecasts.len().max(1) as f64
        };
        let label = match more {
            0 => "as now".to_owned(),
            more => format!("{more} more games"),
        };
        let probability = match more {
            0 => now,
            _ => mean(|it| it.probability),
        };
        let time = match more {
            0 => dash(),
            more => time(class, scheme, more, jobs).map_or_else(
                || "unknown".to_owned(),
                |time| format!("about {}", rough(time)),
            ),
        };
        vec![
            CellView::text(&label).heading(),
            CellView::text(&percent(probability)),
            CellView::text(&number(mean(|it| it.distance))),
            CellView::text(&time),
        ]
    });
    TableView {
        caption: format!(
            "what more games {} of each test would bring; times with {jobs} at a time",
            match class.grading.tests.iter().all(|test| test.seats() == 2) {
                true => "against each opponent",
                false => "against each seating of opponents",
            }
        ),
        columns: vec![
            ColumnView::text("games"),
            ColumnView::number("another mark"),
            ColumnView::number("mean distance, marks"),
            ColumnView::number("time for the class"),
        ],
        rows: rows.collect(),
        ..TableView::default()
    }
}

/// Forecast for a student; `None` without games.
fn forecast(class: &ClassView<'_>, scheme: &Scheme, mark: &Mark, more: u32) -> Option<Forecast> {
    let games = class.graded.games.get(&mark.key)?;
    let mut chance = Stream::new(CHANCE, 0);
    Some(scheme.forecast(games, mark.besides(), more, SIMULATIONS, &mut chance))
}

/// Time of `more` games of all graded students, from the mean time of each student's games in each test; `None`
/// if no game was timed.
fn time(class: &ClassView<'_>, scheme: &Scheme, more: u32, jobs: usize) -> Option<Duration> {
    let mut seconds = 0.0;
    for mark in class.with(Status::Graded) {
        let used = class.used.get(mark.key.as_str()).into_iter().flatten();
        for test in used.filter(|it| !scheme.tests[it.test].rule.is_sequential()) {
            let seatings = f64::from(class.grading.tests[test.test].seatings());
            let mean = test.mean()?.as_secs_f64();
            seconds += f64::from(more) * seatings * mean;
        }
    }
    let seconds = seconds / jobs.max(1) as f64;
    (seconds > 0.0).then(|| Duration::from_secs_f64(seconds.ceil().min(1e9)))
}
