//! A ladder: neighbours meet, and the lower one moves up by winning.

use std::num::NonZeroU32;

use crate::schedule::pairings::{Pairing, WavePlanner};
use crate::schedule::{Conclusion, GameCount, Place, PlacedBy};

/// Players stand on the rungs of a ladder, at first in the order of the plan. In odd rounds rungs 1 and 2, 3
/// and 4, … meet; in even rounds rungs 2 and 3, 4 and 5, …. If the lower player scores more, the two change
/// places.
#[derive(Debug, Clone)]
pub struct Ladder {
    rungs: Vec<usize>,
    rounds: u32,
    pairs: u64,
    round: u32,
}

impl Ladder {
    /// A ladder of `players`, at least two.
    pub fn new(players: usize, rounds: u32, pairs: NonZeroU32) -> Self {
        Self {
            rungs: (0..players).collect(),
            rounds,
            pairs: u64::from(pairs.get()),
            round: 0,
        }
    }

    /// Upper rung of the first pairing in a round.
    fn first_rung(&self, round: u32) -> usize {
        match self.rungs.len() {
            // Two players meet in every round.
            2 => 0,
            _ => (round % 2) as usize,
        }
    }
}

impl WavePlanner for Ladder {
    fn next_wave(&mut self, played: &[Pairing]) -> Vec<Pairing> {
        for pairing in played {
            let [upper, lower] = pairing.players;
            if pairing.points[1] > pairing.points[0] {
                let place = self.rungs.iter().position(|player| *player == upper);
                if let Some(place) = place.filter(|place| place + 1 < self.rungs.len()) {
                    debug_assert_eq!(self.rungs[place + 1], lower);
                    self.rungs.swap(place, place + 1);
                }
            }
        }
        if self.round == self.rounds {
            return Vec::new();
        }
        let first = self.first_rung(self.round);
        self.round += 1;
        self.rungs[first..]
            .chunks_exact(2)
            .map(|two| Pairing::new([two[0], two[1]], self.pairs))
            .collect()
    }

    fn count(&self) -> GameCount {
        let pairings = |round| ((self.rungs.len() - self.first_rung(round)) / 2) as u64;
        let (even, odd) = (self.rounds.div_ceil(2), self.rounds / 2);
        let pairings = u64::from(even) * pairings(0) + u64::from(odd) * pairings(1);
        GameCount::Exactly(pairings * self.pairs * 2)
    }

    fn conclusion(&self) -> Option<Conclusion> {
        let rungs = self.rungs.iter().enumerate();
        let places = rungs.map(|(rung, player)| Place {
            player: *player,
            place: rung + 1,
            by: PlacedBy::Rung,
        });
        Some(Conclusion::FinalOrder(places.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameResult, Seat};
    use crate::schedule::Format;
    use crate::schedule::testing::{assert_game_pairs, balance, conclude, random};

    fn ladder(rounds: u32, pairs: u32) -> Format {
        Format::Ladder {
            rounds,
            pairs: NonZeroU32::new(pairs).expect("not zero"),
        }
    }

    fn order(end: Option<Conclusion>) -> Vec<usize> {
        let places = end.map(|end| end.places()).unwrap_or_default();
        places.iter().map(|place| place.player).collect()
    }

    #[test]
    fn after_as_many_rounds_as_players_the_order_is_right() {
        for players in 2..=9 {
            // The last player of the plan is the strongest.
            let (games, end) = conclude(&ladder(players as u32, 1), players, 3, |ticket| {
                if ticket.players[Seat::FIRST] > ticket.players[Seat::SECOND] {
                    GameResult::Won(Seat::FIRST)
                } else {
                    GameResult::Won(Seat::SECOND)
                }
            });
            assert_eq!(order(end), (0..players).rev().collect::<Vec<_>>());
            assert_eq!(balance(players, &games), 0);
            assert_game_pairs(&games);
        }
    }

    #[test]
    fn a_tie_changes_no_places_and_the_number_of_jobs_changes_nothing() {
        let (_, end) = conclude(&ladder(4, 2), 5, 1, |_| GameResult::Drawn);
        assert_eq!(order(end), (0..5).collect::<Vec<_>>());
        for seed in 0..20 {
            let one = conclude(&ladder(6, 2), 6, 1, random(seed));
            assert_eq!(one, conclude(&ladder(6, 2), 6, 8, random(seed)));
        }
    }
}
