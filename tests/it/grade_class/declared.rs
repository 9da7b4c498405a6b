//! What is declared of each of the twelve.

use std::collections::BTreeMap;

use crate::support::{Table, root, rows};

/// The expected row of each student in `marks.csv` is in `declared.csv`: the columns of that name, the marks of both tests and
/// for reliability where games are played, the one cause of all its forfeits, or `any`, and how the note begins.
pub fn assert_as_declared(marks: &Table) {
    let declared = rows(&root().join("tests/it/grade_class/declared.csv"));
    assert_eq!(marks.len(), declared.len());
    for (row, declared) in marks.iter().zip(&declared) {
        let kind = &declared["kind"];
        for column in ["id", "status", "days_late", "penalty", "total"] {
            assert_eq!(row[column], declared[column], "{column} of {kind}: {row:?}");
        }
        for test in ["staff", "stronger", "reliability"] {
            assert_eq!(row[&format!("{test}_marks")], declared[test], "{kind}");
        }
        let is_played = !declared["staff"].is_empty();
        let games: u32 = ["staff_games", "stronger_games"]
            .iter()
            .map(|column| row[*column].parse::<u32>().unwrap_or(0))
            .sum();
        assert_eq!(games > 0, is_played, "{kind}");
        let forfeits: BTreeMap<&str, u32> = row
            .iter()
            .filter_map(|(column, count)| {
                let cause = column.strip_prefix("forfeits_")?;
                Some((cause, count.parse().expect("a number")))
            })
            .filter(|(_, count)| *count > 0)
            .collect();
        match declared["forfeits"].as_str() {
            "" => assert!(forfeits.is_empty(), "{kind}: {forfeits:?}"),
            "any" => assert_eq!(
                forfeits.values().sum::<u32>(),
                games,
                "{kind}: {forfeits:?}"
            ),
            cause => assert_eq!(forfeits, BTreeMap::from([(cause, games)]), "{kind}"),
        }
        match declared["note"].as_str() {
            "" => assert_eq!(row["note"], "", "{kind}"),
            note => assert!(row["note"].starts_with(note), "{kind}: {}", row["note"]),
        }
        let range = ["low", "total", "high"].map(|it| row[it].parse::<f64>());
        let range: Vec<f64> = range.into_iter().flatten().collect();
        assert!(range.is_sorted(), "{kind}: {range:?}");
        let count = if row["change"].is_empty() { 1 } else { 3 };
        assert_eq!(range.len(), count, "{kind}: {range:?}");
        // That all games of a test are forfeited by one cause is no chance.
        let is_one_forfeit = forfeits.len() == 1 && forfeits.values().sum::<u32>() == games;
        if is_one_forfeit || !is_played {
            assert_eq!(row["change"], "", "{kind}");
        } else if forfeits.is_empty() {
            assert_ne!(row["change"], "", "{kind}");
        }
    }
}
