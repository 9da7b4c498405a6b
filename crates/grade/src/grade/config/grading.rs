//! A validated grading, and the parts of its marks.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::clock::TimeControl;
use crate::config::{Entry, FormatTable, Limits, PlannedGame};
use crate::game::{GameResult, Games, Reason, Seat};
use crate::grade::intake::{DayKind, Deadline, Lateness, Layout};
use crate::grade::scheme::Reliability;
use crate::runs::GameRow;
use crate::schedule::seatings_in_turn;
use crate::text::counted;

#[derive(Debug, Clone)]
pub struct Grading {
    pub name: String,
    /// Master seed of all games; `None` draws one for the class.
    pub seed: Option<u64>,
    /// Games that the configuration and the manifests of its runs may name.
    pub known_games: Games,
    pub roster: PathBuf,
    /// Names of its columns that differ from ours, by our names.
    pub columns: Vec<(&'static str, String)>,
    pub submissions: PathBuf,
    pub layout: Layout,
    pub deadline: Option<Deadline>,
    pub late: Option<Lateness>,
    pub submission: SubmissionKind,
    pub course_files: Option<PathBuf>,
    pub points: PointScheme,
    pub references: Vec<Entry>,
    pub tests: Vec<Test>,
    pub limits: Limits,
    pub time: TimeControl,
    /// Game of the class tournament and of the first check.
    pub game: PlannedGame,
    pub reliability: Option<Reliability>,
    pub round_to: f64,
    pub tournament: Option<FormatTable>,
    /// Whether feedback has the records of games that hide something.
    pub shows_hidden_games: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionKind {
    pub program: Program,
    pub env: Vec<(String, String)>,
    pub fresh_process: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    Command {
        command: Vec<String>,
        build: Option<Vec<String>>,
    },
    /// The first player of the submission's `kit.toml`.
    Kit,
    /// A course's package, played by an adapter.
    Package {
        course: String,
        adapter: PathBuf,
        /// Interpreter of the adapter: a name in `PATH`, or an absolute path.
        python: String,
        /// Module or package that is preferred, where the roster names none.
        module: Option<String>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct PointScheme {
    pub(super) win: f64,
    pub(super) draw: f64,
    pub(in crate::grade) loss: f64,
    pub(super) draw_by: BTreeMap<&'static str, f64>,
}

#[derive(Debug, Clone)]
pub struct Test {
    pub name: String,
    pub against: Vec<usize>,
    pub game: PlannedGame,
    pub time: TimeControl,
    pub marks: f64,
    /// From the share of the points to the share of the marks, where these differ.
    pub curve: Option<Vec<[f64; 2]>>,
    pub games: u32,
}

#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    pub name: &'a str,
    pub of: f64,
    pub kind: PartKind,
}

/// Source of a part of the marks, with its index where there can be several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    Test(usize),
    Reliability,
}

impl Grading {
    /// Whether students get no records of this test: they show the hidden parts, and others may still play the same
    /// games.
    pub fn withholds(&self, test: &Test) -> bool {
        test.game.game().hides_something() && !self.shows_hidden_games
    }

    /// A number of days late, in words.
    pub fn days_late(&self, days: u32) -> String {
        match self.late.as_ref().map(|late| late.days) {
            Some(DayKind::Working) => counted(days.into(), "working day", "working days"),
            Some(DayKind::Calendar) | None => counted(days.into(), "day", "days"),
        }
    }

    pub fn games(&self) -> u64 {
        let tests = self.tests.iter();
        tests
            .map(|test| u64::from(test.games) * u64::from(test.seatings()))
            .sum()
    }

    /// Time of a student's games if all bots use up their clocks; `None` if a clock has no
    /// limit per game.
    pub fn longest(&self) -> Option<Duration> {
        let mut sum = Duration::ZERO;
        for test in &self.tests {
            let games = test.games.saturating_mul(test.seatings());
            let game = test.time.whole_game()?.saturating_mul(test.seats() as u32);
            sum = sum.saturating_add(game.saturating_mul(games));
        }
        Some(sum)
    }

    pub fn parts(&self) -> Vec<Part<'_>> {
        let part = |name, of, kind| Part { name, of, kind };
        let mut parts = Vec::new();
        for (at, test) in self.tests.iter().enumerate() {
            parts.push(part(test.name.as_str(), test.marks, PartKind::Test(at)));
        }
        if let Some(own) = &self.reliability {
            parts.push(part("reliability", own.marks, PartKind::Reliability));
        }
        parts
    }

    pub fn most_marks(&self) -> f64 {
        self.parts().iter().map(|part| part.of).sum()
    }
}

impl Test {
    pub(in crate::grade) fn seats(&self) -> usize {
        self.game.game().seat_count()
    }

    /// Number of different seatings of opponents. In a game of two that is the number of opponents.
    pub(in crate::grade) fn seatings(&self) -> u32 {
        let seatings = seatings_in_turn(self.against.len(), self.seats());
        seatings.map_or(1, |seatings| seatings as u32)
    }
}

impl PointScheme {
    pub(in crate::grade) fn range(&self, seats: usize) -> [f64; 2] {
        let draws = self.draw_by.values().copied().chain([self.draw]);
        let draws = draws.filter(|_| seats == 2);
        let all = draws.chain([self.win, self.loss]);
        all.fold([1.0, 0.0], |[least, most], worth| {
            [worth.min(least), worth.max(most)]
        })
    }

    pub fn of(&self, row: &GameRow, seat: Seat) -> f64 {
        match row.end.result {
            // The share of its opponents that it has beaten, between a loss and a win.
            result if row.players.count() > 2 => {
                self.loss + (self.win - self.loss) * result.points(seat)
            }
            GameResult::Won(winner) if winner == seat => self.win,
            GameResult::Won(_) | GameResult::Nobody | GameResult::Placed(_) => self.loss,
            GameResult::Drawn => {
                let reason = row.end.reason.map(Reason::name);
                let own = reason.and_then(|reason| self.draw_by.get(reason));
                own.copied().unwrap_or(self.draw)
            }
        }
    }
}
