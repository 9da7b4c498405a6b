//! A sequential test: game pairs are played until it is clear whether the challenger is stronger.

use crate::game::{GameResult, PerSeat, Seat};
use crate::schedule::tables::{BlockGame, BlockTest};
use crate::schedule::{Conclusion, GameCount, NextGame, Schedule, TestState, Ticket};

/// A sequential probability ratio test of one challenger against all other players in turn, in blocks: game pairs, or
/// in a game of more than two seats, tables whose other seats have copies of one player. Blocks with a game that all
/// players forfeited do not count: such a game is no evidence of strength.
#[derive(Debug, Clone)]
pub struct SprtSchedule {
    challenger: usize,
    opponents: Vec<usize>,
    test: BlockTest,
}

impl SprtSchedule {
    /// A test of `challenger` among `players`.
    pub fn new(players: usize, challenger: usize, test: BlockTest) -> Self {
        Self {
            challenger,
            opponents: (0..players)
                .filter(|player| *player != challenger)
                .collect(),
            test,
        }
    }

    /// The seat of the challenger in a game.
    fn seat(&self, id: u64) -> Seat {
        // The remainder is below the number of seats.
        Seat::numbered((id % self.test.seats() as u64) as u8)
    }
}

impl Schedule for SprtSchedule {
    fn next(&mut self) -> NextGame {
        let (id, pair) = match self.test.next() {
            BlockGame::Issue { id, block } => (id, block),
            BlockGame::Wait => return NextGame::Wait,
            BlockGame::Done => return NextGame::Done,
        };
        let other = self.opponents[(pair % self.opponents.len() as u64) as usize];
        let mut players = PerSeat::of(self.test.seats(), |_| other);
        players[self.seat(id)] = self.challenger;
        NextGame::Issue(Ticket {
            id,
            pair,
            round: None,
            players,
        })
    }

    fn record(&mut self, id: u64, result: GameResult) {
        let opponents = self.test.seats() - 1;
        let share = result.share(self.seat(id));
        // A share is a whole number of halves of the opponents, but for rounding.
        let half_opponents = (share * 2.0 * opponents as f64).round() as usize;
        self.test
            .record(id, half_opponents, result == GameResult::Nobody);
    }

    fn count(&self) -> GameCount {
        self.test.count()
    }

    fn conclusion(&self) -> Option<Conclusion> {
        self.test().map(Conclusion::Test)
    }

    fn test(&self) -> Option<TestState> {
        Some(TestState {
            challenger: self.challenger,
            test: self.test.test(),
            scores: self.test.scores().clone(),
            left_out: self.test.left_out(),
            llr: self.test.llr(),
            verdict: self.test.verdict(),
            end: self.test.end(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{EloModel, Sprt, SprtVerdict};
    use crate::schedule::tables::MOST_LEFT_OUT;
    use crate::schedule::testing::{assert_game_pairs, conclude, mixed};
    use crate::schedule::{Format, TestEnd};

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
            seats: 2,
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
                assert_eq!(state.scores.blocks(), played, "{jobs} jobs");
                assert_eq!(state.end, Some(TestEnd::Bound));
            }
        }
    }

    #[test]
    fn with_many_jobs_many_pairs_are_played_at_a_time() {
        let Format::Sprt { test, .. } = test(None) else {
            unreachable!("it is one");
        };
        let mut schedule = SprtSchedule::new(2, 0, BlockTest::new(2, test, None));
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
            seats: 2,
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
            assert_eq!(state.scores.blocks() + state.left_out, played);
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
            assert_eq!((state.scores.blocks(), state.left_out), (0, pairs));
            assert_eq!(played, pairs);
        }
    }

    #[test]
    fn it_ends_at_the_greatest_number_of_games() {
        let (state, played) = end(&test(Some(3)), 8, |_| GameResult::Drawn);
        assert_eq!(played, 3);
        assert_eq!(state.verdict, SprtVerdict::Undecided);
        assert_eq!(state.end, Some(TestEnd::MostPairs));
        assert_eq!(state.scores.counts(), [0, 0, 3, 0, 0]);
    }
}
