//! The log-likelihood ratio of a sequential test over its games.

use std::collections::BTreeMap;

use super::Thinned;
use super::lines::{Line, Point, Setting, lines_chart};
use super::svg::Chart;
use super::table::{CellView, ColumnView, TableView};
use crate::game::{GameResult, PerSeat};
use crate::report::{Cell, unit_of_test};
use crate::runs::GameRow;
use crate::schedule::{NextGame, Schedule, TestState};

/// The states of a test after each counted pair, or after every second, fourth and so on of many.
#[derive(Debug)]
pub struct TestHistory {
    challenger: String,
    /// The schedule, which counts the pairs again.
    schedule: Box<dyn Schedule>,
    /// The first game without a result in it.
    next: u64,
    waiting: BTreeMap<u64, GameResult>,
    states: Thinned<TestState>,
}

impl TestHistory {
    /// The test of a schedule among these players; `None` if it has none.
    pub fn new(schedule: Box<dyn Schedule>, players: &[&str]) -> Option<Self> {
        let mut history = Self {
            challenger: players[schedule.test()?.challenger].to_owned(),
            next: 0,
            waiting: BTreeMap::new(),
            states: Thinned::default(),
            schedule,
        };
        history.add_state();
        Some(history)
    }

    /// Takes in a game, in any order.
    pub fn add(&mut self, row: &GameRow) {
        self.add_result(row.block, &row.players, row.end.result);
    }

    pub fn add_result(&mut self, block: u64, players: &PerSeat<String>, result: GameResult) {
        // In the first game of a block the challenger has the first seat, in the second the second, and so on.
        let Some(seat) = players.find(|player| *player == self.challenger) else {
            return;
        };
        let id = players.count() as u64 * block + seat.index() as u64;
        self.waiting.insert(id, result);
        while let Some(result) = self.waiting.remove(&self.next) {
            // Once the test is over, no more games are issued.
            let NextGame::Issue(ticket) = self.schedule.next() else {
                return;
            };
            self.schedule.record(ticket.id, result);
            self.next = ticket.id + 1;
            self.add_state();
        }
    }

    /// Keeps the state of the test. One without more pairs than the last is left out.
    fn add_state(&mut self) {
        let last = self.states.last().map(TestState::games);
        let state = self.schedule.test();
        let state = state.filter(|state| last.is_none_or(|last| state.games() > last));
        if let Some(state) = state {
            self.states.add(state);
        }
    }

    /// The last state; `None` before the first counted pair.
    pub fn last(&self) -> Option<&TestState> {
        self.states.last().filter(|state| state.games() > 0)
    }

    /// The ratio as a line between its bounds, with the numbers; `None` before the first counted pair.
    pub fn chart(&self, game: &str) -> Option<(Chart, TableView)> {
        let last = self.last()?;
        let line = |name: &str, is_limit, value: &dyn Fn(&TestState) -> f64| Line {
            name: name.to_owned(),
            points: self
                .states
                .points()
                .map(|it| Point::new(it.games(), value(it)))
                .collect(),
            is_limit,
        };
        let lines = [
            line("LLR", false, &|state| state.llr),
            line("low bound", true, &|state| state.bounds()[0]),
            line("high bound", true, &|state| state.bounds()[1]),
        ];
        let setting = Setting {
            games: last.games(),
            included: &[0.0],
            words: &|value| Cell::Real(value, Some(2)).plain(),
            unit: "games",
            title: "LLR",
        };
        let chart = Chart {
            name: format!("{game} LLR"),
            title: format!("{game}: LLR of the test over its games"),
            description: format!(
                "The log-likelihood ratio after each {}. The test ends at a dashed line: below, \
                 H0 is accepted ({} {unit}), and above, H1 ({} {unit}). The bounds move a little with the variance of the results.",
                match last.pairs() {
                    Some(_) => "game pair, in the order of the pairs",
                    None => "block, in the order of the blocks",
                },
                last.test.elo0,
                last.test.elo1,
                unit = unit_of_test(last.test.model),
            ),
            ..lines_chart(&lines, &setting)
        };
        Some((chart, self.numbers(game)))
    }

    fn numbers(&self, game: &str) -> TableView {
        let rows = self.states.points().map(|state| {
            let [low, high] = state.bounds();
            let ratio = |value| CellView::text(&Cell::Real(value, Some(4)).plain());
            vec![
                CellView::count(state.games()).heading(),
                ratio(state.llr),
                ratio(low),
                ratio(high),
            ]
        });
        TableView::new(
            format!("{game}: LLR after these games"),
            ["games", "LLR", "low bound", "high bound"]
                .map(ColumnView::number)
                .into(),
            rows,
        )
    }
}
