//! A sequential test of whether a mean reaches a bound, for results from 0 to 1 of any distribution.

use super::within;

/// Weight of the first guess of mean and variance, in results.
const GUESS: f64 = 4.0;

/// A bet risks at most this part of what it has won, so that no single result ends it.
const STAKE: f64 = 0.75;

/// Hypotheses are kept this far from 0 and 1, where a single result would refute them.
const EDGE: f64 = 1e-3;

/// A test of "the mean is at most `low`" against "the mean is at least `high`".
///
/// It bets against each hypothesis, and ends when one bet has won `1 / error` times its stake. A bet multiplies
/// its money by `1 + λ (result - low)`. If the mean is at most `low`, no choice of `λ` makes that grow on
/// average, so it ever reaches `1 / error` with a probability of at most `error` (J. Ville, 1939), whatever the
/// distribution is. `λ` is chosen from the results before, to grow fast where they lie above `low`: mean
/// distance divided by mean square. (I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random
/// variables by betting", Journal of the Royal Statistical Society B 86, 2024. With 0 and 1 as the only results
/// and a fixed `λ`, this is the test of A. Wald, Annals of Mathematical Statistics 16, 1945.)
#[derive(Debug, Clone)]
pub(super) struct SequentialTest {
    low: f64,
    high: f64,
    /// Logarithm of the factor that a bet must win.
    goal: f64,
    variance: f64,
    results: f64,
    sum: f64,
    squares: f64,
    /// Logarithms of the factors that the bets against `low` and `high` have won.
    won: [f64; 2],
    verdict: Option<bool>,
}

impl SequentialTest {
    /// A test of `share - margin` against `share + margin`, each wrong with a probability of at most `error`.
    pub(super) fn new(share: f64, margin: f64, error: f64) -> Self {
        let inside = |bound: f64| within(bound, EDGE, 1.0 - EDGE);
        let share = inside(share);
        Self {
            low: inside(share - margin),
            high: inside(share + margin),
            goal: -within(error, 0.0, 1.0).ln(),
            variance: share * (1.0 - share) / 2.0,
            results: 0.0,
            sum: 0.0,
            squares: 0.0,
            won: [0.0; 2],
            verdict: None,
        }
    }

    /// Takes the next result, and returns the verdict if there is one: whether the mean is high. Results
    /// after a verdict change nothing.
    pub(super) fn add(&mut self, result: f64) -> Option<bool> {
        if self.verdict.is_none() {
            self.won[0] += self.bet(self.low, self.high, |x| x, result);
            self.won[1] += self.bet(1.0 - self.high, 1.0 - self.low, |x| 1.0 - x, result);
            self.results += 1.0;
            self.sum += result;
            self.squares += result * result;
            let [high, low] = self.won;
            if high.max(low) >= self.goal {
                self.verdict = Some(high >= low);
            }
        }
        self.verdict
    }

    /// The likelier side, with or without a verdict: whether the mean is high. It is not while both bets have won
    /// alike.
    pub(super) fn likelier(&self) -> bool {
        let [high, low] = self.won;
        high > low
    }

    /// Logarithm of the factor by which a bet on a mean above `bound` multiplies its money. `guess` is the expected mean
    /// without results. `turned` turns results for the bet on a low mean.
    fn bet(&self, bound: f64, guess: f64, turned: fn(f64) -> f64, result: f64) -> f64 {
        let weight = self.results + GUESS;
        let mean = self.sum / self.results.max(1.0);
        let spread = (self.squares - self.results * mean * mean).max(0.0);
        let variance = (GUESS * self.variance + spread) / weight;
        let expected = (GUESS * guess + self.results * turned(mean)) / weight;
        let distance = expected - bound;
        let wanted = distance / (variance + distance * distance);
        let part = within(wanted, 0.0, STAKE / bound);
        (part * (turned(result) - bound)).ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(results: &[f64]) -> SequentialTest {
        let mut test = SequentialTest::new(0.5, 0.05, 0.01);
        for result in results {
            test.add(*result);
        }
        test
    }

    /// The errors hold for any distribution because a bet against a true hypothesis wins nothing on average, after any
    /// results.
    #[test]
    fn a_bet_against_a_true_hypothesis_is_fair() {
        let histories: [&[f64]; 5] = [
            &[],
            &[1.0; 9],
            &[0.0, 0.0, 1.0],
            &[0.5; 12],
            &[0.7, 0.25, 0.2],
        ];
        // Distributions of mean 0.45: results with their probabilities.
        let distributions: [&[(f64, f64)]; 3] = [
            &[(0.0, 0.55), (1.0, 0.45)],
            &[(0.0, 0.4), (0.5, 0.3), (1.0, 0.3)],
            &[(0.45, 1.0)],
        ];
        for history in histories {
            let test = after(history);
            for distribution in distributions {
                let expected = |turned: fn(f64) -> f64| -> f64 {
                    let outcomes = distribution.iter();
                    let won = outcomes.map(|(result, probability)| {
                        let won = test.bet(0.45, 0.55, turned, turned(*result));
                        probability * won.exp()
                    });
                    won.sum()
                };
                assert!((expected(|x| x) - 1.0).abs() < 1e-12, "{history:?}");
                assert!((expected(|x| 1.0 - x) - 1.0).abs() < 1e-12, "{history:?}");
            }
        }
    }

    #[test]
    fn equal_results_decide_late_or_never() {
        assert_eq!(after(&[1.0; 5]).verdict, None);
        assert_eq!(after(&[1.0; 12]).verdict, Some(true));
        assert_eq!(after(&[0.0; 12]).verdict, Some(false));
        assert_eq!(after(&[0.5; 12]).verdict, None);
    }

    #[test]
    fn the_likelier_side_is_that_of_the_bet_that_won_more() {
        assert!(!after(&[]).likelier());
        assert!(after(&[1.0]).likelier());
        assert!(after(&[1.0, 1.0, 0.0].repeat(10)).likelier());
        assert!(!after(&[0.0]).likelier());
        assert!(!after(&[1.0, 0.0, 0.0].repeat(10)).likelier());
        assert!(!after(&[1.0, 0.0]).likelier());
    }
}
