//! Occurrence counts of positions, for the repetition rule.
//!
//! Two positions are equal if their stones are, regardless of the seat to move. A 32-bit hash
//! excludes nearly all earlier positions. On a match the turns in between are undone and the stones
//! compared, so two different positions never count as one.

use super::super::Side;
use super::board::{Board, MAX_TURNS};
use super::hex::{Ring, neighbours, place_of};
use super::notation::Cell;
use crate::random::mixed;

/// One position for each number of turns, the start included.
const POSITIONS: usize = MAX_TURNS as usize + 1;

/// The positions of a game so far. Bounded by the greatest number of turns and held in place, so
/// that neither a turn nor a copy allocates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct History {
    /// The turn count that the history starts with: not 0 for a position set up in mid-game.
    start: u16,
    /// The greatest number of stones of any position so far.
    most: u16,
    /// By turn count: a hash of the stones.
    hashes: [u32; POSITIONS],
    turns: [Turn; POSITIONS],
    /// By turn count: occurrences of these stones up to then.
    times: [u8; POSITIONS],
}

/// Changes of a turn: the cell of the new stone, and the neighbours whose stones it captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Turn {
    cell: Cell,
    captured: Ring,
}

impl History {
    pub(super) fn new(board: &Board) -> Self {
        let mut history = Self {
            start: board.turns,
            most: board.count,
            hashes: [0; POSITIONS],
            turns: [Turn::default(); POSITIONS],
            times: [0; POSITIONS],
        };
        history.times[usize::from(board.turns)] = 1;
        history
    }

    /// Occurrences of the position after `turns` turns, up to that turn.
    pub(super) fn times(&self, turns: u16) -> u8 {
        self.times[usize::from(turns)]
    }

    /// Adds the position of `board`, reached by a stone on `cell`, and returns its number of
    /// occurrences.
    pub(super) fn add(&mut self, board: &Board, cell: Cell, captured: Ring) -> u8 {
        let now = usize::from(board.turns);
        let mover = board.mover().other();
        let mut hash = self.hashes[now - 1] ^ key(mover, place_of(cell));
        for place in neighbours(cell, captured) {
            hash ^= key(mover.other(), place);
        }
        self.hashes[now] = hash;
        self.turns[now] = Turn { cell, captured };
        // With more stones than ever before it is a new position.
        self.times[now] = if board.count > self.most {
            self.most = board.count;
            1
        } else {
            1 + self.times_before(board)
        };
        self.times[now]
    }

    /// Earlier occurrences of `board`, which is the last position added.
    fn times_before(&self, board: &Board) -> u8 {
        let now = usize::from(board.turns);
        // A capture leaves two stones of the capturer: what stood before turn 2 never comes back.
        let first = usize::from(self.start.max(2)).min(now);
        let mut end = now;
        while let Some(at) = self.hashes[first..end]
            .iter()
            .rposition(|&hash| hash == self.hashes[now])
        {
            end = first + at;
            if self.equals(board, end) {
                return self.times[end];
            }
        }
        0
    }

    /// Whether position `at` had the stones of `board`, the last position added.
    fn equals(&self, board: &Board, at: usize) -> bool {
        let mut stones = Side::BOTH.map(|seat| *board.stones(seat));
        for turn in (at + 1..=usize::from(board.turns)).rev() {
            let Turn { cell, captured } = self.turns[turn];
            // Red plays the odd turns.
            let mover = 1 - turn % 2;
            let (word, bit) = place_of(cell);
            stones[mover][word] ^= 1 << bit;
            for (word, bit) in neighbours(cell, captured) {
                stones[1 - mover][word] ^= 1 << bit;
            }
        }
        Side::BOTH
            .iter()
            .all(|&seat| stones[seat.index()] == *board.stones(seat))
    }
}

/// A stone's share of the hash, by its colour and place.
fn key(seat: Side, (word, bit): (usize, u32)) -> u32 {
    let place = (seat.index() << 10 | word << 5) as u64 | u64::from(bit);
    (mixed((place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::cachex::{Action, Options};

    #[test]
    fn equal_hashes_of_different_stones_count_for_nothing() {
        let mut board = Board::new(Options::default());
        let mut history = History::new(&board);
        let tokens = "d4 e3 a1 d5 b1 i9 e4 f3 d5 e3 f2";
        for token in tokens.split(' ') {
            let action: Action = token.parse().expect("an action");
            board.check(action).expect("legal");
            let (cell, captured) = board.play(action);
            history.add(&board, cell, captured);
        }
        assert!(board.count < board.turns, "a stone was captured");
        history.hashes = [7; POSITIONS];
        assert_eq!(history.times_before(&board), 0);
    }
}
