//! A fixed list of pairings, gone through several times.

use super::{GamesPerPairing, Next, Ticket};

/// Goes through `pairings` in cycles, a game pair for each. The last cycle is of single games where
/// the number of games per pairing is odd.
#[derive(Debug, Clone)]
pub(super) struct Cycles {
    pairings: u64,
    games_per_pairing: u64,
    next: u64,
}

impl Cycles {
    pub fn new(pairings: u64, games_per_pairing: GamesPerPairing) -> Self {
        Self {
            pairings,
            games_per_pairing: u64::from(games_per_pairing.get()),
            next: 0,
        }
    }

    pub fn total(&self) -> u64 {
        self.pairings * self.games_per_pairing
    }

    /// The next game, between the two players that `pairing` names for a place in the list.
    pub fn next(&mut self, pairing: impl Fn(u64) -> [usize; 2]) -> Next {
        if self.next >= self.total() {
            return Next::Done;
        }
        let id = self.next;
        self.next += 1;
        let in_pairs = self.games_per_pairing / 2 * 2 * self.pairings;
        let (pair, second) = if id < in_pairs {
            (id / 2, id % 2 == 1)
        } else {
            (in_pairs / 2 + (id - in_pairs), false)
        };
        let cycle = pair / self.pairings;
        let [a, b] = pairing(pair % self.pairings);
        // Seats are swapped within a pair, and in the first games from one cycle to the next.
        let swapped = second != (cycle % 2 == 1);
        Next::Issue(Ticket {
            id,
            pair,
            players: if swapped { [b, a] } else { [a, b] },
        })
    }
}
