//! Ratings and tests that follow the games one by one.

mod sprt;

pub use sprt::{EloModel, Sprt, SprtEstimate, SprtVerdict};

use crate::rating::ELO;
use crate::rating::games::MatchScore;

/// One result of a sequential test: some games. Each player sat in each seat once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestUnit {
    seats: usize,
    games: usize,
}

impl TestUnit {
    pub fn block(seats: usize) -> Self {
        Self {
            seats,
            games: seats,
        }
    }

    pub fn of(scores: &BlockScores) -> [Self; 2] {
        let seats = scores.seats();
        [Self::block(seats), Self { seats, games: 1 }]
    }

    /// Variance of the mean score of this unit's games, if all seats are equally strong and nothing is tied: a
    /// player then has each place equally often.
    pub fn variance(self) -> f64 {
        (self.seats + 1) as f64 / (12 * (self.seats - 1) * self.games) as f64
    }

    /// Standard deviations of a result per normalized Elo, which is defined for one game.
    pub fn deviations_per_elo(self) -> f64 {
        (self.games as f64).sqrt() / (2.0 * ELO)
    }
}

/// Scores of one player in blocks. A block has a game in each seat, against equal opponents. The score of a
/// game is the share of opponents that the player beat, with one half for each tie.
///
/// In the model of Plackett and Luce a player beats each of several opponents as often as in a game of these two
/// alone. So a difference in Elo is worth the same mean score at any number of seats. (R. D. Luce, *Individual
/// Choice Behavior*, 1959.)
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockScores {
    seats: usize,
    /// Number of blocks with each number of half opponents that were beaten.
    counts: Vec<u64>,
    /// Number of games that belong to no whole block, with each number of half opponents that were beaten.
    singles: Vec<u64>,
}

impl BlockScores {
    /// No blocks yet, of games with this number of seats, at least two.
    pub fn new(seats: usize) -> Self {
        Self {
            seats,
            counts: vec![0; 2 * seats * (seats - 1) + 1],
            singles: vec![0; 2 * seats - 1],
        }
    }

    pub fn of_match(games: &MatchScore) -> Self {
        Self {
            seats: 2,
            counts: games.pairs.into(),
            singles: games.trinomial().into(),
        }
    }

    /// Greatest number of half opponents that a player can beat in a block: two for each opponent in each game.
    pub fn most(&self) -> usize {
        self.counts.len() - 1
    }

    /// Adds a block with this number of beaten opponents, in halves; more than the greatest number counts as
    /// that.
    pub fn add(&mut self, half_points: usize) {
        let at = half_points.min(self.most());
        self.counts[at] += 1;
    }

    pub fn seats(&self) -> usize {
        self.seats
    }

    /// Mean share of the opponents that the player beat; `None` without a block.
    pub fn mean(&self) -> Option<f64> {
        let sum: u64 = (0..).zip(&self.counts).map(|(at, count)| at * count).sum();
        let all = self.blocks() * self.most() as u64;
        (all > 0).then(|| sum as f64 / all as f64)
    }

    pub fn blocks(&self) -> u64 {
        self.counts.iter().sum()
    }

    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Whether the player beat half of the opponents in every block.
    pub fn all_equal(&self) -> bool {
        self.counts[self.most() / 2] == self.blocks()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variance_of_equals() {
        assert_eq!(
            [TestUnit { seats: 2, games: 1 }, TestUnit::block(2)].map(TestUnit::variance),
            [0.25, 0.125]
        );
        // Three places, worth 1, ½ and 0: the variance of a game is 1/6.
        let block = TestUnit::block(3);
        assert!((block.variance() - 1.0 / 18.0).abs() < 1e-12);
    }
}
