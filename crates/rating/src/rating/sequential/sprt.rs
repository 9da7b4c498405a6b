//! The sequential probability ratio test of a match.

use super::{BlockScores, TestUnit};
use crate::rating::Interval;
use crate::rating::games::{elo_of_score, moments};
use crate::rating::math::brownian_motion::{End, StoppedMotion};
use crate::rating::math::constrained_likelihood::{with_mean, with_t};

crate::named! {
    #[derive(Default)]
    pub enum EloModel {
        #[default]
        Logistic = "logistic",
        /// Normalized Elo, as in [`MatchScore::normalized_elo`](crate::rating::MatchScore::normalized_elo).
        Normalized = "normalized",
    }
}

impl EloModel {
    pub fn most_elo(self) -> f64 {
        match self {
            Self::Logistic => 1000.0,
            Self::Normalized => 200.0,
        }
    }
}

/// A sequential test between two hypotheses about how much stronger a player is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    pub elo0: f64,
    /// The difference under the second hypothesis, above the first one.
    pub elo1: f64,
    /// The greatest probability of accepting the second where the first is true.
    pub alpha: f64,
    /// The greatest probability of accepting the first where the second is true.
    pub beta: f64,
    pub model: EloModel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SprtVerdict {
    AcceptElo0,
    AcceptElo1,
    Undecided,
}

/// The difference after a sequential test, corrected for the rule by which it stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtEstimate {
    /// In Elo by the classical curve. Infinite where the score, or an end of its interval, is 0 or 1.
    pub elo: Interval,
    pub normalized_elo: Interval,
}

/// Corrects the ratio of few results. The ratio divides by the variance, which is estimated from the
/// same results. The inverse of such an estimate from `n` results is too large by `n / (n - 3)` on
/// average (the mean of an inverse chi-squared variable with n - 1 degrees of freedom, times n).
const BIAS: f64 = 3.0;

/// By how many standard deviations of a step a random walk is beyond a bound when it ends, on average
/// (D. Siegmund, *Sequential Analysis*, 1985, chapter X: `-ζ(½) / √(2π)`).
const OVERSHOOT: f64 = 0.583;

/// The greatest share of a bound by which it is moved in.
const MOST_MOVED: f64 = 0.5;

/// Upper bound on the stretch of bounds in [`Sprt::estimate`]. A few results can make it huge.
const MOST_STRETCH: f64 = 4.0;

/// Upper bound on the effect of rounding errors and [`NOT_YET`] on a ratio.
const SLACK: f64 = 0.01;

/// Count of a result that has not occurred: it is still possible.
const NOT_YET: f64 = 1e-3;

impl Sprt {
    /// The logarithm of the likelihood ratio of the second hypothesis to the first. Each hypothesis fixes a mean, or a
    /// mean in standard deviations above one half. Pairs and single games have the most likely distribution with it. (M. Van den Bergh, "The Generalized Sequential Probability Ratio Test",
    /// 2018, and "Normalized Elo", 2021.)
    pub fn llr(&self, scores: &BlockScores) -> f64 {
        let [block, game] = TestUnit::of(scores);
        self.llr_of(scores.counts(), block) + self.llr_of(&scores.singles, game)
    }

    fn llr_of(&self, counts: &[u64], unit: TestUnit) -> f64 {
        if counts.iter().all(|count| *count == 0) {
            return 0.0;
        }
        let counts: Vec<f64> = counts.iter().map(|n| (*n as f64).max(NOT_YET)).collect();
        let [one, two] = self.hypotheses(unit).map(|value| match self.model {
            EloModel::Logistic => with_mean(&counts, value),
            EloModel::Normalized => with_t(&counts, value),
        });
        let ratios = one.iter().zip(&two).map(|(one, two)| (two / one).ln());
        let llr: f64 = counts.iter().zip(ratios).map(|(n, ratio)| n * ratio).sum();
        let total: f64 = counts.iter().sum();
        llr * (total - BIAS).max(0.0) / total
    }

