//! The transposition table: search results by position.

use crate::game::watch_your_back::{Action, State};
use crate::game::{Side, View};

/// Number of entries: a power of two, about six megabytes.
const ENTRIES: usize = 1 << 18;

/// Kind of a stored value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Bound {
    /// An exact value.
    #[default]
    Exact,
    /// A lower bound.
    Lower,
    /// An upper bound.
    Upper,
}

/// Search result of one position.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry {
    key: u64,
    generation: u32,
    pub(super) value: i32,
    pub(super) best: Option<Action>,
    pub(super) depth: u8,
    pub(super) bound: Bound,
}

/// A table of fixed size. Each search starts a new generation and ignores entries of earlier ones, so its play does
/// not depend on earlier games.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    entries: Vec<Entry>,
    generation: u32,
}

impl TranspositionTable {
    pub(super) fn new() -> Self {
        Self {
            entries: vec![Entry::default(); ENTRIES],
            generation: 0,
        }
    }

    pub(super) fn next_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            // Generation 0 marks empty entries, so it is skipped on overflow.
            self.entries.fill(Entry::default());
            self.generation = 1;
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let entry = self.entries[slot(key)];
        (entry.key == key && entry.generation == self.generation).then_some(entry)
    }

    pub(super) fn put(
        &mut self,
        key: u64,
        depth: u8,
        value: i32,
        bound: Bound,
        best: Option<Action>,
    ) {
        self.entries[slot(key)] = Entry {
            key,
            generation: self.generation,
            value,
            best,
            depth,
            bound,
        };
    }
}

fn slot(key: u64) -> usize {
    key as usize & (ENTRIES - 1)
}

/// Hash of a position including its ply, since shrinks and the ply limit depend on it. Two words hold all pieces, so
/// mixing them is cheaper than Zobrist hashing.
pub(super) fn key(state: &State) -> u64 {
    let board = state.layout();
    let mix = |a: u64, b: u64| {
        let wide = u128::from(a) * u128::from(b);
        wide as u64 ^ (wide >> 64) as u64
    };
    let white = board.pieces(Side::First) ^ 0x9e37_79b9_7f4a_7c15;
    let black = board.pieces(Side::Second) ^ 0xd1b5_4a32_d192_ed03;
    let pieces = mix(white, 0xa076_1d64_78bd_642f) ^ mix(black, 0xe703_7ed1_a0b4_28db);
    mix(pieces ^ u64::from(state.ply()), 0x8ebc_6af0_9c88_c6e3)
}
