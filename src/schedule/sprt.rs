//! A sequential test: plays until it is clear whether the challenger is stronger.

use super::{Conclusion, Next, Schedule, Ticket};
use crate::game::GameResult;
use crate::rating::{MatchScore, Sprt as Test, SprtVerdict, Tally};

/// How many game pairs may be begun beyond the last whose result is taken into account. It is fixed,
/// and not the number of jobs, so that any number of jobs plays the same games.
const AHEAD: u64 = 8;

/// A sequential probability ratio test of one challenger against all other players in turn, in game
/// pairs. Pairs are taken into account in the order of their numbers, and no pair is begun that is
/// more than [`AHEAD`] pairs beyond those.
#[derive(Debug, Clone)]
pub(super) struct Sprt {
    challenger: usize,
    field: Vec<usize>,
    test: Test,
    most_pairs: u64,
    issued: u64,
    /// The challenger's half points and the games that came in, of the pairs from `counted` on.
    open: std::collections::VecDeque<(usize, u8)>,
    counted: u64,
    results: [u64; 5],
    llr: f64,
    verdict: Option<bool>,
}

impl Sprt {
    /// A test of `challenger` among `players`, of at most that many game pairs.
    pub fn new(players: usize, challenger: usize, test: Test, most_pairs: Option<u64>) -> Self {
        Self {
            challenger,
            field: (0..players)
                .filter(|player| *player != challenger)
                .collect(),
            test,
            most_pairs: most_pairs.unwrap_or(u64::MAX / 2),
            issued: 0,
            open: Default::default(),
            counted: 0,
            results: [0; 5],
            llr: 0.0,
            verdict: None,
        }
    }

    fn count(&mut self) {
        while self.verdict.is_none()
            && let Some((half_points, 2)) = self.open.front().copied()
        {
            self.open.pop_front();
            self.counted += 1;
            self.results[half_points.min(4)] += 1;
            self.llr = self.test.llr(&MatchScore {
                pairs: self.results,
                singles: Tally::default(),
            });
            self.verdict = match self.test.verdict(self.llr) {
                SprtVerdict::First => Some(false),
                SprtVerdict::Second => Some(true),
                SprtVerdict::Open => None,
            };
        }
    }
}

impl Schedule for Sprt {
    fn next(&mut self) -> Next {
        let pair = self.issued / 2;
        let in_reach = pair < self.counted + AHEAD;
        // The second game of a pair that was begun is played in any case, and so is every pair in
        // reach of those that led to the verdict: they might have been begun already.
        let ended = pair >= self.most_pairs || (self.verdict.is_some() && !in_reach);
        if ended && self.issued.is_multiple_of(2) {
            return Next::Done;
        }
        if !in_reach {
            return Next::Wait;
        }
        let id = self.issued;
        self.issued += 1;
        if id.is_multiple_of(2) {
            self.open.push_back((0, 0));
        }
        let other = self.field[(pair % self.field.len() as u64) as usize];
        let players = [self.challenger, other];
        Next::Issue(Ticket {
            id,
            pair,
            players: match id.is_multiple_of(2) {
                true => players,
                false => [other, self.challenger],
            },
        })
    }

    fn record(&mut self, id: u64, result: GameResult) {
        let index = (id / 2).checked_sub(self.counted);
        let open = index.and_then(|index| self.open.get_mut(index as usize));
        if let Some((half_points, games)) = open {
            *half_points += (result.points()[(id % 2) as usize] * 2.0) as usize;
            *games += 1;
        }
        self.count();
    }

    fn total(&self) -> Option<u64> {
        None
    }

    fn conclusion(&self) -> Option<Conclusion> {
        Some(Conclusion::Test {
            challenger: self.challenger,
            test: self.test,
            pairs: self.results,
            llr: self.llr,
            stronger: self.verdict,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::testing::{assert_game_pairs, conclude};
    use super::*;
    use crate::game::Seat;

    const TEST: Test = Test {
        elo0: 0.0,
        elo1: 40.0,
        alpha: 0.05,
        beta: 0.1,
    };

    /// Results of a challenger that is so much stronger, with a third of the games drawn, and openings
    /// that favour one seat: drawn for each game from its number.
    fn strength(elo: f64, seed: u64) -> impl FnMut(&Ticket) -> GameResult {
        let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        move |ticket| {
            let draw = |number: u64| {
                let mut z = (seed << 24 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
            };
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
        let Some(Conclusion::Test {
            stronger, pairs, ..
        }) = end
        else {
            panic!("{end:?}");
        };
        assert_eq!((stronger, pairs), (None, [0, 0, 3, 0, 0]));
    }
}