    /// Means of a unit under both hypotheses, or means in standard deviations above one half.
    fn hypotheses(&self, unit: TestUnit) -> [f64; 2] {
        [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)),
            EloModel::Normalized => elo * unit.deviations_per_elo(),
        })
    }

    /// The bounds of Wald, `ln(β / (1 - α))` and `ln((1 - β) / α)`: right for a ratio that changes
    /// continuously (A. Wald, Annals of Mathematical Statistics 16, 1945).
    fn walds_bounds(&self) -> [f64; 2] {
        [
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        ]
    }

    /// The test ends when its ratio falls to the first bound or rises to the second: Wald's bounds, moved in by the mean
    /// overshoot.
    pub fn bounds(&self, scores: &BlockScores) -> [f64; 2] {
        let [block, game] = TestUnit::of(scores);
        self.bounds_by_step(match scores.blocks() {
            0 => self.step(&scores.singles, 0, game),
            _ => self.step(scores.counts(), 0, block),
        })
    }

    fn bounds_by_step(&self, step: f64) -> [f64; 2] {
        self.walds_bounds().map(|bound| {
            let moved = (OVERSHOOT * step).min(MOST_MOVED * bound.abs());
            bound - moved.copysign(bound)
        })
    }

    /// Upper bound on the standard deviation of the ratio's change by one result, given known results and the number of
    /// `unknown` ones. One result of the greatest variance is added, so that few results decide nothing.
    fn step(&self, counts: &[u64], unknown: u64, unit: TestUnit) -> f64 {
        let [one, two] = self.hypotheses(unit);
        match self.model {
            EloModel::Logistic => (two - one) / variance(counts, unknown, unit).sqrt(),
            EloModel::Normalized => two - one,
        }
    }

    pub fn verdict(&self, scores: &BlockScores) -> SprtVerdict {
        Self::verdict_at(self.llr(scores), self.bounds(scores))
    }

    pub fn verdict_at(llr: f64, [low, high]: [f64; 2]) -> SprtVerdict {
        if llr <= low {
            SprtVerdict::AcceptElo0
        } else if llr >= high {
            SprtVerdict::AcceptElo1
        } else {
            SprtVerdict::Undecided
        }
    }

    /// Whether the test stays undecided for all blocks between `least` and `most`, one by one. `known` are the blocks
    /// that are equal in both.
    ///
    /// The ratio rises with the points of each block, so the two ends are enough. No results vary less than the known
    /// ones alone.
    pub fn is_open_between(
        &self,
        known: &BlockScores,
        least: &BlockScores,
        most: &BlockScores,
    ) -> bool {
        let [block, _] = TestUnit::of(known);
        let unknown = most.blocks() - known.blocks();
        let [low, high] = self.bounds_by_step(self.step(known.counts(), unknown, block));
        self.llr(least) > low + SLACK && self.llr(most) < high - SLACK
    }

    /// The number of pairs after which both hypotheses are rejected if all pairs were 1-1. Between the hypotheses the
    /// ratio need not move then.
    ///
    /// If a share `q` of pairs is not 1-1, `n` pairs are all 1-1 with a probability of `(1 - q)^n`. That is below α and β
    /// for `q` above `-ln(min(α, β)) / n`. A pair is worth at most ½ more or less than one half: the mean is at most
    /// `q / 2` from it, and at most `√(q / (1 - q))` standard deviations.
    pub fn most_equal_blocks(&self, seats: usize) -> Option<u64> {
        if !(self.elo0 < 0.0 && self.elo1 > 0.0) {
            return None;
        }
        let [one, two] = self.hypotheses(TestUnit::block(seats));
        let share = match self.model {
            EloModel::Logistic => 2.0 * (0.5 - one).min(two - 0.5),
            EloModel::Normalized => {
                let nearest = one.abs().min(two);
                nearest * nearest / (1.0 + nearest * nearest)
            }
        };
        Some((-self.alpha.min(self.beta).ln() / share).ceil() as u64)
    }

    /// The difference after a test of these blocks: median-unbiased given the time and the bound of its end, with a
    /// 95 % interval. `None` if there are too few blocks, or all had equal points.
    ///
    /// The ratio is taken as a Brownian motion between Wald's bounds, which the moved bounds approximate.
    pub fn estimate(&self, scores: &BlockScores) -> Option<SprtEstimate> {
        let ([unit, _], counts) = (TestUnit::of(scores), scores.counts());
        let found = moments(counts);
        let time = found.count - BIAS;
        if time <= 0.0 || found.variance <= 0.0 {
            return None;
        }
        let deviation = found.variance.sqrt();
        let [one, two] = self.hypotheses(unit);
        // In one step the ratio moves by `scale × (value - middle)` on average, with this deviation.
        let (step, scale) = match self.model {
            EloModel::Logistic => ((two - one) / deviation, (two - one) / found.variance),
            EloModel::Normalized => (two - one, two - one),
        };
        let value = match self.model {
            EloModel::Logistic => found.mean,
            EloModel::Normalized => (found.mean - 0.5) / deviation,
        };
        let moved = scale * time * (value - f64::midpoint(one, two));
        let ratio = self.llr_of(counts, unit);
        // Far from both hypotheses the ratio moves less or more than a motion with this drift. So the bounds are
        // stretched to the place of the motion at the end.
        let stretch = if moved * ratio > 0.0 {
            (moved / ratio).clamp(1.0 / MOST_STRETCH, MOST_STRETCH)
        } else {
            1.0
        };
        let bounds @ [low, high] = self.walds_bounds().map(|bound| stretch * bound);
        let end = match Self::verdict_at(ratio, self.bounds_by_step(self.step(counts, 0, unit))) {
            SprtVerdict::AcceptElo0 => End::Low,
            SprtVerdict::AcceptElo1 => End::High,
            SprtVerdict::Undecided => End::Between(moved.clamp(low, high)),
        };
        let drifts = StoppedMotion::new(bounds, step, time, end).drifts();
        let values = drifts.map(|drift| drift / scale + f64::midpoint(one, two));
        Some(match self.model {
            EloModel::Logistic => SprtEstimate {
                elo: values.map(|score| elo_of_score(score.clamp(0.0, 1.0))),
                normalized_elo: values
                    .map(|score| (score - 0.5) / deviation / unit.deviations_per_elo()),
            },
            EloModel::Normalized => SprtEstimate {
                elo: values.map(|t| elo_of_score((0.5 + t * deviation).clamp(0.0, 1.0))),
                normalized_elo: values.map(|t| t / unit.deviations_per_elo()),
            },
        })
    }
}

