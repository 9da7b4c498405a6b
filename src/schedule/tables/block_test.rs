//! A sequential test in blocks.

use std::collections::VecDeque;

use crate::rating::{BlockScores, Sprt, SprtVerdict};
use crate::schedule::{GameCount, TestEnd};

/// Maximum number of uncounted blocks in a row. At this bound the players do not work, and the test would never
/// end.
pub const MOST_LEFT_OUT: u64 = 50;

/// A sequential probability ratio test of one challenger in blocks of games. Blocks are counted in the order
/// of their numbers.
///
/// A block begins once no result of the blocks before it can end the test, so any number of jobs plays equal
/// blocks. All of them count, except blocks with a game that is no evidence of strength.
#[derive(Debug, Clone)]
pub struct BlockTest {
    seats: u64,
    test: Sprt,
    most_blocks: Option<u64>,
    /// Minimum number of blocks issued beyond the last counted one, even if results may end the test before
    /// them.
    ahead: u64,
    issued: u64,
    /// Blocks that are unfinished, or follow an unfinished one.
    open: VecDeque<OpenBlock>,
    /// Number of finished blocks taken from `open`.
    over: u64,
    scores: BlockScores,
    /// Length of the current streak of uncounted blocks.
    left_out_at_last: u64,
    llr: f64,
    verdict: SprtVerdict,
    end: Option<TestEnd>,
}

/// Answer of a test when asked for a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockGame {
    /// Play the game with this number, of this block.
    Issue { id: u64, block: u64 },
    /// No game can be issued before another result arrives.
    Wait,
    /// No further games.
    Done,
}

#[derive(Debug, Clone, Copy, Default)]
struct OpenBlock {
    /// Opponents that the challenger beat, in halves.
    half_opponents: usize,
    games: u64,
    left_out: bool,
}

impl BlockTest {
    /// A test in blocks of games with this number of seats, of at most `most_blocks`.
    pub fn new(seats: usize, test: Sprt, most_blocks: Option<u64>) -> Self {
        Self {
            seats: seats as u64,
            test,
            most_blocks,
            ahead: 1,
            issued: 0,
            open: VecDeque::new(),
            over: 0,
            scores: BlockScores::new(seats),
            left_out_at_last: 0,
            llr: 0.0,
            verdict: SprtVerdict::Undecided,
            end: None,
        }
    }

    /// Sets the minimum number of blocks issued before they can be counted. Some may lie beyond the end.
    pub fn ahead(self, blocks: u64) -> Self {
        let ahead = blocks.max(1);
        Self { ahead, ..self }
    }

    /// Number of seats.
    pub fn seats(&self) -> usize {
        // It was given as one.
        self.seats as usize
    }

    /// Hypotheses and error rates.
    pub fn test(&self) -> Sprt {
        self.test
    }

    /// Scores of the counted blocks.
    pub fn scores(&self) -> &BlockScores {
        &self.scores
    }

    /// Number of blocks that did not count.
    pub fn left_out(&self) -> u64 {
        self.over - self.scores.blocks()
    }

    /// Log-likelihood ratio of the counted blocks.
    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// Decision of the test.
    pub fn verdict(&self) -> SprtVerdict {
        self.verdict
    }

    /// Reason for the end of the test, if it ended.
    pub fn end(&self) -> Option<TestEnd> {
        self.end
    }

    /// Number of games.
    pub fn count(&self) -> GameCount {
        match self.most_blocks {
            Some(blocks) => GameCount::AtMost(blocks.saturating_mul(self.seats)),
            None => GameCount::Unknown,
        }
    }

    /// The next game.
    pub fn next(&mut self) -> BlockGame {
        let block = self.issued / self.seats;
        // A block that began is always finished.
        if self.issued.is_multiple_of(self.seats) {
            let is_last = self.most_blocks.is_some_and(|most| block >= most);
            if is_last || self.end.is_some() {
                return BlockGame::Done;
            }
            if block >= self.over + self.ahead && !self.needs_another_block() {
                return BlockGame::Wait;
            }
            self.open.push_back(OpenBlock::default());
        }
        self.issued += 1;
        BlockGame::Issue {
            id: self.issued - 1,
            block,
        }
    }

    /// Takes in how many opponents the challenger beat in game `id`, in halves. A block with a game that is
    /// `left_out` does not count.
    pub fn record(&mut self, id: u64, half_opponents: usize, left_out: bool) {
        let index = (id / self.seats).checked_sub(self.over);
        let open = index.and_then(|index| self.open.get_mut(index as usize));
        if let Some(block) = open {
            block.half_opponents += half_opponents;
            block.games += 1;
            block.left_out |= left_out;
        }
        self.count_complete_blocks();
    }

    fn count_complete_blocks(&mut self) {
        while self.end.is_none()
            && let Some(block) = self.open.pop_front_if(|block| block.games == self.seats)
        {
            self.over += 1;
            if block.left_out {
                self.left_out_at_last += 1;
            } else {
                self.left_out_at_last = 0;
                self.scores.add(block.half_opponents);
                self.llr = self.test.block_llr(&self.scores);
                self.verdict = Sprt::verdict_at(self.llr, self.test.block_bounds(&self.scores));
            }
            self.end = self.end_after_last_block();
        }
    }

