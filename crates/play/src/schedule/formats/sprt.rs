//! A sequential test: blocks are played until it is clear whether the challenger is stronger.

use std::collections::VecDeque;

use crate::game::{GameResult, PerSeat, Seat};
use crate::rating::{BlockScores, Sprt, SprtVerdict};
use crate::schedule::{Conclusion, GameCount, NextGame, Schedule, TestEnd, TestState, Ticket};

/// Maximum number of uncounted blocks in a row. At this bound the players do not work, and the test would never
/// end.
const MOST_LEFT_OUT: u64 = 50;

/// A sequential probability ratio test of one challenger against all other players in turn, block by block. Copies of
/// one player have all seats but the challenger's. Blocks are counted in the order of their numbers.
///
/// A block begins once no result of the blocks before it can end the test, so any number of jobs plays equal
/// blocks. All of them count, except blocks with a game that all players forfeited: it is no evidence of strength.
#[derive(Debug, Clone)]
pub struct SprtSchedule {
    challenger: usize,
    opponents: Vec<usize>,
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

#[derive(Debug, Clone, Copy, Default)]
struct OpenBlock {
    /// Opponents that the challenger beat, in halves.
    half_points: u64,
    games: u64,
    left_out: bool,
}

impl SprtSchedule {
    pub fn new(
        players: usize,
        seats: usize,
        challenger: usize,
        test: Sprt,
        most_blocks: Option<u64>,
    ) -> Self {
        Self {
            challenger,
            opponents: (0..players).filter(|it| *it != challenger).collect(),
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

    fn seat(&self, id: u64) -> Seat {
        Seat::numbered((id % self.seats) as u8)
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
                self.scores.add(block.half_points as usize);
                self.llr = self.test.llr(&self.scores);
                self.verdict = Sprt::verdict_at(self.llr, self.test.bounds(&self.scores));
            }
            self.end = self.end_after_last_block();
        }
    }

    fn end_after_last_block(&self) -> Option<TestEnd> {
        let most_equal = self.test.most_equal_blocks(self.scores.seats());
        let most_equal = most_equal.filter(|_| self.scores.all_equal());
        if self.verdict != SprtVerdict::Undecided {
            Some(TestEnd::Bound)
        } else if most_equal.is_some_and(|most| self.scores.blocks() >= most) {
            Some(TestEnd::EqualBlocks)
        } else if self.most_blocks.is_some_and(|most| self.over >= most) {
            Some(TestEnd::MostBlocks)
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
            .most_equal_blocks(most.seats())
            .is_some_and(|equal| most.blocks() >= equal && self.scores.all_equal());
        !can_be_equal && self.test.is_open_between(&known, &least, &most)
    }

    /// Minimum and maximum of the half points that the whole block can have.
    fn extremes(&self, block: &OpenBlock) -> [usize; 2] {
        // In each game there are two halves for each opponent.
        let left = 2 * (self.seats - 1) * (self.seats - block.games.min(self.seats));
        let low = block.half_points;
        [low, low + left].map(|half_points| (half_points as usize).min(self.scores.most()))
    }
}

impl Schedule for SprtSchedule {
    fn next(&mut self) -> NextGame {
        let block = self.issued / self.seats;
        // A block that began is always finished.
        if self.issued.is_multiple_of(self.seats) {
            let is_last = self.most_blocks.is_some_and(|most| block >= most);
            if is_last || self.end.is_some() {
                return NextGame::Done;
            }
            if block >= self.over + self.ahead && !self.needs_another_block() {
                return NextGame::Wait;
            }
            self.open.push_back(OpenBlock::default());
        }
        let id = self.issued;
        self.issued += 1;
        let other = self.opponents[(block % self.opponents.len() as u64) as usize];
        let mut players = PerSeat::of(self.scores.seats(), |_| other);
        players[self.seat(id)] = self.challenger;
        NextGame::Issue(Ticket {
            id,
            block,
            round: None,
            players,
            values: None,
        })
    }

