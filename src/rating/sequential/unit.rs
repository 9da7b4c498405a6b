//! The unit of a sequential test.

use super::block_scores::BlockScores;
use crate::rating::ELO;

/// One result of a sequential test: some games. Each player sat in each seat once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestUnit {
    seats: usize,
    games: usize,
}

impl TestUnit {
    /// A block.
    pub fn block(seats: usize) -> Self {
        Self {
            seats,
            games: seats,
        }
    }

    /// A block, and a single game.
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
