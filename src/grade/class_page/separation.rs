//! Each test's worth: whether its games tell students apart.

use super::distribution::EQUAL;
use super::view::{ClassView, text};
use crate::grade::config::Test;
use crate::grade::feedback::{number, percent};
use crate::grade::marks::Status;
use crate::grade::scheme::share;
use crate::pages::{Block, CellView, Chart, ColumnView, Shape, TableView, round};
use crate::rating::Interval;

/// Height of the scale from 0 to 100 %, its top and its left end in percent of the width.
const SCALE: f64 = 160.0;
const TOP: f64 = 20.0;
const LEFT: f64 = 11.0;

/// A student in a test.
struct Placed<'a> {
    key: &'a str,
    /// Share of the points, with its 95 % interval.
    share: Interval,
    games: u64,
    marks: f64,
}

/// A heading, a sentence and a chart for each test.
pub(super) fn blocks(class: &ClassView<'_>) -> Vec<Block> {
    let mut blocks = vec![text(
        "Each column is a student: the share of the points in the test, the lowest first, and its 95 % interval. Two \
         students are told apart if their intervals do not overlap.",
    )];
    for (at, test) in class.grading.tests.iter().enumerate() {
        let students = placed(class, at);
        blocks.push(Block::Subheading(test.name.clone()));
        blocks.push(text(worth(class, test, &students)));
        if !students.is_empty() {
            blocks.push(Block::Chart(
                chart(class, test, &students),
                table(class, test, &students),
            ));
        }
    }
    blocks
}

/// Graded students with games in a test, the lowest share first.
fn placed<'a>(class: &ClassView<'a>, at: usize) -> Vec<Placed<'a>> {
    let points = class.grading.points.range(class.grading.tests[at].seats());
    let students = class.with(Status::Graded).filter_map(|mark| {
        let own = mark.tests.get(at)?;
        let games = class.graded.games.get(&mark.key)?.get(at)?;
        Some(Placed {
            key: &mark.key,
            share: share(games, points)?,
            games: own.games,
            marks: own.marks,
        })
    });
    let mut students: Vec<Placed<'_>> = students.collect();
    students.sort_by(|one, other| one.share[1].total_cmp(&other.share[1]));
    students
}

/// In words, whether a test tells students apart.
fn worth(class: &ClassView<'_>, test: &Test, students: &[Placed<'_>]) -> String {
    let all = students.len();
    if all == 0 {
        return "Nobody has played it.".to_owned();
    }
    let count = |is: &dyn Fn(f64) -> bool| students.iter().filter(|it| is(it.marks)).count();
    let full = count(&|marks| marks >= test.marks - EQUAL);
    let none = count(&|marks| marks <= EQUAL);
    let mut words = format!(
        "{full} of {} {} full marks, and {none} {} none.",
        class.counted(all),
        if full == 1 { "has" } else { "have" },
        if none == 1 { "has" } else { "have" }
    );
    let shares: Vec<Interval> = students.iter().map(|it| it.share).collect();
    let apart = told_apart(&shares);
    let verdict = match apart {
        _ if all < 2 => return words,
        Some(0.0) | None => " This test separates nobody.".to_owned(),
        Some(part) if part < 0.1 => format!(
            " This test separates hardly anybody: {} of the pairs of students are told apart.",
            percent(part)
        ),
        Some(part) => format!(
            " {} of the pairs of students are told apart.",
            percent(part)
        ),
    };
    words.push_str(&verdict);
    for (many, what, harder) in [
        (full, "full marks", "a harder"),
        (none, "none", "an easier"),
    ] {
        if 2 * many >= all && many > 1 {
            words.push_str(&format!(
                " Among the {many} with {what} it separates nobody: {harder} opponent would."
            ));
        }
    }
    words
}

/// Share of the pairs of intervals that do not overlap; `None` without a pair.
fn told_apart(shares: &[Interval]) -> Option<f64> {
    let (mut pairs, mut apart) = (0_u64, 0_u64);
    for (at, [low, _, high]) in shares.iter().enumerate() {
        for [other_low, _, other_high] in &shares[at + 1..] {
            pairs += 1;
            apart += u64::from(high < other_low || other_high < low);
        }
    }
    (pairs > 0).then(|| apart as f64 / pairs as f64)
}

/// A column for each student: the interval, and the share as a bar across it.
fn chart(class: &ClassView<'_>, test: &Test, students: &[Placed<'_>]) -> Chart {
    let bottom = TOP + SCALE;
    let mut chart = Chart {
        title: format!("{}: share of the points of each student", test.name),
        description: format!("{}: share of the points of each student.", test.name),
        height: bottom + 12.0,
        ..Chart::default()
    };
    let y = |share: f64| bottom - SCALE * share.clamp(0.0, 1.0);
    for (share, label) in [(0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")] {
        chart.line("grid", [LEFT, 100.0], [y(share); 2]);
        chart.text("start tick", 0.0, y(share) + 4.0, label);
    }
    let width = (100.0 - LEFT) / students.len() as f64;
    for (at, student) in students.iter().enumerate() {
        let [low, share, high] = student.share;
        let tooltip = format!(
            "{}: {} ({} to {})",
            class.shown(student.key),
            percent(share),
            percent(low),
            percent(high)
        );
        let x = LEFT + width * at as f64;
        let bar = |class, top: f64, height: f64| Shape::Bar {
            class,
            x: round(x + width * 0.15),
            y: round(top),
            width: round(width * 0.7),
            height: round(height),
            tooltip: tooltip.clone(),
        };
        let interval = bar("span", y(high), (y(low) - y(high)).max(1.0));
        let value = bar("column", y(share) - 2.0, 4.0);
        chart.shapes.extend([interval, value]);
    }
    chart
}

fn table(class: &ClassView<'_>, test: &Test, students: &[Placed<'_>]) -> TableView {
    let rows = students.iter().map(|student| {
        let [low, share, high] = student.share;
        let link = class.games_link(student.key, &test.name);
        vec![
            class.cell(student.key),
            CellView::share(share),
            CellView::share(low),
            CellView::share(high),
            CellView::count(student.games).link(link),
            CellView::text(&number(student.marks)),
        ]
    });
    let mut columns = vec![ColumnView::name("student")];
    columns.extend(["share", "low", "high", "games", "marks"].map(ColumnView::number));
    TableView {
        caption: format!("{}: shares of the points with 95 % intervals", test.name),
        columns,
        rows: rows.collect(),
        ..TableView::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_are_told_apart_where_no_intervals_overlap() {
        let at = |low: f64, high: f64| [low, (low + high) / 2.0, high];
        assert_eq!(told_apart(&[at(0.1, 0.2)]), None);
        assert_eq!(
            told_apart(&[at(0.1, 0.4), at(0.4, 0.6), at(0.5, 0.9)]),
            Some(1.0 / 3.0)
        );
        assert_eq!(told_apart(&[at(1.0, 1.0), at(1.0, 1.0)]), Some(0.0));
    }
}
