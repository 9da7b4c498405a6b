//! Check that no block of a table has more games than seats.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::results::row::ResultRow;

/// Upper bound on the blocks checked, to bound memory. A column of another meaning, such as one number in every row,
/// is noticed long before.
const MOST_BLOCKS: usize = 100_000;

/// The blocks of a table, by a hash of number, players, game and options: the line of the first game, and the number of
/// games.
#[derive(Debug, Default)]
pub(super) struct BlockNumbers(HashMap<u64, (u64, usize)>);

impl BlockNumbers {
    /// Adds a game. If its block has a game for each seat already, returns the block's number and the line of its first
    /// game.
    pub fn add(&mut self, line: u64, row: &ResultRow<'_>) -> Option<(u64, u64)> {
        let block = row.block?;
        if self.0.len() == MOST_BLOCKS {
            return None;
        }
        // Games of a block rotate seats, so names are sorted for the key.
        let mut names = row.names.as_slice().to_vec();
        names.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (block, names, row.game, row.options).hash(&mut hasher);
        let (first_line, games) = self.0.entry(hasher.finish()).or_insert((line, 0));
        *games += 1;
        (*games > row.names.count()).then_some((block, *first_line))
    }
}
