//! A sequential test of the order of neighbours in a ranking, and the choice of the next game pairs.

use crate::rating::Interval;
use crate::rating::intervals::Ratings;
use crate::rating::math::brownian_motion::{End, StoppedMotion};
use crate::rating::model::Difference;

/// Values this close count as equal, so that rounding errors decide nothing.
const TOLERANCE: f64 = 1e-9;

/// Deviation of the mixture behind intervals after a test, in indifferences: intervals of differences of this size are
/// the narrowest when a test ends.
const MIXTURE: f64 = 5.0;

const OUTSIDE: f64 = 0.05;

/// A sequential test of the order of every two neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankingTest {
    /// The probability that an order is right, if it matters.
    pub confidence: f64,
    /// An order does not matter below this difference in Elo.
    pub indifference: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderVerdict {
    /// The one with the lower rating is not the stronger one by the indifference or more.
    Clear,
    Tied,
    Unclear,
}

impl RankingTest {
    /// Wald's bound on the log-likelihood ratio: an order is clear above it. The hypotheses are that one player or the
    /// other is stronger by the indifference (A. Wald, Annals of Mathematical Statistics 16, 1945).
    fn bound(&self) -> f64 {
        (self.confidence / (1.0 - self.confidence)).ln()
    }
}

#[derive(Debug, Clone, Copy)]
struct Scaled {
    bound: f64,
    indifference: f64,
    wrong: f64,
}

impl Difference {
    fn pairs(&self) -> f64 {
        1.0 / (self.variance * self.information)
    }

    /// Evidence for the order, relative to the bound: from 1 on, the order is clear.
    ///
    /// The log-likelihood ratio of the test is twice the indifference times the score, the derivative of the
    /// log-likelihood at 0. For small differences it is `2 × indifference × value / variance`.
    ///
    /// A great difference is clear earlier: when a confidence sequence for likelihoods excludes 0.
    fn clearness(&self, test: &Scaled) -> f64 {
        let ratio = 2.0 * test.indifference * self.pairs() * self.excess;
        let likelihood = self.pairs() * self.against_equal;
        (ratio / test.bound).max(likelihood / test.most_likelihood(1.0 / self.variance, test.wrong))
    }

    /// Two players are tied if two tests have accepted 0: against the indifference, and against its negative. For normal
    /// results the ratio of such a test is `indifference × (difference - indifference / 2) / variance`.
    fn verdict(&self, test: &Scaled) -> OrderVerdict {
        let equal = test.indifference / 2.0 - self.value.abs();
        if rounded(self.clearness(test)) >= 1.0 {
            OrderVerdict::Clear
        } else if rounded(equal * test.indifference / self.variance) >= test.bound {
            OrderVerdict::Tied
        } else {
            OrderVerdict::Unclear
        }
    }
}

impl Scaled {
    /// Bound on the log-likelihood ratio of the estimate to the truth. It holds at all moments of a tournament, with a
    /// probability of `1 - outside`. By a normal mixture (H. Robbins, "Statistical methods related to the law of the
    /// iterated logarithm", Annals of Mathematical Statistics 41, 1970).
    fn most_likelihood(&self, precision: f64, outside: f64) -> f64 {
        let before = (MIXTURE * self.indifference).powi(-2);
        let all = precision + before;
        all / precision * (all / (before * outside * outside)).ln() / 2.0
    }
}

impl Ratings {
    fn scaled(&self, test: &RankingTest) -> Scaled {
        Scaled {
            bound: test.bound(),
            indifference: test.indifference / self.scale(),
            wrong: 1.0 - test.confidence,
        }
    }

    fn difference_of(&self, [a, b]: [usize; 2]) -> Difference {
        let nu = self.nu();
        Difference::new(
            self.odds(a, b),
            self.variance_apart(a, b),
            self.advantage_in_units(),
            nu,
        )
    }

    pub fn order_verdict(&self, players: [usize; 2], test: &RankingTest) -> OrderVerdict {
        self.difference_of(players).verdict(&self.scaled(test))
    }

    /// The difference of two players in Elo with its 95 % interval, after games until a test had told all neighbours
    /// apart.
    ///
    /// The interval comes from a confidence sequence, which holds at whatever moment the games end.
    ///
    /// The estimate takes the difference, weighted with its precision, as a Brownian motion that ended at the bounds of
    /// the test or between them. A difference far beyond a bound did not end the games, so its correction is small.
    pub fn difference_after_test(&self, players: [usize; 2], test: &RankingTest) -> Interval {
        let test = self.scaled(test);
        let difference = self.difference_of(players);
        let precision = 1.0 / difference.variance;
        let weighted = difference.value * precision;
        let bound = test.bound / (2.0 * test.indifference);
        let reached = bound.max(weighted.abs());
        let end = if weighted.abs() < bound {
            End::Between(weighted)
        } else if weighted > 0.0 {
            End::High
        } else {
            End::Low
        };
        let middle = StoppedMotion::new([-reached, reached], 1.0, precision, end).drift(0.5);
        let corrected = difference.value + (middle - difference.value) * bound / reached;
        let margin = (2.0 * test.most_likelihood(precision, OUTSIDE) / precision).sqrt();
        let ends = [
            difference.value - margin,
            corrected,
            difference.value + margin,
        ];
        ends.map(|strength| strength * self.scale())
    }

