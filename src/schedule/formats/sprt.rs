//! A sequential test: game pairs are played until it is clear whether the challenger is stronger.

use std::collections::VecDeque;

use crate::game::GameResult;
use crate::rating::{MatchScore, Sprt, SprtVerdict, Tally};
use crate::schedule::{Conclusion, GameCount, NextGame, Schedule, TestEnd, TestState, Ticket};

/// Maximum number of uncounted pairs in a row. At this bound the players do not work, and the test would never
/// end.
const MOST_LEFT_OUT: u64 = 50;

/// A sequential probability ratio test of one challenger against all other players in turn, in game
/// pairs. Pairs are counted in the order of their numbers.
///
/// A pair begins once no result of the pairs before it can end the test, so any number of jobs plays equal
/// pairs. All of them count, except pairs with a game that both players forfeited: such a game is no evidence
/// of strength.
#[derive(Debug, Clone)]
pub struct SprtSchedule {
    challenger: usize,
    opponents: Vec<usize>,
    test: Sprt,
    most_pairs: Option<u64>,
    /// Minimum number of pairs issued beyond the last counted one, even if results may end the test before
    /// them.
    ahead: u64,
    issued: u64,
    /// Pairs that are unfinished, or follow an unfinished one.
    open: VecDeque<OpenPair>,
    /// Number of finished pairs taken from `open`.
    over: u64,
    /// Number of counted pairs with 0, ½, 1, 1½ and 2 points.
    results: [u64; 5],
    /// Length of the current streak of uncounted pairs.
    left_out_at_last: u64,
    llr: f64,
    verdict: SprtVerdict,
    end: Option<TestEnd>,
}

#[derive(Debug, Clone, Copy, Default)]
struct OpenPair {
    /// Half points of the challenger.
    half_points: usize,
    games: u8,
    /// Whether both players forfeited a game.
    left_out: bool,
}

impl OpenPair {
    /// Minimum and maximum of the half points that the whole pair can have.
    fn ends(&self) -> [usize; 2] {
        let left = 2 * usize::from(2 - self.games.min(2));
        [self.half_points, self.half_points + left].map(|points| points.min(4))
    }
}

impl SprtSchedule {
    /// A test of `challenger` among `players` with at most `most_pairs` game pairs.
    pub fn new(players: usize, challenger: usize, test: Sprt, most_pairs: Option<u64>) -> Self {
        Self {
            challenger,
            opponents: (0..players)
                .filter(|player| *player != challenger)
                .collect(),
            test,
            most_pairs,
            ahead: 1,
            issued: 0,
            open: VecDeque::new(),
            over: 0,
            results: [0; 5],
            left_out_at_last: 0,
            llr: 0.0,
            verdict: SprtVerdict::Undecided,
            end: None,
        }
    }

    /// Sets the minimum number of pairs issued before they can be counted. Some may lie beyond the end.
    pub fn ahead(self, pairs: u64) -> Self {
        let ahead = pairs.max(1);
        Self { ahead, ..self }
    }

    fn count_complete_pairs(&mut self) {
        while self.end.is_none()
            && let Some(pair) = self.open.pop_front_if(|pair| pair.games == 2)
        {
            self.over += 1;
            if pair.left_out {
                self.left_out_at_last += 1;
            } else {
                self.left_out_at_last = 0;
                self.results[pair.half_points.min(4)] += 1;
                let games = MatchScore {
                    pairs: self.results,
                    singles: Tally::default(),
                };
                self.llr = self.test.llr(&games);
                self.verdict = Sprt::verdict_at(self.llr, self.test.bounds(&games));
            }
            self.end = self.end_after_last_pair();
        }
    }

    fn end_after_last_pair(&self) -> Option<TestEnd> {
        let count = self.counted();
        let all_equal = self.results[2] == count;
        let most_equal = self.test.most_equal_pairs().filter(|_| all_equal);
        if self.verdict != SprtVerdict::Undecided {
            Some(TestEnd::Bound)
        } else if most_equal.is_some_and(|most| count >= most) {
            Some(TestEnd::EqualPairs)
        } else if self.most_pairs.is_some_and(|most| self.over >= most) {
            Some(TestEnd::MostPairs)
        } else if self.left_out_at_last >= MOST_LEFT_OUT {
            Some(TestEnd::Forfeits)
        } else {
            None
        }
    }

    fn counted(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Whether one more pair is sure to count, for all results of the open ones. An unfinished pair can still
    /// be left out; any other outcome lies between the two extremes.
    fn needs_another_pair(&self) -> bool {
        let (mut known, mut least, mut most) = (self.results, self.results, self.results);
        let mut left_out = self.left_out_at_last;
        for pair in &self.open {
            left_out = if pair.games == 2 && !pair.left_out {
                0
            } else {
                left_out + 1
            };
            if left_out >= MOST_LEFT_OUT {
                return false;
            }
            if pair.left_out {
                continue;
            }
            let [low, high] = pair.ends();
            least[low] += 1;
            most[high] += 1;
            known[low] += u64::from(low == high);
        }
        let count: u64 = most.iter().sum();
        let can_be_equal = self
            .test
            .most_equal_pairs()
            .is_some_and(|most| count >= most && self.results[2] == self.counted());
        !can_be_equal && self.test.is_open_between(known, least, most)
    }
}

impl Schedule for SprtSchedule {
    fn next(&mut self) -> NextGame {
        let pair = self.issued / 2;
        // The second game of a pair is always played.
        if self.issued.is_multiple_of(2) {
            let is_last = self.most_pairs.is_some_and(|most| pair >= most);
            if is_last || self.end.is_some() {
                return NextGame::Done;
            }
            if pair >= self.over + self.ahead && !self.needs_another_pair() {
                return NextGame::Wait;
            }
            self.open.push_back(OpenPair::default());
        }
        let id = self.issued;
        self.issued += 1;
        let other = self.opponents[(pair % self.opponents.len() as u64) as usize];
        let mut players = [self.challenger, other];
        players.rotate_left((id % 2) as usize);
        NextGame::Issue(Ticket {
            id,
            pair,
            round: None,
            players: players.into(),
        })
    }

