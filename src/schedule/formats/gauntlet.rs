//! A gauntlet: challengers against all other players.

use crate::game::GameResult;
use crate::schedule::pairings::FixedPairings;
use crate::schedule::{GameCount, GamesPerPairing, NextGame, Schedule};

/// Each challenger meets each player who is no challenger, in rounds without a player twice.
#[derive(Debug, Clone)]
pub struct Gauntlet {
    /// The smaller group, then the larger.
    groups: [Vec<usize>; 2],
    pairings: FixedPairings,
}

impl Gauntlet {
    /// A gauntlet of `players`; the challengers are given by index.
    pub fn new(players: usize, challengers: &[usize], games_per_pairing: GamesPerPairing) -> Self {
        let (challengers, others): (Vec<usize>, Vec<usize>) =
            (0..players).partition(|player| challengers.contains(player));
        let pairings = challengers.len() as u64 * others.len() as u64;
        let groups = if challengers.len() <= others.len() {
            [challengers, others]
        } else {
            [others, challengers]
        };
        let round = groups[0].len() as u64;
        Self {
            groups,
            pairings: FixedPairings::new(pairings, round, games_per_pairing),
        }
    }
}

impl Schedule for Gauntlet {
    fn next(&mut self) -> NextGame {
        let [small, large] = &self.groups;
        self.pairings.next(|index| {
            let table = (index % small.len() as u64) as usize;
            let round = (index / small.len() as u64) as usize;
            let other = (round + table) % large.len();
            // Alternate seats like the squares of a chessboard: single games are then balanced for all.
            if (table + other).is_multiple_of(2) {
                [small[table], large[other]]
            } else {
                [large[other], small[table]]
            }
        })
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
    use crate::schedule::Format;
    use crate::schedule::testing::{balance, play, random};

    fn gauntlet(challengers: &[usize], games: u32) -> Format {
        Format::Gauntlet {
            challengers: challengers.to_vec(),
            games: GamesPerPairing::new(games).expect("not zero"),
        }
    }

    #[test]
    fn each_challenger_meets_each_other_player_as_often_as_promised_and_nobody_else() {
        for players in 2..=9_usize {
            for challengers in 1..players {
                let chosen: Vec<usize> = (0..players).rev().take(challengers).collect();
                for per_pairing in 1..=4 {
                    let format = gauntlet(&chosen, per_pairing);
                    let games = play(&format, players, 1, random(1));
                    let mut met = HashMap::new();
                    for (ticket, _) in &games {
                        let [a, b] = ticket.players.clone().pair().expect("two seats");
                        assert!(chosen.contains(&a) != chosen.contains(&b));
                        *met.entry([a.min(b), a.max(b)]).or_insert(0) += 1;
                    }
                    assert_eq!(met.len(), challengers * (players - challengers));
                    assert!(met.values().all(|count| *count == per_pairing));
                    assert!(balance(players, &games) <= 1, "{players} {challengers}");
                }
            }
        }
    }

    #[test]
    fn in_each_round_nobody_plays_twice() {
        let format = gauntlet(&[1, 4, 6], 1);
        for round in play(&format, 7, 1, random(1)).chunks(3) {
            let mut seen: Vec<usize> = round
                .iter()
                .flat_map(|(game, _)| game.players.clone().into_values())
                .collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), 6);
        }
    }
}
