//! Finds the two games of a pair.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;

use super::index::IndexHasher;
use super::score::Score;

/// The seat and the score of the lower player in a game.
pub type Side = (usize, Score);

/// The effect of a game on the pairs of its meeting, by the scores of the lower player in the first seat and in the
/// second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairChange {
    /// No pair is new.
    None,
    /// The game completes a pair.
    Complete([Score; 2]),
    /// Two earlier games are no pair any more.
    Undone([Score; 2]),
}

impl PairChange {
    /// Counts it in the pairs of the meeting.
    pub fn apply(self, pairs: &mut [[u32; 3]; 3]) {
        match self {
            Self::None => {}
            Self::Complete([first, second]) => pairs[first as usize][second as usize] += 1,
            Self::Undone([first, second]) => {
                let count = &mut pairs[first as usize][second as usize];
                // Different openings may have equal hashes, though it is unlikely.
                *count = count.saturating_sub(1);
            }
        }
    }
}

/// Games of a meeting that began alike.
#[derive(Debug, Clone, Copy)]
enum Alike {
    One(Side),
    Pair([Score; 2]),
    /// Two in the same seats, or more than two. Only their order could say which are pairs.
    NoPair,
}

type ByPair<T> = HashMap<(u64, u64), T, BuildHasherDefault<IndexHasher>>;

/// Games that are a pair or may become one, by their common number or hash and their meeting.
#[derive(Debug, Clone, Default)]
pub struct GamePairs {
    /// The first games of pairs with a number.
    numbered: ByPair<Side>,
    alike: ByPair<Alike>,
}

impl GamePairs {
    /// Adds a game with the number of its pair. The first game is forgotten with the second.
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

    /// Adds a game without a number. Exactly two games that began alike are a pair.
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
