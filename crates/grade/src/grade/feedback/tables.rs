//! Tables of a student's feedback, and amounts in words.

use std::time::Duration;

use super::FeedbackInput;
use crate::clock::Measure;
use crate::grade::config::PartKind;
use crate::pages::{CellView, ColumnView, TableView};

/// A table whose first column has the headings of its rows.
fn table(caption: &str, columns: &[&str], rows: Vec<Vec<CellView>>) -> TableView {
    let mut columns: Vec<ColumnView> = columns.iter().map(|it| ColumnView::number(it)).collect();
    columns[0].class = "name";
    let rows = rows.into_iter().map(|mut cells| {
        cells[0].heading = true;
        cells
    });
    TableView::new(caption, columns, rows)
}

pub(super) fn marks(input: &FeedbackInput<'_>) -> TableView {
    let FeedbackInput { grading, mark, .. } = input;
    let row = |cells: [&str; 6]| cells.map(CellView::text).to_vec();
    let rows = grading.parts().into_iter().map(|part| {
        let of = number(part.of);
        let test = match part.kind {
            PartKind::Test(at) => mark.tests.get(at),
            _ => None,
        };
        match (test, part.kind) {
            (Some(played), _) => row([
                part.name,
                &played.games.to_string(),
                &percent(played.share),
                &number(played.marks),
                &of,
                &format!("{} to {}", number(played.low), number(played.high)),
            ]),
            (None, kind) => {
                let marks = number(mark.part(kind).unwrap_or(0.0));
                row([part.name, "–", "–", &marks, &of, "–"])
            }
        }
    });
    let mut rows: Vec<Vec<CellView>> = rows.collect();
    if mark.penalty > 0.0 {
        let cost = format!("−{}", number(mark.penalty));
        rows.push(row(["late", "–", "–", &cost, "–", "–"]));
    }
    let is_played = mark.tests.iter().all(|test| test.games > 0);
    let change = mark.change.as_ref().filter(|_| is_played);
    let interval = change.map_or_else(dash, |change| {
        format!("{} to {}", number(change.low), number(change.high))
    });
    let (total, most) = (number(mark.total), number(grading.most_marks()));
    rows.push(row(["total", "–", "–", &total, &most, &interval]));
    table(
        "marks; the interval of a test: what your program's true strength may be worth, judged by these games (95 %); the \
         interval of the total: where 95 of 100 repetitions would lie",
        &["part", "games", "points", "marks", "of", "interval"],
        rows,
    )
}

pub(super) fn used(input: &FeedbackInput<'_>) -> TableView {
    let rows = input.facts.tests.iter().map(|test| {
        let (time, in_game) = test.time;
        let none = || "none".to_owned();
        let game = |id: u64| CellView::count(id).link(input.link(&test.name, id, 0));
        let memory = test.memory.map(|(kib, id)| (mebibytes(kib), game(id)));
        let (most, its_game) = memory.unwrap_or((dash(), CellView::text("–")));
        let measure = match test.measure {
            Measure::Cpu => "processor",
            Measure::Wall => "on the wall",
        };
        vec![
            CellView::text(&test.name),
            CellView::text(measure),
            CellView::text(&seconds(time)),
            game(in_game),
            CellView::text(&test.time_limit.map_or_else(none, seconds)),
            CellView::text(&most),
            its_game,
            CellView::text(&test.memory_limit.map_or_else(none, mebibytes)),
        ]
    });
    let columns = [
        "test",
        "time is",
        "most time",
        "in game",
        "limit",
        "most memory",
        "in game",
        "limit",
    ];
    let caption = "the most that your program used in a game";
    table(caption, &columns, rows.collect())
}

pub(in crate::grade) fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

pub(in crate::grade) fn percent(share: f64) -> String {
    match share {
        share if share > 0.0 && share < 0.01 => "less than 1 %".to_owned(),
        share if share < 1.0 && share > 0.99 => "more than 99 %".to_owned(),
        share => format!("{:.0} %", 100.0 * share),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

fn mebibytes(kib: u64) -> String {
    format!("{:.1} MiB", kib as f64 / 1024.0)
}

pub(in crate::grade) fn dash() -> String {
    "–".to_owned()
}