    fn record(&mut self, id: u64, result: GameResult) {
        let half_points = result.half_points(self.seat(id), self.scores.seats());
        let index = (id / self.seats).checked_sub(self.over);
        let open = index.and_then(|index| self.open.get_mut(index as usize));
        if let Some(block) = open {
            block.half_points += half_points;
            block.games += 1;
            block.left_out |= result == GameResult::Nobody;
        }
        self.count_complete_blocks();
    }

    fn count(&self) -> GameCount {
        match self.most_blocks {
            Some(blocks) => GameCount::AtMost(blocks.saturating_mul(self.seats)),
            None => GameCount::Unknown,
        }
    }

    fn conclusion(&self) -> Option<Conclusion> {
        self.test().map(Conclusion::Test)
    }

    fn test(&self) -> Option<TestState> {
        Some(TestState {
            challenger: self.challenger,
            test: self.test,
            scores: self.scores.clone(),
            left_out: self.over - self.scores.blocks(),
            llr: self.llr,
            verdict: self.verdict,
            end: self.end,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::EloModel;
    use crate::schedule::Format;
    use crate::schedule::testing::{conclude, mixed};

    const TEST: Sprt = Sprt {
        elo0: 0.0,
        elo1: 40.0,
        alpha: 0.05,
        beta: 0.1,
        model: EloModel::Logistic,
    };

    /// Results of a challenger that is stronger by `elo`. A third of the games is drawn, and openings favour
    /// one seat. Each result depends only on the number of its game.
    fn strength(elo: f64, seed: u64) -> impl FnMut(&Ticket) -> GameResult {
        let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        move |ticket| {
            let draw =
                |number: u64| (mixed(seed << 24 | number) >> 11) as f64 / (1_u64 << 53) as f64;
            let bias = (draw(1 << 20 | ticket.block) - 0.5) * 0.4;
            let seat = usize::from(ticket.players[Seat::FIRST] != 0);
            let win = score - 1.0 / 6.0 + if seat == 0 { bias } else { -bias };
            match draw(ticket.id) {
                number if number < win => GameResult::Won(Seat::BOTH[seat]),
                number if number < win + 1.0 / 3.0 => GameResult::Drawn,
                _ => GameResult::Won(Seat::BOTH[1 - seat]),
            }
        }
    }

    fn test(most_pairs: Option<u64>) -> Format {
        Format::Sprt {
            challenger: 0,
            test: TEST,
            most_games: most_pairs.map(|pairs| 2 * pairs),
        }
    }

    fn end(
        format: &Format,
        jobs: usize,
        result: impl FnMut(&Ticket) -> GameResult,
    ) -> (TestState, u64) {
        let (games, end) = conclude(format, 2, jobs, result);
        let Some(Conclusion::Test(state)) = end else {
            panic!("{end:?}");
        };
        (state, games.len() as u64 / 2)
    }

    #[test]
    fn with_many_jobs_many_pairs_are_played_at_a_time() {
        let mut schedule = test(None).schedule(2, 2);
        let mut begun = 0;
        while let NextGame::Issue(_) = schedule.next() {
            begun += 1;
        }
        assert!(begun >= 16, "{begun}");
    }

    /// Like [`strength`], but both players forfeit every third game.
    fn forfeiting(elo: f64, seed: u64) -> impl FnMut(&Ticket) -> GameResult {
        let mut other = strength(elo, seed);
        move |ticket| match ticket.id % 3 {
            0 => GameResult::Nobody,
            _ => other(ticket),
        }
    }

    #[test]
    fn a_pair_of_which_both_forfeit_a_game_does_not_count() {
        for seed in 0..20 {
            let one = conclude(&test(None), 2, 1, forfeiting(30.0, seed));
            for jobs in [2, 8, 50] {
                let other = conclude(&test(None), 2, jobs, forfeiting(30.0, seed));
                assert_eq!(one, other, "{jobs} jobs");
            }
            let (state, played) = end(&test(None), 1, forfeiting(30.0, seed));
            assert_eq!(state.end, Some(TestEnd::Bound));
            assert_eq!(state.scores.blocks() + state.left_out, played);
            // In each three pairs, games 0 and 3 leave out the first two.
            assert_eq!(state.left_out, (2 * played).div_ceil(3));
        }
    }
}
