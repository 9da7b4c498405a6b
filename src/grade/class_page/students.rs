//! The table of all students.

use super::used::nearest;
use super::view::ClassView;
use crate::grade::feedback::{dash, number, percent};
use crate::grade::marks::Mark;
use crate::pages::{Block, CellView, ColumnView, TableView};
use crate::report::shortened;
use crate::text::excerpt;

/// Maximum characters shown of a student's notes; marks.csv has all.
const NOTE: usize = 80;

/// Maximum display width of names.
const NAMES: usize = 40;

/// All students, in the order of the roster.
pub(super) fn blocks(class: &ClassView<'_>) -> Vec<Block> {
    let grading = class.grading;
    let mut columns = vec![
        ColumnView::text("student"),
        ColumnView::name("name"),
        ColumnView::text("status"),
    ];
    let mut numbers = vec!["total".to_owned(), "low".to_owned(), "high".to_owned()];
    numbers.push("would change".to_owned());
    numbers.extend(grading.tests.iter().map(|test| test.name.clone()));
    numbers.extend(grading.reliability.iter().map(|_| "reliability".to_owned()));
    let tournament = grading.tournament.as_ref().filter(|it| it.marks > 0.0);
    numbers.extend(tournament.map(|_| "tournament".to_owned()));
    numbers.extend(grading.by_hand.iter().map(|part| part.name.clone()));
    numbers.extend(["days late", "forfeits", "of a limit"].map(str::to_owned));
    columns.extend(numbers.iter().map(|title| ColumnView::number(title)));
    columns.push(ColumnView::sentence("note"));
    let rows = class.graded.marks.iter().map(|mark| row(class, mark));
    let table = TableView {
        caption: "a student leads to the feedback, marks of a test to its games; low to high: 95 % of repetitions"
            .to_owned(),
        columns,
        rows: rows.collect(),
        ..TableView::default()
    };
    vec![Block::Listing(table.sortable())]
}

fn row(class: &ClassView<'_>, mark: &Mark) -> Vec<CellView> {
    let grading = class.grading;
    let shown = |value: Option<f64>| CellView::text(&value.map_or_else(dash, number));
    let total = mark.known_total();
    let change = mark.change.as_ref();
    let names: Vec<&str> = mark.members.iter().map(|it| it.name.as_str()).collect();
    let mut cells = vec![
        CellView::text(&mark.key)
            .link(class.link(&mark.key))
            .heading(),
        CellView::text(&shortened(&names.join(", "), NAMES)),
        CellView::text(mark.status.name()),
        shown(total),
        shown(change.map(|change| change.low).or(total)),
        shown(change.map(|change| change.high).or(total)),
        CellView::text(&change.map_or_else(dash, |change| percent(change.probability))),
    ];
    for (at, test) in grading.tests.iter().enumerate() {
        let own = mark.tests.get(at).map(|own| own.marks);
        cells.push(shown(own).link(class.games_link(&mark.key, &test.name)));
    }
    cells.extend(grading.reliability.iter().map(|_| shown(mark.reliability)));
    let tournament = grading.tournament.as_ref().filter(|it| it.marks > 0.0);
    cells.extend(tournament.map(|_| shown(mark.tournament)));
    cells.extend(mark.by_hand.iter().map(|given| shown(*given)));
    let days = match mark.days_late {
        0 => dash(),
        days => days.to_string(),
    };
    cells.push(CellView::text(&days));
    let forfeits: u64 = mark.forfeits.values().sum();
    cells.push(CellView::count(forfeits));
    cells.push(CellView::text(
        &nearest(class, &mark.key).map_or_else(dash, |share| format!("{:.0} %", 100.0 * share)),
    ));
    let notes = [&mark.notes[..], &mark.of_files[..]].concat().join("; ");
    cells.push(CellView::text(&excerpt(&notes, NOTE)));
    cells
}
