//! A sequential test: game pairs are played until it is clear whether the challenger is stronger.

use std::collections::VecDeque;

use super::{Conclusion, GameCount, NextGame, Schedule, TestState, Ticket};
use crate::game::GameResult;
use crate::rating::{MatchScore, Sprt, SprtVerdict, Tally};

/// How many game pairs can be begun after the last pair that is counted. This number is fixed, and does
/// not depend on the number of jobs, so that any number of jobs plays the same games.
const MAX_PAIRS_AHEAD: u64 = 8;

/// A sequential probability ratio test of one challenger against all other players in turn, in game
/// pairs. Pairs are counted in the order of their numbers, and only some are begun before they can be
/// counted.
#[derive(Debug, Clone)]
pub(super) struct SprtSchedule {
    challenger: usize,
    opponents: Vec<usize>,
    test: Sprt,
    most_pairs: Option<u64>,
    /// How many pairs can be begun after the last one that is counted.
    ahead: u64,
    issued: u64,
    /// The pairs that are begun and not counted.
    open: VecDeque<OpenPair>,
    counted: u64,
    /// How many of the counted pairs brought 0, ½, 1, 1½ and 2 points.
    results: [u64; 5],
    llr: f64,
    verdict: SprtVerdict,
}

#[derive(Debug, Clone, Copy, Default)]
struct OpenPair {
    /// Of the challenger.
    half_points: usize,
    games: u8,
}

impl SprtSchedule {
    /// A test of `challenger` among `players`, of at most `most_pairs` game pairs.
    pub fn new(players: usize, challenger: usize, test: Sprt, most_pairs: Option<u64>) -> Self {
        Self {
            challenger,
            opponents: (0..players)
                .filter(|player| *player != challenger)
                .collect(),
            test,
            most_pairs,
            ahead: MAX_PAIRS_AHEAD,
            issued: 0,
            open: VecDeque::new(),
            counted: 0,
            results: [0; 5],
            llr: 0.0,
            verdict: SprtVerdict::Undecided,
        }
    }

    /// Has so many pairs begun before they can be counted.
    pub fn ahead(self, pairs: u64) -> Self {
        let ahead = pairs.max(MAX_PAIRS_AHEAD);
        Self { ahead, ..self }
    }

    fn is_decided(&self) -> bool {
        self.verdict != SprtVerdict::Undecided
    }

    fn count_complete_pairs(&mut self) {
        while !self.is_decided()
            && let Some(pair) = self.open.pop_front_if(|pair| pair.games == 2)
        {
            self.counted += 1;
            self.results[pair.half_points.min(4)] += 1;
            self.llr = self.test.llr(&MatchScore {
                pairs: self.results,
                singles: Tally::default(),
            });
            self.verdict = self.test.verdict(self.llr);
        }
    }
}

impl Schedule for SprtSchedule {
    fn next(&mut self) -> NextGame {
        let pair = self.issued / 2;
        let in_reach = pair < self.counted + self.ahead;
        // The second game of a pair is always played. So is every pair in reach of the last counted one:
        // with more jobs it would have been begun before the verdict.
        let ended =
            self.most_pairs.is_some_and(|most| pair >= most) || (self.is_decided() && !in_reach);
        if ended && self.issued.is_multiple_of(2) {
            return NextGame::Done;
        }
        if !in_reach {
            return NextGame::Wait;
        }
        let id = self.issued;
        self.issued += 1;
        if id.is_multiple_of(2) {
            self.open.push_back(OpenPair::default());
        }
        let other = self.opponents[(pair % self.opponents.len() as u64) as usize];
        let players = [self.challenger, other];
        NextGame::Issue(Ticket {
            id,
            pair,
            round: None,
            players: match id.is_multiple_of(2) {
                true => players,
                false => [other, self.challenger],
            },
        })
    }

    fn record(&mut self, id: u64, result: GameResult) {
        let index = (id / 2).checked_sub(self.counted);
        let open = index.and_then(|index| self.open.get_mut(index as usize));
        if let Some(pair) = open {
            pair.half_points += (result.points()[(id % 2) as usize] * 2.0) as usize;
            pair.games += 1;
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
            llr: self.llr,
            verdict: self.verdict,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::testing::{assert_game_pairs, conclude, mixed};
    use super::*;
    use crate::game::Seat;

    const TEST: Sprt = Sprt {
        elo0: 0.0,
        elo1: 40.0,
        alpha: 0.05,
        beta: 0.1,
    };

    /// Results of a challenger that is stronger by this many Elo. A third of the games is drawn, and
    /// openings favour one seat. Each result depends only on the number of its game.
    fn strength(elo: f64, seed: u64) -> impl FnMut(&Ticket) -> GameResult {
        let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        move |ticket| {
            let draw =
                |number: u64| (mixed(seed << 24 | number) >> 11) as f64 / (1_u64 << 53) as f64;
            let bias = (draw(1 << 20 | ticket.pair) - 0.5) * 0.4;
            let seat = usize::from(ticket.players[0] != 0);
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

    #[test]
    fn it_ends_at_the_greatest_number_of_games() {
        let (games, end) = conclude(&test(Some(3)), 2, 8, |_| GameResult::Drawn);
        assert_eq!(games.len(), 6);
        let Some(Conclusion::Test(state)) = end else {
            panic!("{end:?}");
        };
        assert_eq!(state.verdict, SprtVerdict::Undecided);
        assert_eq!(state.pairs, [0, 0, 3, 0, 0]);
    }
}
