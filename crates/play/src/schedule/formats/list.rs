//! A list: the configuration names who sits together in each block.

use std::collections::VecDeque;

use crate::schedule::GamesPerPairing;
use crate::schedule::seating::{FixedBlocks, Seating, Seatings};

/// The seatings of a list, in its order. A round ends before a player would have a second block in it.
#[derive(Debug)]
pub struct List {
    left: VecDeque<Vec<usize>>,
    round: u64,
    /// The players of the round so far.
    seated: Vec<usize>,
}

impl List {
    /// A block for each of `pairings`, which have as many players as there are `seats`.
    pub fn blocks(players: usize, seats: usize, pairings: &[Vec<usize>]) -> FixedBlocks<Self> {
        let list = Self {
            left: VecDeque::from_iter(pairings.iter().cloned()),
            round: 1,
            seated: Vec::new(),
        };
        let whole = GamesPerPairing::new(seats as u32).unwrap_or(GamesPerPairing::MIN);
        FixedBlocks::new(list, players, seats, whole, |times| {
            times.saturating_mul(pairings.len() as u64)
        })
    }
}

impl Seatings for List {
    fn next(&mut self) -> Seating {
        let players = self.left.pop_front().unwrap_or_default();
        if players.iter().any(|player| self.seated.contains(player)) {
            self.round += 1;
            self.seated.clear();
        }
        self.seated.extend(&players);
        Seating {
            round: self.round,
            players,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::schedule::Format;
    use crate::schedule::testing::fixed_games;

    #[test]
    fn each_pairing_is_a_block_in_its_place() {
        let format = Format::List(vec![vec![2, 0], vec![1, 3], vec![2, 0]]);
        let games = fixed_games(&format, 4, 2);
        let told = games.iter().map(|game| {
            let players: Vec<usize> = game.players.values().copied().collect();
            (game.block, game.round, players)
        });
        let all = [
            (0, Some(1), vec![2, 0]),
            (0, Some(1), vec![0, 2]),
            (1, Some(1), vec![1, 3]),
            (1, Some(1), vec![3, 1]),
            (2, Some(2), vec![2, 0]),
            (2, Some(2), vec![0, 2]),
        ];
        assert_eq!(told.collect::<Vec<_>>(), all);
    }
}
