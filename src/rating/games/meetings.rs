//! The games of each two players, and how they are found.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::game_pairs::PairChange;
use super::index::{IndexHasher, key};
use super::score::{Score, Tally};

/// All games between two players, seen by the player with the lower index.
// What most games change is in one line of the cache: with many players, every game waits for that.
#[repr(C, align(64))]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meeting {
    /// The indices of the two, the lower one first.
    pub players: [usize; 2],
    /// The results of `players[0]` in the first seat, and in the second seat.
    pub by_seat: [Tally; 2],
    /// How many complete game pairs there are, by the score of `players[0]` in the first seat and in
    /// the second. Their games are in `by_seat` too.
    pub pairs: [[u32; 3]; 3],
    /// Games that both players forfeited. They are not counted in the other fields.
    pub forfeited_by_both: u64,
}

/// What a game changes in its meeting, with seats and scores of `players[0]`.
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

    /// The games of `players[side]`, of which those that both forfeited are lost.
    pub(in crate::rating) fn tally_of(&self, side: usize) -> Tally {
        let mut tally = match side {
            0 => self.tally(),
            _ => self.tally().reversed(),
        };
        tally.losses += self.forfeited_by_both;
        tally
    }

    /// How many complete game pairs there are.
    pub fn complete_pairs(&self) -> u64 {
        self.pairs.iter().flatten().copied().map(u64::from).sum()
    }
}

/// All meetings, in the order in which the players first met.
#[derive(Debug, Clone, Default)]
pub struct Meetings {
    all: Vec<Meeting>,
    /// One more than the index of the meeting of two early players, or 0: by the higher player, then by the
    /// lower one. Results of few players are read much faster so.
    early: Vec<u32>,
    /// The index of the meeting of other players, by [`key`].
    others: HashMap<u64, usize, BuildHasherDefault<IndexHasher>>,
    /// Changes that are not made yet, and the meeting of each.
    pending: Vec<(usize, Change)>,
}

/// How many changes are put off, at most.
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
        match high < EARLY_PLAYERS {
            true => {
                let known = *self.early.get(early_cell(low, high))? as usize;
                known.checked_sub(1)
            }
            false => self.others.get(&key(low, high)).copied(),
        }
    }

    /// Puts off a change. With many players, every meeting must be fetched from memory; for many changes in a row
    /// the processor fetches several at once.
    pub fn change(&mut self, at: usize, change: Change) {
        if self.pending.len() == MAX_PENDING {
            self.settle();
        }
        self.pending.push((at, change));
    }

    /// Makes the changes that were put off.
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

/// How many of the players who were added first have their meetings in a table.
const EARLY_PLAYERS: usize = 2048;

/// The place of two different players in that table.
fn early_cell(low: usize, high: usize) -> usize {
    high * high.saturating_sub(1) / 2 + low
}
