//! Sets of hexagonal cells in machine words.
//!
//! A set has a word a row, a bit a column. Two empty rows and columns around the board make every
//! cell's surroundings readable without a check for edges: the ring of its six neighbours, and
//! the six cells beyond them that make a diamond with two of the ring.

use super::MAX_SIZE;
use super::notation::Cell;

/// Empty rows and columns on each side of the board.
pub const MARGIN: usize = 2;
pub const WORDS: usize = MAX_SIZE as usize + 2 * MARGIN;
/// One colour's stones: the cell (r, q) is bit `q + 2` of word `r + 2`.
pub type Stones = [u32; WORDS];

/// A set of neighbours of a cell, a bit each, going round it from (-1, 0): see [`RING`].
pub(crate) type Ring = u8;

/// The neighbours of a cell as (row, column) steps. Each touches the next.
pub const RING: [(isize, i32); 6] = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)];

pub fn place_of(cell: Cell) -> (usize, u32) {
    (
        usize::from(cell.r()) + MARGIN,
        u32::from(cell.q()) + MARGIN as u32,
    )
}

/// The bits of a word, lowest first.
pub fn bits(mut word: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros();
            word &= word - 1;
            bit
        })
    })
}

/// The cells of the next row that touch cells of this one.
pub fn up(row: u32) -> u32 {
    row | row >> 1
}

/// The cells of the row before that touch cells of this one.
pub fn down(row: u32) -> u32 {
    row | row << 1
}

/// Fills the runs of `row` that hold a bit of `seeds`, a subset of `row`.
pub fn fill(row: u32, seeds: u32) -> u32 {
    // The addition carries from the lowest seed of a run to the run's end, which fills that part at
    // once. The bits below the seed are filled one step at a time.
    let mut filled = row & (!(row + seeds) | seeds);
    loop {
        let more = filled | filled >> 1 & row;
        if more == filled {
            return filled;
        }
        filled = more;
    }
}

/// The words and bits of the neighbours in `ring` of a cell.
pub(crate) fn neighbours(cell: Cell, ring: Ring) -> impl Iterator<Item = (usize, u32)> {
    let (word, bit) = place_of(cell);
    bits(u32::from(ring)).map(move |i| step(word, bit, i as usize))
}

pub(crate) fn step(word: usize, bit: u32, neighbour: usize) -> (usize, u32) {
    let (row, column) = RING[neighbour];
    (
        word.wrapping_add_signed(row),
        bit.wrapping_add_signed(column),
    )
}

pub(crate) fn ring(stones: &Stones, word: usize, bit: u32) -> Ring {
    let (below, here, above) = (stones[word - 1], stones[word], stones[word + 1]);
    ((below >> bit & 0b11)
        | (here >> (bit + 1) & 1) << 2
        | (above >> bit & 1) << 3
        | (above >> (bit - 1) & 1) << 4
        | (here >> (bit - 1) & 1) << 5) as Ring
}

/// The stones on the six cells beyond two neighbours each: bit i is beyond neighbours i and i + 1.
pub(crate) fn beyond(stones: &Stones, word: usize, bit: u32) -> Ring {
    let (below, above) = (stones[word - 1], stones[word + 1]);
    ((stones[word - 2] >> (bit + 1) & 1)
        | (below >> (bit + 2) & 1) << 1
        | (above >> (bit + 1) & 1) << 2
        | (stones[word + 2] >> (bit - 1) & 1) << 3
        | (above >> (bit - 2) & 1) << 4
        | (below >> (bit - 1) & 1) << 5) as Ring
}

/// The neighbours whose predecessor in the ring is in `ring`.
pub(crate) fn after(ring: Ring) -> Ring {
    (ring << 1 | ring >> 5) & 0b11_1111
}

/// The neighbours whose successor in the ring is in `ring`.
pub(crate) fn before(ring: Ring) -> Ring {
    (ring >> 1 | ring << 5) & 0b11_1111
}
