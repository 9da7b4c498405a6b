//! Further parts of the page: programs that play alike, changes since the last grading, and problems.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::view::{ClassView, text};
use crate::grade::feedback::percent;
use crate::grade::marks::ChangedMark;
use crate::grade::results::Alike;
use crate::pages::{Block, CellView, ColumnView, TableView, Words};
use crate::text::counted;

/// Maximum number of pairs, changes and problems listed; the tables have all.
const LISTED: usize = 200;

/// Marks that changed since an earlier grading.
pub(super) enum Changes {
    /// There is no earlier grading.
    First,
    /// Since the grading of this time.
    Since(String, Vec<ChangedMark>),
    /// They cannot be compared, for this reason.
    Unknown(String),
}

/// Groups of students whose programs played all games alike: each is alike to another one of its group.
pub(super) fn groups_alike(alike: &[Alike]) -> Vec<BTreeSet<&str>> {
    let mut groups: Vec<BTreeSet<&str>> = Vec::new();
    for pair in alike {
        let keys = pair.keys.each_ref().map(String::as_str);
        let mut joined = BTreeSet::from(keys);
        groups.retain(|group| {
            let is_apart = keys.iter().all(|key| !group.contains(key));
            if !is_apart {
                joined.extend(group);
            }
            is_apart
        });
        groups.push(joined);
    }
    groups.sort_by_key(|group| Reverse(group.len()));
    groups
}

/// Students whose programs played all games alike.
pub(super) fn copies(class: &ClassView<'_>, alike: &[Alike]) -> Vec<Block> {
    let Some(first) = alike.first() else {
        return vec![text("No two programs played all their games alike.")];
    };
    let groups = groups_alike(alike);
    let items = groups.iter().take(LISTED).map(|group| {
        let mut own = alike.iter().filter(|pair| group.contains(&*pair.keys[0]));
        let files = match own.any(|pair| pair.same_files) {
            true => ", some with equal files",
            false => "",
        };
        let students = class.counted(group.len());
        let mut words = vec![Words::Strong(format!("{students}{files}: "))];
        words.extend(class.listed(group.iter().copied(), LISTED));
        words
    });
    vec![
        text("These programs played all their common games alike. Look at their files."),
        Block::List(items.collect()),
        text(format!(
            "Other pairs played {} of their games alike, and at most {}. Independent programs may agree, such as two \
             that take the first legal action.",
            percent(first.others_mean),
            percent(first.others_most)
        )),
    ]
}

/// Whose marks changed since the last grading.
pub(super) fn changes(class: &ClassView<'_>, changes: &Changes) -> Vec<Block> {
    let (since, marks) = match changes {
        Changes::First => return vec![text("This is the first grading.")],
        Changes::Unknown(why) => return vec![text(format!("They are not known: {why}."))],
        Changes::Since(since, marks) => (since, marks),
    };
    if marks.is_empty() {
        return vec![text(format!("No mark changed since {since}."))];
    }
    let totals = marks.iter().filter(|mark| mark.totals[0] != mark.totals[1]);
    let words = text(format!(
        "{} changed since {since}, {} of them with another total.",
        counted(marks.len() as u64, "student", "students"),
        totals.count()
    ));
    let rows = marks.iter().take(LISTED).map(|mark| {
        let [was, is] = mark.totals.each_ref().map(|total| CellView::text(total));
        let columns = mark.columns.iter().map(|(name, _)| name.as_str());
        let columns = columns.filter(|name| !["total", "digest"].contains(name));
        vec![
            of_student(class, &mark.id),
            was,
            is,
            CellView::text(if mark.same_submission {
                "the same"
            } else {
                "another"
            }),
            CellView::text(&columns.collect::<Vec<_>>().join(", ")),
        ]
    });
    let table = TableView {
        caption: format!("marks before and now, as in marks.csv; before: {since}"),
        columns: vec![
            ColumnView::name("student"),
            ColumnView::number("before"),
            ColumnView::number("now"),
            ColumnView::text("submission"),
            ColumnView::sentence("columns that changed"),
        ],
        rows: rows.collect(),
        ..TableView::default()
    };
    vec![words, Block::Listing(table.sortable())]
}

/// The cell of the student with this id in the roster.
fn of_student(class: &ClassView<'_>, id: &str) -> CellView {
    let mut marks = class.graded.marks.iter();
    let mark = marks.find(|mark| mark.members.iter().any(|student| student.id == id));
    match mark {
        Some(mark) if mark.members.len() == 1 => class.cell(&mark.key),
        mark => CellView::text(id)
            .link(mark.and_then(|mark| class.link(&mark.key)))
            .heading(),
    }
}

/// Problems of the roster, the submissions and marks by hand.
pub(super) fn problems(class: &ClassView<'_>) -> Vec<Block> {
    let problems = &class.graded.problems;
    if problems.is_empty() {
        return vec![text("There are none.")];
    }
    let shown = problems.iter().take(LISTED);
    let items = shown.map(|problem| vec![Words::Plain(problem.to_string())]);
    let mut blocks = vec![Block::List(items.collect())];
    if let more @ 1.. = problems.len().saturating_sub(LISTED) {
        blocks.push(text(format!("problems.txt has {more} more.")));
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_alike_to_one_of_a_group_belongs_to_it() {
        let pair = |one: &str, other: &str| Alike {
            keys: [one.to_owned(), other.to_owned()],
            games: 10,
            alike: 10,
            others_mean: 0.0,
            others_most: 0.0,
            same_files: false,
        };
        let pairs = [
            pair("a", "b"),
            pair("c", "d"),
            pair("e", "f"),
            pair("d", "f"),
        ];
        let groups = groups_alike(&pairs);
        assert_eq!(
            groups,
            [
                BTreeSet::from(["c", "d", "e", "f"]),
                BTreeSet::from(["a", "b"])
            ]
        );
    }
}
