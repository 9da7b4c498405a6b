//! From results to what people and programs read. Renderers return text or bytes; this module runs
//! nothing and writes no file.

use std::collections::BTreeMap;

use crate::rating::{Estimate, Standings, fit};
use crate::record::GameRow;

mod files;
mod progress;
mod table;
mod terminal;

pub use files::{crosstable_csv, ratings_csv, standings_csv};
pub use progress::Progress;
pub use terminal::summary;

/// The results of a set of games, by game. Its size grows with the pairings, not the games.
#[derive(Debug, Clone, Default)]
pub struct Results {
    games: BTreeMap<String, Standings>,
    terminations: BTreeMap<String, u64>,
}

impl Results {
    /// Adds one finished game.
    pub fn add(&mut self, row: &GameRow) {
        let forfeited = [&row.first, &row.second]
            .map(|name| row.forfeited_by == *name || row.forfeited_by == "both");
        self.games.entry(row.game.clone()).or_default().add(
            [&row.first, &row.second],
            [row.first_points, row.second_points],
            forfeited,
        );
        *self
            .terminations
            .entry(row.termination.clone())
            .or_default() += 1;
    }

    /// The standings of each game, by the game's name.
    pub fn games(&self) -> impl Iterator<Item = (&str, &Standings)> {
        self.games
            .iter()
            .map(|(name, standings)| (name.as_str(), standings))
    }

    /// How many games ended in each way, by the name of the termination.
    pub fn terminations(&self) -> &BTreeMap<String, u64> {
        &self.terminations
    }
}

/// Players with their ratings, best first.
fn ranking(standings: &Standings) -> Vec<(usize, Estimate)> {
    let mut ranking: Vec<(usize, Estimate)> = fit(standings).into_iter().enumerate().collect();
    ranking.sort_by(|(a, one), (b, two)| {
        two.elo
            .total_cmp(&one.elo)
            .then_with(|| standings.lines()[*a].name.cmp(&standings.lines()[*b].name))
    });
    ranking
}

/// A number rounded to `decimals`, never a zero with a minus sign.
fn rounded(number: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (number * scale).round() / scale + 0.0
}
