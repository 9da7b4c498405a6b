//! Game pairs by their points, and normalized Elo.

use crate::pages::parts::svg::{AXIS, Chart, Shape, round};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::rating::{Interval, MatchScore};
use crate::report::Cell;
use crate::results::Rated;
use crate::schedule::TestState;
use crate::text::counted;

/// Height of the tallest column in pixels.
const COLUMNS: f64 = 140.0;

const POINTS: [&str; 5] = ["0", "½", "1", "1½", "2"];

pub struct PlayerPairs {
    player: String,
    pairs: [u64; 5],
    /// Normalized Elo, and whether it is corrected for when a test ended.
    normalized: Option<Interval>,
    is_corrected: bool,
}

impl PlayerPairs {
    pub fn of_test(one: &Rated<'_>, state: &TestState) -> Option<Self> {
        let (challenger, _) = one.settings.run_test.as_ref()?;
        let estimate = state.estimate();
        Some(Self {
            player: one.settings.display_names.shown(challenger),
            pairs: state.pairs()?,
            normalized: estimate.map(|estimate| estimate.normalized_elo),
            is_corrected: true,
        })
    }

    /// The pairs of a match of two, or of one player against all others.
    pub fn of_games(one: &Rated<'_>, challenger: Option<&str>) -> Option<Self> {
        let (player, games): (&str, MatchScore) = match (one.match_of_two(), challenger) {
            (Some(([player, _], games)), _) => (one.name(player), games),
            (None, Some(name)) => (name, one.games_of(name)?),
            (None, None) => return None,
        };
        Some(Self {
            player: one.settings.display_names.shown(player),
            normalized: games.normalized_elo(),
            pairs: games.pairs,
            is_corrected: false,
        })
    }

    /// The pairs as columns, with the numbers; `None` without a pair.
    pub fn chart(&self, game: &str) -> Option<(Chart, TableView)> {
        let all: u64 = self.pairs.iter().sum();
        let most = self.pairs.iter().max().copied().filter(|most| *most > 0)?;
        let bottom = AXIS + COLUMNS;
        let mut chart = Chart {
            name: format!("{game} pairs"),
            title: format!("{game}: game pairs by the points of {}", self.player),
            description: self.description(all),
            height: bottom + AXIS,
            ..Chart::default()
        };
        let width = 100.0 / POINTS.len() as f64;
        for (at, (count, points)) in self.pairs.iter().zip(POINTS).enumerate() {
            let height = round(COLUMNS * *count as f64 / most as f64);
            let left = at as f64 * width;
            let middle = round(left + width / 2.0);
            chart.shapes.push(Shape::Bar {
                class: "column",
                x: round(left + width * 0.1),
                y: round(bottom - height),
                width: round(width * 0.8),
                height,
                tooltip: format!("{points}: {}", counted(*count, "pair", "pairs")),
            });
            chart.text(
                "middle",
                middle,
                round(bottom - height - 5.0),
                count.to_string(),
            );
            chart.text("tick middle", middle, bottom + 15.0, points);
        }
        chart.line("base", [0.0, 100.0], [bottom, bottom]);
        Some((chart, self.numbers(game, all)))
    }

    fn description(&self, all: u64) -> String {
        let elo = |value: f64| Cell::Elo(value).shown();
        let pairs = counted(all, "game pair", "game pairs");
        let normalized = match self.normalized {
            // Uncorrected intervals are symmetric.
            Some([_, value, high]) if !self.is_corrected => {
                format!(" Normalized Elo: {} ± {:.0}.", elo(value), high - value)
            }
            Some([low, value, high]) => format!(
                " Normalized Elo, corrected for when the test ended: {}, 95 % interval {} to {}.",
                elo(value),
                elo(low),
                elo(high)
            ),
            None => String::new(),
        };
        format!(
            "Points of {} in {pairs}: two games from the same start.{normalized}",
            self.player
        )
    }

    fn numbers(&self, game: &str, all: u64) -> TableView {
        let rows = self.pairs.iter().zip(POINTS).map(|(count, points)| {
            vec![
                CellView::text(points).heading(),
                CellView::count(*count),
                CellView::share(*count as f64 / all as f64),
            ]
        });
        TableView::new(
            format!("{game}: game pairs by the points of {}", self.player),
            ["points", "pairs", "share"].map(ColumnView::number).into(),
            rows.collect(),
        )
    }
}
