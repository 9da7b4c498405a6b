//! What is declared of each of the twelve.

use std::collections::BTreeMap;

use crate::support::tables::Table;

/// What is declared of a student: whose submission it is and what it is like, and then the marks.
struct Declared {
    id: &'static str,
    kind: &'static str,
    status: &'static str,
    days_late: &'static str,
    penalty: &'static str,
    /// The marks of both tests and for reliability, where games are played.
    played: Option<[&'static str; 3]>,
    /// The one cause of all its forfeits, if it has any. `any` is for one that has several.
    forfeits: &'static str,
    total: &'static str,
    note: &'static str,
}

const fn declared(id: &'static str, kind: &'static str, total: &'static str) -> Declared {
    Declared {
        id,
        kind,
        status: "graded",
        days_late: "0",
        penalty: "0.000",
        played: None,
        forfeits: "",
        total,
        note: "",
    }
}

const NOTHING: Option<[&str; 3]> = Some(["0.000", "0.000", "0.000"]);

#[rustfmt::skip]
const DECLARED: [Declared; 13] = [
    Declared { played: Some(["5.000", "4.375", "5.000"]), ..declared("s1001", "good", "14.500") },
    Declared { played: Some(["5.000", "4.375", "5.000"]), ..declared("s1002", "good", "14.500") },
    Declared { played: NOTHING, forfeits: "time", ..declared("s1003", "slow", "0.000") },
    Declared { played: NOTHING, forfeits: "crash", ..declared("s1004", "crashing", "0.000") },
    Declared { status: "broken", note: "it cannot be loaded: no answer within 5.000 s",
        ..declared("s1005", "hanging", "0.000") },
    Declared { status: "broken", note: "it cannot be built: `python3 -m py_compile bot.py` exited with code 1: File \"bot.py\", line 22",
        ..declared("s1006", "uncompilable", "0.000") },
    Declared { played: NOTHING, forfeits: "memory", ..declared("s1007", "memory-eating", "0.000") },
    Declared { played: NOTHING, forfeits: "any", ..declared("s1008", "hostile", "0.000") },
    Declared { status: "broken", note: "what was handed in cannot be unpacked: it holds no file: send the folder with the program",
        ..declared("s1009", "empty", "0.000") },
    Declared { played: Some(["2.917", "1.875", "5.000"]), days_late: "2", penalty: "4.000",
        ..declared("s1010", "late", "6.000") },
    Declared { played: Some(["2.083", "0.000", "5.000"]), ..declared("s1011", "resubmitted", "7.000") },
    Declared { played: Some(["2.500", "1.250", "5.000"]), ..declared("s1012", "twin", "9.000") },
    Declared { played: Some(["2.500", "1.250", "5.000"]), ..declared("s1013", "twin", "9.000") },
];

/// What `marks.csv` must have of each student, and what it has.
pub fn assert_as_declared(rows: &Table) {
    assert_eq!(rows.len(), DECLARED.len());
    for (row, declared) in rows.iter().zip(&DECLARED) {
        let kind = declared.kind;
        let columns = [
            ("id", declared.id),
            ("status", declared.status),
            ("days_late", declared.days_late),
            ("penalty", declared.penalty),
            ("total", declared.total),
        ];
        for (column, value) in columns {
            assert_eq!(row[column], value, "{column} of the {kind} one: {row:?}");
        }
        let marks = ["staff_marks", "stronger_marks", "reliability_marks"].map(|it| &*row[it]);
        assert_eq!(marks, declared.played.unwrap_or_default(), "{kind}");
        let games: u32 = ["staff_games", "stronger_games"]
            .iter()
            .map(|column| row[*column].parse::<u32>().unwrap_or(0))
            .sum();
        assert_eq!(games > 0, declared.played.is_some(), "{kind}");
        let forfeits: BTreeMap<&str, u32> = row
            .iter()
            .filter_map(|(column, count)| {
                let cause = column.strip_prefix("forfeits_")?;
                Some((cause, count.parse().expect("a number")))
            })
            .filter(|(_, count)| *count > 0)
            .collect();
        match declared.forfeits {
            "" => assert!(forfeits.is_empty(), "{kind}: {forfeits:?}"),
            "any" => assert_eq!(
                forfeits.values().sum::<u32>(),
                games,
                "{kind}: {forfeits:?}"
            ),
            cause => assert_eq!(forfeits, BTreeMap::from([(cause, games)]), "{kind}"),
        }
        match declared.note {
            "" => assert_eq!(row["note"], "", "{kind}"),
            note => assert!(row["note"].starts_with(note), "{kind}: {}", row["note"]),
        }
        let range = ["low", "total", "high"].map(|it| row[it].parse::<f64>().expect("a number"));
        assert!(range.is_sorted(), "{kind}: {range:?}");
        assert_eq!(
            row["change"].is_empty(),
            declared.played.is_none(),
            "{kind}"
        );
    }
}
