//! The results of games, by the kind of game.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::rated::Rated;
use super::row::ResultRow;
use super::settings::Settings;
use crate::rating::{GameCounter, RatedGame};
use crate::runs::{Run, RunFileError};

/// The results of a set of games, by the kind of game. Its size grows with the players who met and not with the games,
/// except for the digests that [`GameCounter`] keeps.
#[derive(Debug, Clone, Default)]
pub struct Results {
    games: BTreeMap<String, GameCounter>,
    terminations: BTreeMap<String, u64>,
    once: bool,
}

impl Results {
    /// Results without games that repeat an earlier one action by action.
    pub fn without_duplicates() -> Self {
        Self {
            once: true,
            ..Self::default()
        }
    }

    /// The results of a run.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn of_run(run: &Run) -> Result<Self, RunFileError> {
        let mut results = Self::default();
        for row in run.rows()? {
            results.add(&ResultRow::from(&row?));
        }
        Ok(results)
    }

    /// Adds one finished game.
    pub fn add(&mut self, row: &ResultRow<'_>) {
        let name = row.game_name();
        if !self.games.contains_key(name) {
            let counter = match self.once {
                true => GameCounter::without_duplicates(),
                false => GameCounter::default(),
            };
            self.games.insert(name.to_owned(), counter);
        }
        let of_source = |number: u64| digest(&(row.source, row.options, number));
        let game = RatedGame {
            names: row.names.clone(),
            result: row.result,
            blame: row.blame,
            is_by_rules: row.is_by_rules(),
            rules_points: row.rules_points.clone(),
            block: row.block.map(of_source),
            alike: row.alike.map(of_source),
            opening: row.opening,
            digest: (!row.digest.is_empty())
                .then(|| digest(&(row.options, &row.names, row.digest, row.result))),
        };
        let counted = self
            .games
            .get_mut(name)
            .is_some_and(|games| games.add(&game));
        if !counted || row.termination.is_empty() {
            return;
        }
        match self.terminations.get_mut(row.termination) {
            Some(count) => *count += 1,
            None => {
                self.terminations.insert(row.termination.to_owned(), 1);
            }
        }
    }

    /// Number of games.
    pub fn count(&self) -> u64 {
        self.games.values().map(GameCounter::games).sum()
    }

    /// The games of each kind, by its name.
    pub fn games(&self) -> impl Iterator<Item = (&str, &GameCounter)> {
        self.games
            .iter()
            .map(|(name, games)| (name.as_str(), games))
    }

    /// Number of games by the name of their termination.
    pub fn terminations(&self) -> &BTreeMap<String, u64> {
        &self.terminations
    }

    /// Rates the players of each game, by the game's name. If no anchor has played a game, the ratings of that game are
    /// relative to the mean of its players.
    pub fn rate<'a>(&mut self, settings: &'a Settings) -> Vec<Rated<'a>> {
        let games = self.games.iter_mut();
        games
            .map(|(name, games)| Rated::new(name, games.standings(), settings))
            .collect()
    }
}

/// A hash of a value, for comparison within this process.
fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
