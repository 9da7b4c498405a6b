//! Time and memory of a student's games in a test, beside their limits, and the causes of forfeits.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::view::{ClassView, text};
use crate::clock::Measure;
use crate::game::Seat;
use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::feedback::{TestFacts, mebibytes, percent, seat_of, seconds};
use crate::pages::{Block, CellView, ColumnView, TableView};
use crate::referee::{FaultKind, Termination};
use crate::runs::{GameRow, JOURNAL, Run};

/// A student's games in a test.
pub(super) struct TestUse {
    /// Index of the test.
    pub test: usize,
    pub facts: TestFacts,
    /// Longest action, and the limit; `None` if actions have no limit.
    pub action: Option<(Duration, Duration)>,
    /// Number of forfeits by cause.
    pub faults: BTreeMap<(Termination, FaultKind), u64>,
}

/// An amount beside its limit.
pub(super) struct NearLimit {
    pub what: &'static str,
    /// Share of the limit.
    pub share: f64,
    pub amount: String,
    pub limit: String,
}

/// Reads a student's runs, in the order of the tests. A test without a game is left out.
pub(super) fn used(
    grading: &Grading,
    key: &str,
    runs: &[PathBuf],
) -> Result<Vec<TestUse>, GradeError> {
    let mut all = Vec::new();
    for (at, (test, path)) in grading.tests.iter().zip(runs).enumerate() {
        if !path.join(JOURNAL).exists() {
            continue;
        }
        let run = Run::open(path, grading.known_games)?;
        let mut used = TestUse {
            test: at,
            facts: TestFacts::unused(&run, key, &test.name),
            action: None,
            faults: BTreeMap::new(),
        };
        for row in run.rows()? {
            let row = row?;
            if let Some(seat) = seat_of(&row, key) {
                used.add(&run, key, row, seat);
            }
        }
        if used.facts.games > 0 {
            all.push(used);
        }
    }
    Ok(all)
}

impl TestUse {
    fn add(&mut self, run: &Run, key: &str, row: GameRow, seat: Seat) {
        self.facts.add(&row, seat);
        if let Some(fault) = row.end.fault(seat) {
            let cause = (row.end.termination_for(seat), fault.kind);
            *self.faults.entry(cause).or_default() += 1;
        }
        if let Some(limit) = run.manifest().time_of(key).per_move {
            let most = longest_action(run, row, seat, self.facts.measure);
            let before = self.action.map_or(Duration::ZERO, |(most, _)| most);
            self.action = Some((most.max(before), limit));
        }
    }

    /// The amounts that have a limit.
    pub fn near_limits(&self) -> Vec<NearLimit> {
        let facts = &self.facts;
        let time = |what, most: Duration, limit: Duration| NearLimit {
            what,
            share: most.as_secs_f64() / limit.as_secs_f64().max(1e-9),
            amount: seconds(most),
            limit: seconds(limit),
        };
        let game = facts.time_limit;
        let game = game.map(|limit| time("time of a game", facts.time.0, limit));
        let action = self.action;
        let action = action.map(|(most, limit)| time("time of an action", most, limit));
        let memory = facts.memory.zip(facts.memory_limit);
        let memory = memory.map(|((kib, _), limit)| NearLimit {
            what: "memory",
            share: kib as f64 / limit.max(1) as f64,
            amount: mebibytes(kib),
            limit: mebibytes(limit),
        });
        [game, action, memory].into_iter().flatten().collect()
    }
}

/// The longest action of a seat in a game; zero if its log is not kept or damaged.
fn longest_action(run: &Run, row: GameRow, seat: Seat, measure: Measure) -> Duration {
    let Ok(recording) = run.recording_of(row) else {
        return Duration::ZERO;
    };
    let actions = recording.plies.iter().filter_map(|ply| ply.of(seat));
    let spent = actions.filter_map(|action| action.spent);
    let times = spent.map(|spent| match measure {
        Measure::Cpu => spent.cpu,
        Measure::Wall => spent.wall,
    });
    times.max().unwrap_or_default()
}

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