/// Lower bound on the variance of these results and the unknown ones, with one result of the greatest variance.
fn variance(counts: &[u64], unknown: u64, unit: TestUnit) -> f64 {
    let found = moments(counts);
    (found.count * found.variance + unit.variance()) / (found.count + unknown as f64 + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::games::{MatchScore, Tally};

    const TEST: Sprt = Sprt {
        elo0: 0.0,
        elo1: 5.0,
        alpha: 0.05,
        beta: 0.05,
        model: EloModel::Logistic,
    };

    fn pairs(pairs: [u64; 5]) -> BlockScores {
        BlockScores::of_match(&MatchScore {
            pairs,
            singles: Tally::default(),
        })
    }

    #[test]
    fn results_that_have_not_occurred_and_few_results_decide_nothing() {
        let test = Sprt { elo1: 40.0, ..TEST };
        let even = test.llr(&pairs([5, 20, 50, 20, 5]));
        assert!(even < 0.0, "{even}");
        let strong = test.llr(&pairs([5, 15, 40, 30, 10]));
        assert!(strong > 0.0, "{strong}");
        // Two pairs that were won 2:0 change nothing, and five decide nothing.
        assert!(test.llr(&pairs([0, 0, 0, 0, 2])).abs() < 1e-9);
        let won = test.llr(&pairs([0, 0, 0, 0, 5]));
        assert!((0.1..1.0).contains(&won), "{won}");
    }

    #[test]
    fn equal_pairs_end_every_test() {
        for model in EloModel::ALL {
            for (elo0, elo1) in [
                (-20.0, 20.0),
                (-5.0, 5.0),
                (-10.0, 60.0),
                (0.0, 20.0),
                (-20.0, 0.0),
                (5.0, 30.0),
            ] {
                let test = Sprt {
                    elo0,
                    elo1,
                    model,
                    ..TEST
                };
                let most = test.most_equal_blocks(2).unwrap_or(40_000);
                let decided = test.verdict(&pairs([0, 0, most, 0, 0]));
                assert_eq!(
                    test.most_equal_blocks(2).is_some(),
                    elo0 < 0.0 && elo1 > 0.0
                );
                assert!(
                    test.most_equal_blocks(2).is_some() || decided != SprtVerdict::Undecided,
                    "{test:?}"
                );
            }
        }
        let test = Sprt {
            elo0: -20.0,
            elo1: 20.0,
            ..TEST
        };
        // A share of 1 / 52 of pairs that are won moves the mean by less than 20 Elo.
        assert_eq!(test.most_equal_blocks(2), Some(53));
    }

    fn all_results(pairs: u64) -> Vec<[u64; 5]> {
        let mut all = Vec::new();
        for a in 0..=pairs {
            for b in 0..=pairs - a {
                for c in 0..=pairs - a - b {
                    for d in 0..=pairs - a - b - c {
                        all.push([a, b, c, d, pairs - a - b - c - d]);
                    }
                }
            }
        }
        all
    }

    #[test]
    fn what_is_open_between_all_won_and_all_lost_is_open_for_all_results_between() {
        let plus = |one: [u64; 5], two: [u64; 5]| [0, 1, 2, 3, 4].map(|at| one[at] + two[at]);
        let mut open = 0;
        for model in EloModel::ALL {
            for (elo0, elo1) in [(0.0, 40.0), (-20.0, 20.0), (0.0, 100.0)] {
                let test = Sprt {
                    elo0,
                    elo1,
                    model,
                    ..TEST
                };
                for known in [
                    [0; 5],
                    [0, 0, 30, 0, 0],
                    [1, 0, 40, 2, 0],
                    [5, 12, 30, 18, 8],
                    [20, 0, 10, 0, 22],
                    [3, 3, 80, 9, 3],
                ] {
                    for unknown in 1..5 {
                        let least = plus(known, [unknown, 0, 0, 0, 0]);
                        let most = plus(known, [0, 0, 0, 0, unknown]);
                        let [all_known, least, most] = [known, least, most].map(pairs);
                        if !test.is_open_between(&all_known, &least, &most) {
                            continue;
                        }
                        open += 1;
                        for more in all_results(unknown) {
                            let games = pairs(plus(known, more));
                            assert_eq!(
                                test.verdict(&games),
                                SprtVerdict::Undecided,
                                "{test:?} {known:?} {more:?}"
                            );
                        }
                    }
                }
            }
        }
        assert!(open > 30, "{open}");
    }
}