    fn end_after_last_block(&self) -> Option<TestEnd> {
        let most_equal = self.test.most_equal_blocks(&self.scores);
        let most_equal = most_equal.filter(|_| self.scores.all_equal());
        if self.verdict != SprtVerdict::Undecided {
            Some(TestEnd::Bound)
        } else if most_equal.is_some_and(|most| self.scores.blocks() >= most) {
            Some(TestEnd::EqualPairs)
        } else if self.most_blocks.is_some_and(|most| self.over >= most) {
            Some(TestEnd::MostPairs)
        } else if self.left_out_at_last >= MOST_LEFT_OUT {
            Some(TestEnd::Forfeits)
        } else {
            None
        }
    }

    /// Whether one more block is sure to count, for all results of the open ones. An unfinished block can still
    /// be left out; any other outcome lies between the two extremes.
    fn needs_another_block(&self) -> bool {
        let (mut known, mut least, mut most) = (
            self.scores.clone(),
            self.scores.clone(),
            self.scores.clone(),
        );
        let mut left_out = self.left_out_at_last;
        for block in &self.open {
            left_out = if block.games == self.seats && !block.left_out {
                0
            } else {
                left_out + 1
            };
            if left_out >= MOST_LEFT_OUT {
                return false;
            }
            if block.left_out {
                continue;
            }
            let [low, high] = self.extremes(block);
            least.add(low);
            most.add(high);
            if low == high {
                known.add(low);
            }
        }
        let can_be_equal = self
            .test
            .most_equal_blocks(&most)
            .is_some_and(|equal| most.blocks() >= equal && self.scores.all_equal());
        !can_be_equal && self.test.is_open_between_blocks(&known, &least, &most)
    }

    /// Minimum and maximum of the half opponents that the whole block can have.
    fn extremes(&self, block: &OpenBlock) -> [usize; 2] {
        // In each game there are two halves for each opponent.
        let left = 2 * (self.seats - 1) * (self.seats - block.games.min(self.seats));
        let low = block.half_opponents;
        [low, low + left as usize].map(|half_opponents| half_opponents.min(self.scores.most()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::EloModel;
    use crate::schedule::testing::mixed;

    const TEST: Sprt = Sprt {
        elo0: 0.0,
        elo1: 40.0,
        alpha: 0.05,
        beta: 0.1,
        model: EloModel::Logistic,
    };

    /// Plays a test with up to `jobs` games at a time; the last one ends first. The challenger beats
    /// each opponent with this probability in percent.
    fn play(mut test: BlockTest, jobs: usize, percent: u64, seed: u64) -> (BlockTest, u64) {
        let (mut in_play, mut played) = (Vec::new(), 0);
        loop {
            while in_play.len() < jobs
                && let BlockGame::Issue { id, block } = test.next()
            {
                assert_eq!(block, id / test.seats);
                in_play.push(id);
            }
            let Some(id) = in_play.pop() else {
                return (test, played);
            };
            let beaten = |opponent: &u64| mixed(seed << 32 | id << 4 | opponent) % 100 < percent;
            let half_opponents = 2 * (1..test.seats).filter(beaten).count();
            test.record(id, half_opponents, id % 97 == 96);
            played += 1;
        }
    }

    #[test]
    fn any_number_of_jobs_plays_equal_blocks_and_all_of_them_count() {
        for seats in [2, 3, 4, 8] {
            for seed in 0..10 {
                let one = play(BlockTest::new(seats, TEST, None), 1, 54, seed);
                let blocks = one.0.scores.blocks() + one.0.left_out();
                assert_eq!(one.1, blocks * seats as u64);
                assert_eq!(one.0.end, Some(TestEnd::Bound));
                for jobs in [2, 9, 60] {
                    let (other, played) = play(BlockTest::new(seats, TEST, None), jobs, 54, seed);
                    assert_eq!(played, one.1, "{seats} seats, {jobs} jobs");
                    assert_eq!(other.scores, one.0.scores);
                    assert_eq!(other.llr, one.0.llr);
                }
            }
        }
    }

    #[test]
    fn it_ends_at_the_greatest_number_of_blocks() {
        let (test, played) = play(BlockTest::new(3, TEST, Some(2)), 7, 53, 1);
        assert_eq!((test.end, played), (Some(TestEnd::MostPairs), 6));
        assert_eq!(test.count(), GameCount::AtMost(6));
    }

    #[test]
    fn equal_players_that_never_vary_end_a_test_between_its_hypotheses() {
        let symmetric = Sprt {
            elo0: -40.0,
            ..TEST
        };
        let mut test = BlockTest::new(3, symmetric, None);
        // The first seat always wins, the last always loses.
        while let BlockGame::Issue { id, .. } = test.next() {
            test.record(id, 2 * (id % 3) as usize, false);
        }
        assert_eq!(test.end, Some(TestEnd::EqualPairs));
        assert_eq!(
            Some(test.scores.blocks()),
            symmetric.most_equal_blocks(&test.scores)
        );
    }
}
