//! Score of the first seat by opening.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use minijinja::Error;

use crate::pages::context::RunContext;
use crate::pages::parts::cell_chart::Scale;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::rating::{Score, Tally};
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
    /// The results of the first seat.
    first: Tally,
}

impl Opening {
    /// Distance of the score's interval from even; negative if the interval encloses it.
    fn evidence(&self) -> f64 {
        let interval = self.first.score_interval();
        interval.map_or(-1.0, |[low, _, high]| (low - 0.5).max(0.5 - high))
    }
}

impl Openings {
    /// Adds a game, if it has an opening and a result.
    pub fn add(&mut self, row: &GameRow) {
        let Some(score) = Score::of_first(row.end.result) else {
            return;
        };
        let actions = row.start.opening.as_str();
        if actions.is_empty() {
            return;
        }
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
            first: Tally::default(),
        });
        opening.first.count(score);
    }

    /// The openings as HTML, those furthest from even first; empty without openings.
    pub fn table(&self, pages: &RunContext<'_>, game: &str) -> Result<String, Error> {
        if self.counted.is_empty() {
            return Ok(String::new());
        }
        let mut openings: Vec<&Opening> = self.counted.values().collect();
        openings.sort_by(|a, b| {
            let by_evidence = b.evidence().total_cmp(&a.evidence());
            by_evidence.then_with(|| a.actions.cmp(&b.actions))
        });
        let apart = openings.iter().filter(|it| it.evidence() > 0.0).count();
        openings.truncate(LISTED);
        let scale = Scale::new(0.0, 1.0, 0.0);
        let mut rows = Vec::new();
        for opening in &openings {
            let Some(ends) = opening.first.score_interval() else {
                continue;
            };
            let [low, score, high] = ends.map(|end| Cell::Share(end.clamp(0.0, 1.0)).shown());
            let label = format!("score {score}, 95 % interval {low} to {high}");
            rows.push(vec![
                CellView::text(&opening.actions).heading(),
                CellView::chart(scale.interval(ends, 0.5, label)),
                CellView::text(&score),
                CellView::text(&low),
                CellView::text(&high),
                CellView::count(opening.first.games()),
            ]);
        }
        let labels = scale.labels(0.5, |score| format!("{:.0} %", 100.0 * score));
        let mut columns = vec![
            ColumnView::name("opening"),
            ColumnView::charts("score of the first seat", labels),
        ];
        columns.extend(["score", "low", "high", "games"].map(ColumnView::number));
        let table = TableView {
            caption: format!(
                "{game}: score of the first seat by opening. {}",
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
        format!(
            "{all} The lines are 95 % intervals, as if all games were independent. On one side of 50 %: \
             {apart} of {}; by chance about one in twenty would be.",
            self.counted.len()
        )
    }
}