    fn record(&mut self, id: u64, result: GameResult) {
        let index = (id / 2).checked_sub(self.over);
        let open = index.and_then(|index| self.open.get_mut(index as usize));
        if let Some(pair) = open {
            pair.half_points += (result.points()[(id % 2) as usize] * 2.0) as usize;
            pair.games += 1;
            pair.left_out |= result == GameResult::Nobody;
        }
        self.count_complete_pairs();
    }

    fn count(&self) -> GameCount {
        match self.most_pairs {
            Some(pairs) => GameCount::AtMost(pairs.saturating_mul(2)),
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
            pairs: self.results,
            left_out: self.over - self.counted(),
            llr: self.llr,
            verdict: self.verdict,
            end: self.end,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seat;
    use crate::rating::EloModel;
    use crate::schedule::Format;
    use crate::schedule::testing::{assert_game_pairs, conclude, mixed};

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
            let bias = (draw(1 << 20 | ticket.pair) - 0.5) * 0.4;
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
            most_pairs,
        }
    }

    #[test]
    fn the_number_of_jobs_changes_nothing() {
        for seed in 0..20 {
            for players in [2, 4] {
                let one = conclude(&test(None), players, 1, strength(30.0, seed));
                assert_game_pairs(&one.0);
                for jobs in [2, 8, 50] {
                    let other = conclude(&test(None), players, jobs, strength(30.0, seed));
                    assert_eq!(one, other, "{jobs} jobs");
                }
            }
        }
    }

    /// State of a finished test, and the number of pairs played.
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
    fn all_pairs_that_are_played_count() {
        for seed in 0..20 {
            for jobs in [1, 3, 8, 50] {
                let (state, played) = end(&test(None), jobs, strength(60.0, seed));
                assert_eq!(state.pairs.iter().sum::<u64>(), played, "{jobs} jobs");
                assert_eq!(state.end, Some(TestEnd::Bound));
            }
        }
    }

    #[test]
    fn with_many_jobs_many_pairs_are_played_at_a_time() {
        let Format::Sprt { test, .. } = test(None) else {
            unreachable!("it is one");
        };
        let mut schedule = SprtSchedule::new(2, 0, test, None);
        let mut begun = 0;
        while let NextGame::Issue(_) = schedule.next() {
            begun += 1;
        }
        assert!(begun >= 16, "{begun}");
    }

    #[test]
    fn pairs_that_are_all_equal_end_a_test_between_its_hypotheses() {
        let symmetric = Format::Sprt {
            challenger: 0,
            test: Sprt {
                elo0: -40.0,
                ..TEST
            },
            most_pairs: None,
        };
        for jobs in [1, 8] {
            let (state, played) = end(&symmetric, jobs, |_| GameResult::Won(Seat::FIRST));
            assert_eq!(state.verdict, SprtVerdict::Undecided);
            assert_eq!(state.end, Some(TestEnd::EqualPairs));
            assert_eq!(Some(played), state.test.most_equal_pairs());
        }
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
            assert_eq!(state.pairs.iter().sum::<u64>() + state.left_out, played);
            // In each three pairs, games 0 and 3 leave out the first two.
            assert_eq!(state.left_out, (2 * played).div_ceil(3));
        }
    }

    #[test]
    fn players_who_forfeit_every_game_end_a_test_undecided() {
        for (most_pairs, jobs, why, pairs) in [
            (None, 1, TestEnd::Forfeits, MOST_LEFT_OUT),
            (None, 200, TestEnd::Forfeits, MOST_LEFT_OUT),
            (Some(20), 1, TestEnd::MostPairs, 20),
        ] {
            let (state, played) = end(&test(most_pairs), jobs, |_| GameResult::Nobody);
            assert_eq!(state.end, Some(why));
            assert_eq!(state.verdict, SprtVerdict::Undecided);
            assert_eq!((state.pairs, state.left_out), ([0; 5], pairs));
            assert_eq!(played, pairs);
        }
    }

    #[test]
    fn it_ends_at_the_greatest_number_of_games() {
        let (state, played) = end(&test(Some(3)), 8, |_| GameResult::Drawn);
        assert_eq!(played, 3);
        assert_eq!(state.verdict, SprtVerdict::Undecided);
        assert_eq!(state.end, Some(TestEnd::MostPairs));
        assert_eq!(state.pairs, [0, 0, 3, 0, 0]);
    }
}
