//! Means by player, with the errors of blocks.

use std::collections::HashMap;

use crate::rating::{Interval, math};

/// A mean over a player's games, and its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockMean {
    pub games: u64,
    pub blocks: u64,
    pub mean: f64,
    /// Its standard error by how unlike the blocks are; infinite with one block.
    pub error: f64,
}

impl BlockMean {
    /// The 95 % interval with the mean in the middle, by Student's quantile.
    pub fn interval(&self) -> Interval {
        let freedom = self.blocks.saturating_sub(1) as f64;
        let margin = math::student_quantile(freedom) * self.error;
        [self.mean - margin, self.mean, self.mean + margin]
    }
}

/// Sums over blocks, in whole numbers so that they have no order.
///
/// The mean is the ratio of the sums over blocks. Its error is the one of a ratio (W. Cochran, *Sampling Techniques*, 1977,
/// chapter 6): the residuals of the blocks' sums.
#[derive(Debug, Clone, Copy, Default)]
pub struct BlockSums {
    blocks: u64,
    games: u64,
    sum: i128,
    /// Sums of the products of a block's sum and number of games.
    squares: i128,
    mixed: i128,
    games_squared: u64,
}

impl BlockSums {
    /// Adds `count` equal blocks with this sum over this number of games.
    pub fn add(&mut self, sum: i64, games: u64, count: u64) {
        let (whole, times) = (i128::from(sum), i128::from(count));
        self.blocks += count;
        self.games += games * count;
        self.sum += whole * times;
        self.squares = self
            .squares
            .saturating_add((whole * whole).saturating_mul(times));
        self.mixed = self.mixed.saturating_add(whole * i128::from(games) * times);
        self.games_squared += games * games * count;
    }

    /// The mean, given what one is in the sums; `None` without games.
    pub fn mean(&self, one: f64) -> Option<BlockMean> {
        if self.blocks == 0 {
            return None;
        }
        let games = self.games as f64;
        let mean = self.sum as f64 / games;
        let squares = self.squares as f64 - 2.0 * mean * self.mixed as f64
            + mean * mean * self.games_squared as f64;
        let error = match self.blocks {
            1 => f64::INFINITY,
            blocks => {
                let blocks = blocks as f64;
                (blocks / (blocks - 1.0) * squares.max(0.0)).sqrt() / games
            }
        };
        Some(BlockMean {
            games: self.games,
            blocks: self.blocks,
            mean: mean / one,
            error: error / one,
        })
    }
}

/// Points by the rules in millionths.
const POINT: f64 = 1e6;

#[derive(Debug, Clone, Default)]
struct OpenBlock {
    games: usize,
    /// Each player with its sum over its games.
    sums: Vec<(usize, i64, u64)>,
}

/// Sums of the points by the rules of each player.
#[derive(Debug, Clone, Default)]
pub struct MeanSums {
    by_player: Vec<BlockSums>,
    open: HashMap<u64, OpenBlock>,
}

impl MeanSums {
    pub fn add(
        &mut self,
        block: Option<u64>,
        seats: usize,
        points: impl Iterator<Item = (usize, f64)>,
    ) {
        let mut alone = OpenBlock {
            games: seats - 1,
            ..OpenBlock::default()
        };
        let open = match block {
            Some(number) => self.open.entry(number).or_default(),
            None => &mut alone,
        };
        open.games += 1;
        for (player, points) in points {
            let points = (points * POINT).round() as i64;
            match open.sums.iter_mut().find(|it| it.0 == player) {
                Some((_, sum, games)) => {
                    *sum = sum.saturating_add(points);
                    *games += 1;
                }
                None => open.sums.push((player, points, 1)),
            }
        }
        if open.games == seats {
            let sums = std::mem::take(&mut open.sums);
            if let Some(number) = block {
                self.open.remove(&number);
            }
            for (player, sum, games) in sums {
                self.count(player, sum, games);
            }
        }
    }

    fn count(&mut self, player: usize, sum: i64, games: u64) {
        if self.by_player.len() <= player {
            self.by_player.resize(player + 1, BlockSums::default());
        }
        self.by_player[player].add(sum, games, 1);
    }

    pub fn mean(&self, player: usize) -> Option<BlockMean> {
        let mut sums = self.by_player.get(player).copied().unwrap_or_default();
        for open in self.open.values() {
            for (_, sum, games) in open.sums.iter().filter(|it| it.0 == player) {
                sums.add(*sum, *games, 1);
            }
        }
        sums.mean(POINT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_mean_is_the_one_of_its_blocks() {
        let mut sums = MeanSums::default();
        for (block, points) in [
            (1, [1.0, 0.0]),
            (1, [3.0, 0.0]),
            (2, [5.0, 0.0]),
            (2, [5.0, 5.0]),
        ] {
            sums.add(Some(block), 2, points.into_iter().enumerate());
        }
        assert_eq!(sums.mean(3), None);
        // Block means of 2 and 5, each of two games.
        let first = sums.mean(0).expect("games");
        assert_eq!((first.games, first.blocks, first.mean), (4, 2, 3.5));
        assert!((first.error - 1.5).abs() < 1e-12);
        let [low, _, high] = first.interval();
        assert!((high - low - 2.0 * 12.706 * 1.5).abs() < 0.01);
        let mut one = MeanSums::default();
        one.add(Some(7), 3, std::iter::once((0, 4.5)));
        let open = one.mean(0).expect("a game");
        assert_eq!((open.mean, open.error), (4.5, f64::INFINITY));
    }
}
