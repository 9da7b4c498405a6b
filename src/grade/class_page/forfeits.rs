//! Forfeited games of the class, by cause.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::view::{ClassView, listed, text};
use crate::grade::feedback::what;
use crate::pages::{Block, Words};
use crate::referee::{FaultKind, Termination};
use crate::text::counted;

/// Maximum number of students named with a cause.
const NAMED: usize = 30;

/// Forfeits by cause, the one of most students first.
pub(super) fn blocks(class: &ClassView<'_>) -> Vec<Block> {
    let mut causes: BTreeMap<(Termination, FaultKind), BTreeMap<&str, u64>> = BTreeMap::new();
    for (key, tests) in &class.used {
        for (cause, count) in tests.iter().flat_map(|test| &test.faults) {
            let students = causes.entry(*cause).or_default();
            *students.entry(key).or_default() += count;
        }
    }
    if causes.is_empty() {
        return vec![text("Nobody forfeited a game.")];
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(_, students)| Reverse((students.len(), students.values().sum::<u64>())));
    let items = causes.iter().map(|((termination, fault), students)| {
        let mut students: Vec<(&str, u64)> = students.iter().map(|(key, n)| (*key, *n)).collect();
        students.sort_by_key(|(_, count)| Reverse(*count));
        let games: u64 = students.iter().map(|(_, count)| count).sum();
        let mut words = vec![
            Words::Strong(format!(
                "{} of {}",
                counted(games, "game", "games"),
                class.counted(students.len())
            )),
            Words::Plain(format!(
                " ({}): {}. ",
                termination.name(),
                what(*termination, *fault)
            )),
        ];
        let each = students.iter();
        let each =
            each.map(|(key, count)| vec![class.words(key), Words::Plain(format!(" {count}"))]);
        words.extend(listed(each, NAMED));
        words
    });
    let mut blocks = vec![
        Block::List(items.collect()),
        text(
            "The feedback of each student has the place in the program, the board, and the command to see it again.",
        ),
    ];
    blocks.extend(early_ends(class));
    blocks
}

/// Tests that ended early. Games that were not played are not among the games above.
fn early_ends(class: &ClassView<'_>) -> Option<Block> {
    let items = class.graded.marks.iter().flat_map(|mark| {
        let tests = class.grading.tests.iter().zip(&mark.tests);
        tests.filter_map(|(test, own)| {
            let said = format!(", {}: {}", test.name, own.early_end.as_ref()?);
            Some(vec![class.words(&mark.key), Words::Plain(said)])
        })
    });
    let items: Vec<Vec<Words>> = items.collect();
    (!items.is_empty()).then_some(Block::List(items))
}
