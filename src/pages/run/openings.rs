//! Score of the first seat by opening, and of each seat where there are more than two.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use minijinja::Error;

use crate::game::{GameResult, Seat};
use crate::pages::context::RunContext;
use crate::pages::parts::cell_chart::Scale;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::rating::{Interval, wilson_interval};
use crate::report::Cell;
use crate::runs::GameRow;
use crate::text::{counted, excerpt};

/// Upper bound on the openings listed. The furthest from even are listed.
const LISTED: usize = 30;

/// Upper bound on the openings counted, so that memory does not grow with the games.
const COUNTED: usize = 10_000;

/// Maximum length of an opening in characters.
const EXCERPT: usize = 200;

/// The openings of one kind of game.
#[derive(Debug, Default)]
pub struct Openings {
    /// By a hash of the actions, since openings can be long.
    counted: HashMap<u64, Opening>,
    /// Whether there were more than are counted.
    too_many: bool,
}

#[derive(Debug)]
struct Opening {
    actions: String,
    games: u64,
    /// The points of the first seat of a game of two, or of each seat of a game with more: shares of opponents beaten.
    points: Vec<f64>,
}

impl Opening {
    /// The score of a seat with its 95 % interval.
    fn score(&self, seat: usize) -> Interval {
        let games = self.games as f64;
        wilson_interval(self.points[seat] / games, games)
    }

    /// Distance of a seat's interval from even; negative if the interval encloses it.
    fn evidence_of(&self, seat: usize) -> f64 {
        let [low, _, high] = self.score(seat);
        (low - 0.5).max(0.5 - high)
    }

    /// The seat whose score is the furthest from even.
    fn furthest(&self) -> usize {
        let seats = (0..self.points.len()).rev();
        let by = |a: &usize, b: &usize| self.evidence_of(*a).total_cmp(&self.evidence_of(*b));
        seats.max_by(by).unwrap_or_default()
    }

    fn evidence(&self) -> f64 {
        self.evidence_of(self.furthest())
    }
}

impl Openings {
    /// Adds a game, if it has an opening and a result.
    pub fn add(&mut self, row: &GameRow) {
        let (result, actions) = (row.end.result, row.start.opening.as_str());
        if result == GameResult::Nobody || actions.is_empty() {
            return;
        }
        let seats = match row.players.count() {
            2 => 1,
            seats => seats,
        };
        // A collision would merge two openings. Among 10,000 hashes of 64 bits it is negligible.
        let mut hasher = DefaultHasher::new();
        actions.hash(&mut hasher);
        let key = hasher.finish();
        if self.counted.len() == COUNTED && !self.counted.contains_key(&key) {
            self.too_many = true;
            return;
        }
        let opening = self.counted.entry(key).or_insert_with(|| Opening {
            actions: excerpt(actions, EXCERPT),
            games: 0,
            points: vec![0.0; seats],
        });
        opening.games += 1;
        for (points, seat) in opening.points.iter_mut().zip(Seat::all(seats)) {
            *points += result.points(seat);
        }
    }

    /// The openings as HTML, those furthest from even first; empty without openings. `seats` has the names of more than two
    /// seats.
    pub fn table(
        &self,
        pages: &RunContext<'_>,
        game: &str,
        seats: Option<&[&str]>,
    ) -> Result<String, Error> {
        if self.counted.is_empty() {
            return Ok(String::new());
        }
        let mut openings: Vec<&Opening> = self.counted.values().collect();
        openings.sort_by(|a, b| {
            let by_evidence = b.evidence().total_cmp(&a.evidence());
            by_evidence.then_with(|| a.actions.cmp(&b.actions))
        });
        let apart = openings.iter().map(|it| {
            let seats = 0..it.points.len();
            seats.filter(|seat| it.evidence_of(*seat) > 0.0).count()
        });
        let apart = apart.sum();
        openings.truncate(LISTED);
        let scale = Scale::new(0.0, 1.0, 0.0);
        let mut rows = Vec::new();
        for opening in &openings {
            let seat = opening.furthest();
            let ends = opening.score(seat);
            let [low, score, high] = ends.map(|end| Cell::Share(end.clamp(0.0, 1.0)).shown());
            let label = format!("score {score}, 95 % interval {low} to {high}");
            let mut row = vec![
                CellView::text(&opening.actions).heading(),
                CellView::chart(scale.interval(ends, 0.5, label)),
                CellView::text(&score),
                CellView::text(&low),
                CellView::text(&high),
                CellView::count(opening.games),
            ];
            if let Some(names) = seats {
                row.insert(1, CellView::text(names[seat]));
                row.extend((0..names.len()).map(|seat| {
                    let [_, score, _] = opening.score(seat);
                    CellView::share(score).heat(score)
                }));
            }
            rows.push(row);
        }
        let labels = scale.labels(0.5, |score| format!("{:.0} %", 100.0 * score));
        let score = match seats {
            Some(_) => "score of the seat",
            None => "score of the first seat",
        };
        let mut columns = vec![
            ColumnView::name("opening"),
            ColumnView::charts(score, labels),
        ];
        columns.extend(["score", "low", "high", "games"].map(ColumnView::number));
        if let Some(names) = seats {
            let furthest = "the seat whose score is the furthest from 50 %. A score is the mean share of its opponents \
                that the seat has beaten";
            columns.insert(1, ColumnView::text("seat").explained(furthest));
            columns.extend(names.iter().map(|name| ColumnView::number(name)));
        }
        let scores = match seats {
            Some(_) => "scores of the seats by opening",
            None => "score of the first seat by opening",
        };
        let table = TableView {
            caption: format!(
                "{game}: {scores}. {}",
                self.description(openings.len(), apart)
            ),
            columns,
            rows,
            sortable: true,
            ..TableView::default()
        };
        pages.table(&table)
    }

    fn description(&self, listed: usize, apart: usize) -> String {
        let count = self.counted.len();
        let all = match (self.too_many, count > listed) {
            (true, _) => format!(
                "The {listed} furthest from even of the first {COUNTED} openings; there are more, which are not counted."
            ),
            (false, true) => format!("The {listed} furthest from even of {count} openings."),
            (false, false) => {
                counted(count as u64, "opening", "openings") + ", the furthest from even first."
            }
        };
        let intervals = self.counted.values().map(|opening| opening.points.len());
        let intervals: usize = intervals.sum();
        let of_seats = match intervals == self.counted.len() {
            true => "",
            false => " scores",
        };
        format!(
            "{all} The lines are 95 % intervals, as if all games were independent. On one side of 50 %: \
             {apart} of {intervals}{of_seats}; by chance about one in twenty would be."
        )
    }
}
