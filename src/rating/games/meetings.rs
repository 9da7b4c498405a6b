//! The games of each two players.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::game_pairs::PairChange;
use super::index::{IndexHasher, key};
use super::score::{Score, Tally};

/// All games between two players, seen by the player with the lower index.
// `players` and `by_seat` share one cache line: with many players, every game waits for it.
#[repr(C, align(64))]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meeting {
    /// The indices of the two, the lower one first.
    pub players: [usize; 2],
    /// The results of `players[0]` in the first seat, and in the second seat.
    pub by_seat: [Tally; 2],
    /// Complete game pairs, by the score of `players[0]` in the first seat and in the second. Their games are in
    /// `by_seat` too.
    pub pairs: [[u32; 3]; 3],
    /// Games that both players forfeited. They are not counted in the other fields.
    pub forfeited_by_both: u64,
}

/// The effect of a game on its meeting, with seats and scores of `players[0]`.
#[derive(Debug, Clone, Copy)]
pub enum Change {
    Game { seat: usize, score: Score },
    Pair(PairChange),
    ForfeitedByBoth,
}

impl Meeting {
    /// The games of both seats, without those that both players forfeited: only these show who is
    /// stronger.
    pub fn tally(&self) -> Tally {
        self.by_seat[0].plus(self.by_seat[1])
    }

    /// The games of `players[side]`. Games that both players forfeited are lost.
    pub(in crate::rating) fn tally_of(&self, side: usize) -> Tally {
        let mut tally = match side {
            0 => self.tally(),
            _ => self.tally().reversed(),
        };
        tally.losses += self.forfeited_by_both;
        tally
    }

    /// Number of complete game pairs.
    pub fn complete_pairs(&self) -> u64 {
        self.pairs.iter().flatten().copied().map(u64::from).sum()
    }
}

/// All meetings, in the order of their first games.
#[derive(Debug, Clone, Default)]
pub struct Meetings {
    all: Vec<Meeting>,
    /// One more than the index of the meeting of two early players, or 0: by the higher player, then by the
    /// lower one. A table is much faster than a hash.
    early: Vec<u32>,
    /// The index of the meeting of other players, by [`key`].
    others: HashMap<u64, usize, BuildHasherDefault<IndexHasher>>,
    /// Changes to apply later, and the meeting of each.
    pending: Vec<(usize, Change)>,
}

/// Upper bound on the changes that are put off.
const MAX_PENDING: usize = 1024;

impl Meetings {
    /// All of them. All changes must be settled.
    pub fn all(&self) -> &[Meeting] {
        debug_assert!(self.pending.is_empty());
        &self.all
    }

    /// The index of the meeting of two players, which is added if there is none.
    pub fn find_or_add(&mut self, low: usize, high: usize) -> usize {
        let next = self.all.len();
        let at = if high < EARLY_PLAYERS {
            let cell = early_cell(low, high);
            if cell >= self.early.len() {
                self.early.resize(early_cell(0, high + 1), 0);
            }
            let known = &mut self.early[cell];
            if *known == 0 {
                *known = next as u32 + 1;
            }
            *known as usize - 1
        } else {
            *self.others.entry(key(low, high)).or_insert(next)
        };
        if at == next {
            self.all.push(Meeting {
                players: [low, high],
                ..Meeting::default()
            });
        }
        at
    }

    /// The index of the meeting of two players, if they met.
    pub fn find(&self, low: usize, high: usize) -> Option<usize> {
        if low == high {
            return None;
        }
        if high < EARLY_PLAYERS {
            let known = *self.early.get(early_cell(low, high))? as usize;
            known.checked_sub(1)
        } else {
            self.others.get(&key(low, high)).copied()
        }
    }

    /// Puts off a change. With many players, every meeting must be fetched from memory, and the processor fetches
    /// several at once for changes in a row.
    pub fn change(&mut self, at: usize, change: Change) {
        if self.pending.len() == MAX_PENDING {
            self.settle();
        }
        self.pending.push((at, change));
    }

    /// Applies the changes that were put off.
    pub fn settle(&mut self) {
        for (at, change) in self.pending.drain(..) {
            let meeting = &mut self.all[at];
            match change {
                Change::Game { seat, score } => meeting.by_seat[seat].count(score),
                Change::Pair(change) => change.apply(&mut meeting.pairs),
                Change::ForfeitedByBoth => meeting.forfeited_by_both += 1,
            }
        }
    }
}

/// The first players have their meetings in a table: this many.
const EARLY_PLAYERS: usize = 2048;

/// The cell of two different players in that table.
fn early_cell(low: usize, high: usize) -> usize {
    high * high.saturating_sub(1) / 2 + low
}
