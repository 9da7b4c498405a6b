//! Everyone meets everyone.

use crate::game::GameResult;
use crate::schedule::pairings::FixedPairings;
use crate::schedule::{GameCount, GamesPerPairing, NextGame, Schedule};

/// A round robin in cycles. In each cycle every two players play one game pair. In each of its rounds
/// everyone plays once (the circle method), so that the standings are fair at any time.
#[derive(Debug, Clone)]
pub struct RoundRobin {
    players: usize,
    pairings: FixedPairings,
}

impl RoundRobin {
    /// A round robin of `players`, at least two.
    pub fn new(players: usize, games_per_pairing: GamesPerPairing) -> Self {
        let count = players as u64;
        Self {
            players,
            pairings: FixedPairings::new(
                count * count.saturating_sub(1) / 2,
                count / 2,
                games_per_pairing,
            ),
        }
    }
}

/// The two players of the pairing at place `index` of a cycle.
///
/// If the number of players is odd, a bye is added as the last player `m`. This last player is fixed, and
/// the others rotate: in round `r` the fixed player meets player `r`, and two others meet if their numbers
/// add up to `2r` modulo `m`.
fn pairing(players: usize, index: u64) -> [usize; 2] {
    let odd = players % 2;
    let rotating = players - 1 + odd;
    let tables = players / 2;
    let round = (index / tables as u64) as usize;
    // With an odd number of players, the pairing of the fixed player is the bye and is left out.
    let table = (index % tables as u64) as usize + odd;
    if table == 0 {
        let fixed = players - 1;
        return if round.is_multiple_of(2) {
            [round, fixed]
        } else {
            [fixed, round]
        };
    }
    let up = (round + table) % rotating;
    let down = (round + rotating - table) % rotating;
    if table.is_multiple_of(2) {
        [up, down]
    } else {
        [down, up]
    }
}

impl Schedule for RoundRobin {
    fn next(&mut self) -> NextGame {
        let players = self.players;
        self.pairings.next(|index| pairing(players, index))
    }

    fn record(&mut self, _id: u64, _result: GameResult) {}

    fn count(&self) -> GameCount {
        self.pairings.count()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::schedule::testing::{play, random};
    use crate::schedule::{Format, Ticket};

    fn games(players: usize, per_pairing: u32) -> Vec<Ticket> {
        let games = GamesPerPairing::new(per_pairing).expect("not zero");
        play(&Format::RoundRobin(games), players, 1, random(1))
            .into_iter()
            .map(|(ticket, _)| ticket)
            .collect()
    }

    #[test]
    fn everyone_meets_everyone_as_often_as_promised() {
        for players in 2..=9 {
            for per_pairing in 1..=5 {
                let mut met = HashMap::new();
                for ticket in games(players, per_pairing) {
                    let [a, b] = ticket.players.clone().pair().expect("two seats");
                    assert!(a != b && a < players && b < players);
                    *met.entry([a.min(b), a.max(b)]).or_insert(0) += 1;
                }
                assert_eq!(met.len(), players * (players - 1) / 2);
                assert!(met.values().all(|count| *count == per_pairing));
            }
        }
    }

    #[test]
    fn seats_are_balanced() {
        for players in 2..=9 {
            for per_pairing in 1..=5 {
                let mut first = vec![0_i64; players];
                let mut pairing_first = HashMap::new();
                for ticket in games(players, per_pairing) {
                    let [a, b] = ticket.players.clone().pair().expect("two seats");
                    first[a] += 1;
                    first[b] -= 1;
                    *pairing_first.entry((a, b)).or_insert(0_i64) += 1;
                }
                for a in 0..players {
                    assert!(first[a].abs() <= 1, "{players} players: {first:?}");
                    for b in 0..a {
                        let of = |a, b| pairing_first.get(&(a, b)).copied().unwrap_or(0);
                        assert!((of(a, b) - of(b, a)).abs() <= 1);
                    }
                }
            }
        }
    }

    #[test]
    fn a_pair_is_two_games_from_one_start_with_the_seats_swapped() {
        let games = games(5, 4);
        for pair in games.chunks(2) {
            assert_eq!(pair[0].pair, pair[1].pair);
            let [a, b] = pair[0].players.clone().pair().expect("two seats");
            assert_eq!(pair[1].players.clone().pair().expect("two seats"), [b, a]);
        }
        assert_eq!(games.last().expect("some").pair, 19);
    }

    #[test]
    fn in_each_round_nobody_plays_twice() {
        for players in [4, 5, 8, 9] {
            for round in games(players, 1).chunks(players / 2) {
                let mut seen: Vec<usize> = round
                    .iter()
                    .flat_map(|game| game.players.clone().into_values())
                    .collect();
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), players / 2 * 2);
            }
        }
    }
}
