//! Which games are pairs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;

use super::index::IndexHasher;
use super::score::Score;

/// The seat and the score of the lower player in a game.
pub type Side = (usize, Score);

/// What a game changes in the pairs of its meeting, by the scores of the lower player in the first seat and in the
/// second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairChange {
    /// Nothing.
    None,
    /// There is one more.
    Complete([Score; 2]),
    /// These two games are no pair any more.
    Undone([Score; 2]),
}

impl PairChange {
    /// Counts it.
    pub fn apply(self, pairs: &mut [[u32; 3]; 3]) {
        match self {
            Self::None => {}
            Self::Complete([first, second]) => pairs[first as usize][second as usize] += 1,
            Self::Undone([first, second]) => {
                let count = &mut pairs[first as usize][second as usize];
                // Different openings may have the same hash, though it is unlikely.
                *count = count.saturating_sub(1);
            }
        }
    }
}

/// What is known of games that began alike.
#[derive(Debug, Clone, Copy)]
enum Alike {
    One(Side),
    Pair([Score; 2]),
    /// Two in the same seats, or more than two: it would be their order that decides which are pairs.
    NoPair,
}

type ByPair<T> = HashMap<(u64, u64), T, BuildHasherDefault<IndexHasher>>;

/// The games that are a pair, or may become one, by what they have in common and their meeting.
#[derive(Debug, Clone, Default)]
pub struct GamePairs {
    /// The first games of pairs with a number.
    numbered: ByPair<Side>,
    alike: ByPair<Alike>,
}

impl GamePairs {
    /// Adds a game of a pair with a number. The first game is forgotten with the second.
    pub fn add_numbered(&mut self, key: (u64, u64), side: Side) -> PairChange {
        match self.numbered.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(side);
                PairChange::None
            }
            Entry::Occupied(entry) => match scores(*entry.get(), side) {
                Some(scores) => {
                    entry.remove();
                    PairChange::Complete(scores)
                }
                // Two games in the same seats are not a game pair.
                None => PairChange::None,
            },
        }
    }

    /// Adds a game of those that began alike, which are a pair if they are two.
    pub fn add_alike(&mut self, key: (u64, u64), side: Side) -> PairChange {
        match self.alike.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(Alike::One(side));
                PairChange::None
            }
            Entry::Occupied(mut entry) => {
                let (now, change) = match *entry.get() {
                    Alike::One(first) => match scores(first, side) {
                        Some(scores) => (Alike::Pair(scores), PairChange::Complete(scores)),
                        None => (Alike::NoPair, PairChange::None),
                    },
                    Alike::Pair(scores) => (Alike::NoPair, PairChange::Undone(scores)),
                    Alike::NoPair => (Alike::NoPair, PairChange::None),
                };
                entry.insert(now);
                change
            }
        }
    }
}

/// The scores of two games with swapped seats.
fn scores((seat, score): Side, (other_seat, other): Side) -> Option<[Score; 2]> {
    match (seat, other_seat) {
        (0, 1) => Some([score, other]),
        (1, 0) => Some([other, score]),
        _ => None,
    }
}
