//! Check that no pair number of a table has more than two games.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::results::row::ResultRow;

/// Upper bound on the pairs checked, to bound memory. A column of another meaning, such as one number in every row,
/// is noticed long before.
const MOST_PAIRS: usize = 100_000;

/// The pairs of a table, by a hash of number, players, game and options.
#[derive(Debug, Default)]
pub(super) struct PairNumbers(HashMap<u64, Games>);

#[derive(Debug)]
struct Games {
    first_line: u64,
    more: bool,
}

impl PairNumbers {
    /// Adds a game. If its pair has two games already, returns the pair's number and the line of its first game.
    pub fn add(&mut self, line: u64, row: &ResultRow<'_>) -> Option<(u64, u64)> {
        let pair = row.pair?;
        if self.0.len() == MOST_PAIRS {
            return None;
        }
        // Games of a pair swap seats, so names are sorted for the key.
        let mut names = row.names.as_slice().to_vec();
        names.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (pair, names, row.game, row.options).hash(&mut hasher);
        let key = hasher.finish();
        if let Some(games) = self.0.get_mut(&key) {
            let has_two = std::mem::replace(&mut games.more, true);
            return has_two.then_some((pair, games.first_line));
        }
        let games = Games {
            first_line: line,
            more: false,
        };
        self.0.insert(key, games);
        None
    }
}
