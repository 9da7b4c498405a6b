//! Tables of a student's feedback, and amounts in words.

use std::time::Duration;

use super::FeedbackInput;
use crate::clock::Measure;
use crate::pages::{Table, Words};

/// Parts of the total.
pub(super) fn marks(input: &FeedbackInput<'_>) -> Table {
    let FeedbackInput { grading, mark, .. } = input;
    let row = |cells: [String; 6]| cells.map(Words::Plain).to_vec();
    let mut rows = Vec::new();
    for (at, test) in grading.tests.iter().enumerate() {
        let of = number(test.marks);
        rows.push(match mark.tests.get(at) {
            None => row([test.name.clone(), dash(), dash(), number(0.0), of, dash()]),
            Some(played) => row([
                test.name.clone(),
                played.games.to_string(),
                percent(played.share),
                number(played.marks),
                of,
                format!("{} to {}", number(played.low), number(played.high)),
            ]),
        });
    }
    let other = |name: &str, marks: Option<f64>, of: f64| {
        let marks = marks.map_or_else(dash, number);
        row([name.to_owned(), dash(), dash(), marks, number(of), dash()])
    };
    if let Some(part) = &grading.reliability {
        rows.push(other("reliability", mark.reliability, part.marks));
    }
    if let Some(part) = grading.tournament.as_ref().filter(|part| part.marks > 0.0) {
        rows.push(other("class tournament", mark.tournament, part.marks));
    }
    for (part, given) in grading.by_hand.iter().zip(&mark.by_hand) {
        rows.push(other(&part.name, *given, part.marks));
    }
    if mark.penalty > 0.0 {
        let cost = format!("−{}", number(mark.penalty));
        rows.push(row([
            "late".to_owned(),
            dash(),
            dash(),
            cost,
            dash(),
            dash(),
        ]));
    }
    let is_played = mark.tests.iter().all(|test| test.games > 0);
    let change = mark.change.as_ref().filter(|_| is_played);
    let interval = change.map_or_else(dash, |change| {
        format!("{} to {}", number(change.low), number(change.high))
    });
    rows.push(
        [
            "total".to_owned(),
            dash(),
            dash(),
            number(mark.total),
            number(grading.most_marks()),
            interval,
        ]
        .map(Words::Strong)
        .to_vec(),
    );
    Table {
        caption: "marks; the interval of a test: what your program's true strength may be worth, judged by these \
                  games (95 %); the interval of the total: where 95 of 100 repetitions would lie"
            .to_owned(),
        columns: ["part", "games", "points", "marks", "of", "interval"]
            .map(str::to_owned)
            .to_vec(),
        rows,
    }
}

/// Maximum use of time and memory in a game, and the limits.
pub(super) fn used(input: &FeedbackInput<'_>) -> Table {
    let rows = input.facts.tests.iter().map(|test| {
        let (time, in_game) = test.time;
        let limit = test.time_limit.map_or_else(|| "none".to_owned(), seconds);
        let game = |id: u64| input.game(id.to_string(), &test.name, id, 0);
        let memory = test.memory.map(|(kib, id)| (mebibytes(kib), game(id)));
        let (most, its_game) = memory.unwrap_or((dash(), Words::Plain(dash())));
        vec![
            Words::Plain(test.name.clone()),
            Words::Plain(match test.measure {
                Measure::Cpu => "processor".to_owned(),
                Measure::Wall => "on the wall".to_owned(),
            }),
            Words::Plain(seconds(time)),
            game(in_game),
            Words::Plain(limit),
            Words::Plain(most),
            its_game,
            Words::Plain(
                test.memory_limit
                    .map_or_else(|| "none".to_owned(), mebibytes),
            ),
        ]
    });
    Table {
        caption: "the most that your program used in a game".to_owned(),
        columns: [
            "test",
            "time is",
            "most time",
            "in game",
            "limit",
            "most memory",
            "in game",
            "limit",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: rows.collect(),
    }
}

/// A number of marks, without trailing zeros.
pub(in crate::grade) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
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

pub(in crate::grade) fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

pub(in crate::grade) fn mebibytes(kib: u64) -> String {
    format!("{:.1} MiB", kib as f64 / 1024.0)
}

pub(in crate::grade) fn dash() -> String {
    "–".to_owned()
}
