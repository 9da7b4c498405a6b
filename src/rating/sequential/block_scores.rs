//! The sequential test of blocks: of games with more than two seats.

use super::sprt::{Sprt, SprtEstimate};
use super::unit::Unit;

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
}

impl BlockScores {
    /// No blocks yet, of games with this number of seats, at least two.
    pub fn new(seats: usize) -> Self {
        Self {
            seats,
            counts: vec![0; 2 * seats * (seats - 1) + 1],
        }
    }

    /// Greatest number of half opponents that a player can beat in a block: two for each opponent in each game.
    pub fn most(&self) -> usize {
        self.counts.len() - 1
    }

    /// Adds a block with this number of beaten opponents, in halves; more than the greatest number counts as
    /// that.
    pub fn add(&mut self, half_opponents: usize) {
        let at = half_opponents.min(self.most());
        self.counts[at] += 1;
    }

    /// Number of seats.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// Mean share of the opponents that the player beat; `None` without a block.
    pub fn mean(&self) -> Option<f64> {
        let sum: u64 = (0..).zip(&self.counts).map(|(at, count)| at * count).sum();
        let all = self.blocks() * self.most() as u64;
        (all > 0).then(|| sum as f64 / all as f64)
    }

    /// Number of blocks.
    pub fn blocks(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Number of blocks with each number of half opponents.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Whether the player beat half of the opponents in every block.
    pub fn all_equal(&self) -> bool {
        self.counts[self.most() / 2] == self.blocks()
    }

    fn unit(&self) -> Unit {
        Unit::block(self.seats)
    }
}

impl Sprt {
    /// The logarithm of the likelihood ratio of the second hypothesis to the first, as in [`Sprt::llr`].
    pub fn block_llr(&self, scores: &BlockScores) -> f64 {
        self.llr_of(&scores.counts, scores.unit())
    }

    /// The bounds at which a test ends after these blocks, as in [`Sprt::bounds`].
    pub fn block_bounds(&self, scores: &BlockScores) -> [f64; 2] {
        self.bounds_of(&scores.counts, scores.unit())
    }

    /// Whether the test stays undecided for all scores between `least` and `most`, as in
    /// [`Sprt::is_open_between`].
    pub fn is_open_between_blocks(
        &self,
        known: &BlockScores,
        least: &BlockScores,
        most: &BlockScores,
    ) -> bool {
        let [least, most] = [least, most].map(|scores| &scores.counts);
        self.is_open(&known.counts, least, most, known.unit())
    }

    /// The number of blocks after which both hypotheses are rejected if all scores were one half, as in
    /// [`Sprt::most_equal_pairs`].
    pub fn most_equal_blocks(&self, scores: &BlockScores) -> Option<u64> {
        self.most_equal(scores.unit())
    }

    /// The difference after a test of these blocks, as in [`Sprt::estimate`].
    pub fn block_estimate(&self, scores: &BlockScores) -> Option<SprtEstimate> {
        self.estimate_of(&scores.counts, scores.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::games::{MatchScore, Tally};
    use crate::rating::{EloModel, SprtVerdict};

    const TEST: Sprt = Sprt {
        elo0: 0.0,
        elo1: 40.0,
        alpha: 0.05,
        beta: 0.1,
        model: EloModel::Logistic,
    };

    fn scores(seats: usize, blocks: &[(usize, u64)]) -> BlockScores {
        let mut scores = BlockScores::new(seats);
        for (half_opponents, times) in blocks {
            (0..*times).for_each(|_| scores.add(*half_opponents));
        }
        scores
    }

    #[test]
    fn a_block_of_two_games_is_a_game_pair() {
        let pairs = [3, 9, 40, 21, 8];
        let numbered: Vec<(usize, u64)> = pairs.into_iter().enumerate().collect();
        let blocks = scores(2, &numbered);
        let games = MatchScore {
            pairs,
            singles: Tally::default(),
        };
        for model in EloModel::ALL {
            let test = Sprt {
                elo0: -10.0,
                model,
                ..TEST
            };
            assert_eq!(test.block_llr(&blocks), test.llr(&games));
            assert_eq!(test.block_bounds(&blocks), test.bounds(&games));
            assert_eq!(test.most_equal_blocks(&blocks), test.most_equal_pairs());
            assert_eq!(test.block_estimate(&blocks), test.estimate(pairs));
        }
    }

    #[test]
    fn strong_and_weak_challengers_are_told_apart() {
        let strong = scores(3, &[(5, 20), (6, 40), (8, 80), (9, 30)]);
        let weak = scores(3, &[(7, 20), (6, 40), (4, 80), (3, 30)]);
        let verdict =
            |of: &BlockScores| Sprt::verdict_at(TEST.block_llr(of), TEST.block_bounds(of));
        assert_eq!(verdict(&strong), SprtVerdict::AcceptElo1);
        assert_eq!(verdict(&weak), SprtVerdict::AcceptElo0);
        assert_eq!(verdict(&BlockScores::new(3)), SprtVerdict::Undecided);
    }

    #[test]
    fn a_test_stays_open_while_blocks_in_play_cannot_end_it() {
        let known = scores(4, &[(4, 2), (10, 2), (14, 2), (20, 2)]);
        let with = |half_opponents: usize, times: u64| {
            let mut more = known.clone();
            (0..times).for_each(|_| more.add(half_opponents));
            more
        };
        let open = |times| TEST.is_open_between_blocks(&known, &with(0, times), &with(24, times));
        assert!(open(1) && !open(100));
        assert!(!known.all_equal() && scores(4, &[(12, 9)]).all_equal());
    }
}
