//! Results of games by opening.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;

use super::game_pairs::{PairChange, Side};
use super::index::{IndexHasher, key};
use super::score::Tally;

/// The games of one meeting from one opening.
#[derive(Debug, Clone, Default)]
pub struct OpeningGames {
    pub opening: usize,
    pub meeting: usize,
    /// As in [`Meeting`](super::Meeting).
    pub by_seat: [Tally; 2],
    /// As in [`Meeting`](super::Meeting).
    pub pairs: [[u32; 3]; 3],
}

impl OpeningGames {
    pub fn games(&self) -> f64 {
        self.by_seat.iter().map(|tally| tally.games() as f64).sum()
    }

    pub fn complete_pairs(&self) -> f64 {
        self.pairs
            .iter()
            .flatten()
            .map(|pairs| f64::from(*pairs))
            .sum()
    }
}

/// Upper bound on the combinations of an opening and a meeting. More are left out, so that memory is limited.
const MAX_OPENING_GAMES: usize = 1 << 17;

/// Games by opening.
#[derive(Debug, Clone, Default)]
pub struct OpeningIndex {
    pub index: HashMap<String, usize>,
    pub games: Vec<OpeningGames>,
    /// Index in `games` of an opening and a meeting, by [`key`].
    place: HashMap<u64, usize, BuildHasherDefault<IndexHasher>>,
}

impl OpeningIndex {
    /// Adds a game with the seat and score of the lower player, and its effect on pairs.
    pub fn add(&mut self, opening: &str, meeting: usize, (seat, score): Side, of_pair: PairChange) {
        let is_full = self.games.len() >= MAX_OPENING_GAMES;
        let next = self.index.len();
        let opening = match self.index.get(opening) {
            Some(known) => *known,
            None if is_full => return,
            None => {
                self.index.insert(opening.to_owned(), next);
                next
            }
        };
        let at = match self.place.entry(key(opening, meeting)) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(_) if is_full => return,
            Entry::Vacant(entry) => {
                self.games.push(OpeningGames {
                    opening,
                    meeting,
                    ..OpeningGames::default()
                });
                *entry.insert(self.games.len() - 1)
            }
        };
        let games = &mut self.games[at];
        games.by_seat[seat].count(score);
        of_pair.apply(&mut games.pairs);
    }
}
