//! Time and memory of students whose programs come near a limit.

use super::used::NearLimit;
use super::view::{ClassView, text};
use crate::grade::feedback::percent;
use crate::pages::{Block, CellView, ColumnView, TableView};

/// Share of a limit from which a program is near it.
const NEAR: f64 = 0.8;

/// Who is near a limit or over it, the nearest first.
pub(super) fn blocks(class: &ClassView<'_>) -> Vec<Block> {
    let mut near: Vec<(&str, &str, NearLimit)> = Vec::new();
    let mut has_limit = false;
    let mut most_of_others = 0.0_f64;
    for (key, tests) in &class.used {
        for test in tests {
            for amount in test.near_limits() {
                has_limit = true;
                if amount.share >= NEAR {
                    near.push((key, &class.grading.tests[test.test].name, amount));
                } else {
                    most_of_others = most_of_others.max(amount.share);
                }
            }
        }
    }
    if !has_limit {
        return vec![text(
            "No limit was measured: nobody has played, or no limit is set.",
        )];
    }
    let rest = format!(
        "All other programs stay below {} of each limit; the most is {}.",
        percent(NEAR),
        percent(most_of_others)
    );
    if near.is_empty() {
        return vec![text(format!(
            "No program comes near a limit of time or memory: the most is {}.",
            percent(most_of_others)
        ))];
    }
    near.sort_by(|(.., one), (.., other)| other.share.total_cmp(&one.share));
    let rows = near.iter().map(|(key, test, amount)| {
        vec![
            class.cell(key),
            CellView::text(test).link(class.games_link(key, test)),
            CellView::text(amount.what),
            CellView::text(&amount.amount),
            CellView::text(&amount.limit),
            CellView::text(&format!("{:.0} %", 100.0 * amount.share)),
        ]
    });
    let table = TableView {
        caption: format!("the most in a game, from {} of a limit", percent(NEAR)),
        columns: vec![
            ColumnView::name("student"),
            ColumnView::text("test"),
            ColumnView::text("what"),
            ColumnView::number("most"),
            ColumnView::number("limit"),
            ColumnView::number("of the limit"),
        ],
        rows: rows.collect(),
        ..TableView::default()
    };
    vec![Block::Listing(table.sortable()), text(rest)]
}

/// The largest share of any limit that a student's program used; `None` if nothing was measured.
pub(super) fn nearest(class: &ClassView<'_>, key: &str) -> Option<f64> {
    let tests = class.used.get(key).into_iter().flatten();
    let amounts = tests.flat_map(|test| test.near_limits());
    amounts.map(|it| it.share).reduce(f64::max)
}