    /// The players of up to `count` game pairs. Each pair goes to the neighbours with the least clear order, as if the
    /// pairs before had been played and left the strengths as they are. There are fewer than `count` if fewer are
    /// expected to make the order clear.
    pub fn least_clear_pairs(&self, test: &RankingTest, count: usize) -> Vec<[usize; 2]> {
        let test = self.scaled(test);
        let order = self.order();
        let mut neighbours: Vec<([usize; 2], Difference)> = order
            .windows(2)
            .map(|two| [two[0], two[1]])
            .map(|players| (players, self.difference_of(players)))
            .collect();
        let mut pairs = Vec::with_capacity(count);
        while pairs.len() < count {
            let unclear = neighbours
                .iter_mut()
                .filter(|(_, one)| one.verdict(&test) == OrderVerdict::Unclear);
            // Among equally unclear orders, the difference with the greatest variance.
            let least = unclear.min_by(|(_, a), (_, b)| {
                let clearness = |one: &Difference| rounded(one.clearness(&test));
                clearness(a)
                    .total_cmp(&clearness(b))
                    .then(rounded(b.variance).total_cmp(&rounded(a.variance)))
            });
            let Some((players, difference)) = least else {
                break;
            };
            pairs.push(*players);
            difference.variance = 1.0 / (1.0 / difference.variance + difference.information);
        }
        pairs
    }
}

fn rounded(value: f64) -> f64 {
    (value / TOLERANCE).round() * TOLERANCE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{GameCounter, Model, WinDrawLoss};

    const TEST: RankingTest = RankingTest {
        confidence: 0.95,
        indifference: 20.0,
    };

    /// Ratings of three players. Each two of them met for this many pairs of games, an even number: the
    /// first two won half of them each, and the third one lost all.
    fn ratings(pairs: u64) -> Ratings {
        let mut standings = GameCounter::default();
        for name in ["a", "b", "c"] {
            standings.add_player(name);
        }
        for pair in 0..pairs {
            let [better, worse] = if pair % 2 == 0 {
                ["a", "b"]
            } else {
                ["b", "a"]
            };
            for [winner, loser] in [[better, worse], ["a", "c"], ["b", "c"]] {
                for (first, score) in [(winner, WinDrawLoss::Win), (loser, WinDrawLoss::Loss)] {
                    let second = if first == winner { loser } else { winner };
                    standings.add_score([first, second], score);
                }
            }
        }
        Ratings::new(&standings.clone().standings(), Model::default())
    }

    #[test]
    fn players_whose_order_is_clear_get_no_games() {
        let ratings = ratings(20);
        assert_eq!(ratings.order(), [0, 1, 2]);
        assert_eq!(ratings.order_verdict([0, 1], &TEST), OrderVerdict::Unclear);
        assert_eq!(ratings.order_verdict([1, 2], &TEST), OrderVerdict::Clear);
        for pair in ratings.least_clear_pairs(&TEST, 10) {
            assert_eq!(pair, [0, 1]);
        }
    }

    #[test]
    fn equal_players_are_tied_after_enough_games() {
        let apart = |pairs| ratings(pairs).order_verdict([0, 1], &TEST);
        assert_eq!(apart(100), OrderVerdict::Unclear);
        assert_eq!(apart(4000), OrderVerdict::Tied);
    }

    #[test]
    fn a_difference_at_the_bound_is_corrected_and_one_far_beyond_it_is_hardly() {
        let ratings = ratings(20);
        let plain = ratings.difference(1, 2);
        // The indifference at which the difference is just clear.
        let indifference = TEST.bound() * plain.error.powi(2) / (2.0 * plain.elo) * 1.01;
        let after = |times: f64| {
            let test = RankingTest {
                indifference: times * indifference,
                ..TEST
            };
            let [low, middle, high] = ratings.difference_after_test([1, 2], &test);
            assert!(low < plain.low() && low < middle && middle < high && plain.high() < high);
            middle / plain.elo
        };
        let (near, far) = (after(1.0), after(20.0));
        assert!(near < 0.97, "{near}");
        assert!(near < far && far < 1.0, "{near} {far}");
    }
}
