//! The plies since the last flip or capture, for the repetition rules.

use super::board::Board;
use super::notation::Square;

/// Number of quiet plies that the repetition rules look back over.
const REACH: usize = 60;

/// The quiet plies in a row up to now. Held in place, so that a copy allocates nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct QuietPlies {
    count: u32,
    /// Ring buffer of (origin, target): ply `n` is at `n % REACH`.
    moves: [(Square, Square); REACH],
}

impl QuietPlies {
    pub(super) const NONE: QuietPlies = QuietPlies {
        count: 0,
        moves: [(Square::A8, Square::A8); REACH],
    };

    /// Number of quiet plies in a row, not limited by the reach.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    pub(super) fn add(&mut self, from: Square, to: Square) {
        self.moves[self.count as usize % REACH] = (from, to);
        self.count += 1;
    }

    /// Whether the position of `board` has now occurred `times` times, with the same seat to act.
    /// The moves are undone one by one and the positions compared, so no two that differ count as one.
    pub(super) fn repeated(&self, board: &Board, times: u32) -> bool {
        // Each seat needs two plies to come back.
        if self.count < 4 * (times - 1) {
            return false;
        }
        // By square before the undone moves: the present square of its piece.
        let mut now = [Square::A8; 32];
        for square in Square::all() {
            now[square.index()] = square;
        }
        let mut found = 1;
        let last = self.count as usize;
        for undone in 1..=last.min(REACH) {
            let (from, to) = self.moves[(last - undone) % REACH];
            now.swap(from.index(), to.index());
            let same = |square: Square| board.at(square) == board.at(now[square.index()]);
            if undone % 2 == 0 && Square::all().all(same) {
                found += 1;
            }
        }
        found >= times
    }

    /// Whether the last `n` moves, for any `n`, are the same `n` moves for the third time in a row.
    pub(super) fn third_round(&self) -> bool {
        let last = self.count as usize;
        let ago = |plies: usize| self.moves[(last - 1 - plies) % REACH];
        // Quadratic in the reach at worst, but most lengths fail at the first comparison.
        (1..=last.min(REACH) / 3).any(|n| (0..2 * n).all(|ply| ago(ply) == ago(ply + n)))
    }
}
