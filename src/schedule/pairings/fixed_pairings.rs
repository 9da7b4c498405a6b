//! A fixed list of pairings, played several times.

use crate::schedule::{GameCount, GamesPerPairing, NextGame, Ticket};

/// Plays all pairings in cycles: in each cycle, one game pair of each pairing. The last cycle has single
/// games if the number of games per pairing is odd.
#[derive(Debug, Clone)]
pub struct FixedPairings {
    pairings: u64,
    /// Number of pairings in a round.
    round: u64,
    games_per_pairing: u64,
    next: u64,
}

impl FixedPairings {
    /// A list of `pairings`, divided into rounds of this size.
    pub fn new(pairings: u64, round: u64, games_per_pairing: GamesPerPairing) -> Self {
        Self {
            pairings,
            round: round.max(1),
            games_per_pairing: u64::from(games_per_pairing.get()),
            next: 0,
        }
    }

    fn total(&self) -> u64 {
        self.pairings * self.games_per_pairing
    }

    pub fn count(&self) -> GameCount {
        GameCount::Exactly(self.total())
    }

    /// The next game. `pairing` returns the two players at an index of the list.
    pub fn next(&mut self, pairing: impl Fn(u64) -> [usize; 2]) -> NextGame {
        if self.next >= self.total() {
            return NextGame::Done;
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
        // Seats are swapped within a pair, and between the first games of two cycles.
        let swapped = second != (cycle % 2 == 1);
        NextGame::Issue(Ticket {
            id,
            pair,
            round: Some(pair / self.round + 1),
            players: if swapped { [b, a] } else { [a, b] }.into(),
        })
    }
}
