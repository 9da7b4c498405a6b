//! How many students have how many marks: in all, and in each part.

use super::view::{ClassView, text};
use crate::grade::feedback::number;
use crate::grade::marks::{Mark, Status};
use crate::pages::{Axis, Block, CellView, Chart, ColumnView, TableView, columns_chart};
use crate::text::counted;

/// Upper bound on the classes of a histogram.
const CLASSES: u32 = 20;

/// Marks closer than this are equal; the rest is rounding of the arithmetic.
pub(super) const EQUAL: f64 = 1e-9;

/// Histograms of the total and of each part.
pub(super) fn blocks(class: &ClassView<'_>) -> Vec<Block> {
    let graded: Vec<&Mark> = class.with(Status::Graded).collect();
    if graded.is_empty() {
        return vec![text("Nobody is graded yet.")];
    }
    let grading = class.grading;
    let totals = graded.iter().map(|mark| mark.total);
    let total = histogram(class, "total", totals, grading.most_marks());
    let mut parts = Vec::new();
    for (at, test) in grading.tests.iter().enumerate() {
        let own = graded
            .iter()
            .filter_map(|mark| Some(mark.tests.get(at)?.marks));
        parts.push((test.name.as_str(), own.collect::<Vec<f64>>(), test.marks));
    }
    if let Some(part) = &grading.reliability {
        let own = graded.iter().filter_map(|mark| mark.reliability);
        parts.push(("reliability", own.collect(), part.marks));
    }
    if let Some(part) = grading.tournament.as_ref().filter(|part| part.marks > 0.0) {
        let own = graded.iter().filter_map(|mark| mark.tournament);
        parts.push(("class tournament", own.collect(), part.marks));
    }
    for (at, part) in grading.by_hand.iter().enumerate() {
        let own = graded.iter().filter_map(|mark| *mark.by_hand.get(at)?);
        parts.push((part.name.as_str(), own.collect(), part.marks));
    }
    let parts = parts.into_iter();
    let parts = parts.map(|(name, own, of)| histogram(class, name, own.into_iter(), of));
    let parts: Vec<Block> = parts.collect();
    // A single part is the total.
    let parts = (parts.len() > 1).then_some(Block::Beside(parts));
    [total].into_iter().chain(parts).collect()
}

/// The marks of a part as columns.
fn histogram(
    class: &ClassView<'_>,
    name: &str,
    marks: impl Iterator<Item = f64>,
    of: f64,
) -> Block {
    let marks: Vec<f64> = marks.collect();
    let counts = classes(&marks, of);
    let columns = counts.iter().map(|([from, to], count)| {
        let students = class.counted(*count);
        (
            *count as u64,
            format!("{}: {students}", range(*from, *to, of)),
        )
    });
    let columns: Vec<(u64, String)> = columns.collect();
    let end = counts.last().map_or(of, |([_, end], _)| *end);
    let ends = ["0".to_owned(), number(end)];
    let mean = marks.iter().sum::<f64>() / marks.len().max(1) as f64;
    let chart = Chart {
        title: format!("{name}: how many students have how many marks"),
        description: format!(
            "{name}, of {}: {}, {} on average.",
            counted_marks(of),
            class.counted(marks.len()),
            number(mean)
        ),
        ..columns_chart(&columns, ends, ["student", "students"])
    };
    let rows = counts.iter().filter(|(_, count)| *count > 0);
    let rows = rows.map(|([from, to], count)| {
        let range = CellView::text(&range(*from, *to, of)).heading();
        vec![range, CellView::count(*count as u64)]
    });
    let table = TableView {
        caption: format!("{name}: students by marks"),
        columns: vec![ColumnView::text("marks"), ColumnView::number("students")],
        rows: rows.collect(),
        ..TableView::default()
    };
    Block::Chart(chart, table)
}

fn counted_marks(of: f64) -> String {
    if of == 1.0 {
        counted(1, "mark", "marks")
    } else {
        format!("{} marks", number(of))
    }
}

/// A class of marks in words; the last has its upper end too.
fn range(from: f64, to: f64, of: f64) -> String {
    if to >= of - EQUAL {
        format!("{} to {}", number(from), number(of.max(from)))
    } else {
        format!("{} to below {}", number(from), number(to))
    }
}

/// Classes of round and equal width from 0 to at least `of`, each with its number of marks.
fn classes(marks: &[f64], of: f64) -> Vec<([f64; 2], usize)> {
    let edges: Vec<f64> = Axis::new(0.0, of.max(EQUAL), CLASSES).ticks().collect();
    let ends = edges.windows(2).map(|ends| [ends[0], ends[1]]);
    let count = |[from, to]: [f64; 2]| {
        // The last class has the most marks too.
        let is_last = to >= of - EQUAL;
        let below = |mark: f64| mark < to - EQUAL || is_last;
        let inside = marks
            .iter()
            .filter(|mark| **mark >= from - EQUAL && below(**mark));
        ([from, to], inside.count())
    };
    let mut found = Vec::new();
    for ends in ends {
        found.push(count(ends));
        if ends[1] >= of - EQUAL {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_in_one_class() {
        for of in [0.5, 1.0, 8.0, 20.0, 22.0, 37.5, 100.0] {
            let marks: Vec<f64> = (0..=40).map(|step| of * f64::from(step) / 40.0).collect();
            let found = classes(&marks, of);
            assert!(found.len() <= 21, "{of}: {}", found.len());
            let counts: usize = found.iter().map(|(_, count)| count).sum();
            assert_eq!(counts, marks.len(), "{of}: {found:?}");
            assert_eq!(found[0].0[0], 0.0);
        }
    }

    #[test]
    fn a_class_begins_with_its_lower_end() {
        let found = classes(&[0.0, 0.5, 0.999, 1.0, 20.0], 20.0);
        assert_eq!(found[0], ([0.0, 1.0], 3));
        assert_eq!(found[1].1, 1);
        assert_eq!(found.last(), Some(&([19.0, 20.0], 1)));
    }
}
