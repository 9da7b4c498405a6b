//! The difference of two strengths, and the evidence of a game pair about it.

use crate::rating::fit::Expected;

/// Squared differences below this, in units of a game pair's variance, count as 0.
const SMALL: f64 = 1e-6;

/// A difference of strengths, and the evidence of a game pair about it.
#[derive(Debug, Clone, Copy)]
pub struct Difference {
    pub value: f64,
    pub variance: f64,
    /// Fisher's information of a game pair about the difference.
    pub information: f64,
    /// Points of the stronger player in a game pair, above the points of an equal one.
    pub excess: f64,
    /// Kullback and Leibler's information of a game pair against the two being equal.
    pub against_equal: f64,
}

impl Difference {
    /// A difference with this variance, where the first seat has this advantage.
    pub fn new(value: f64, variance: f64, advantage: f64, nu: f64) -> Self {
        let mut difference = Self {
            value,
            variance,
            information: 0.0,
            excess: 0.0,
            against_equal: 0.0,
        };
        for side in [advantage, -advantage] {
            let game = |apart: f64| Expected::new(apart + side, nu);
            let (now, equal) = (game(value.abs()), game(0.0));
            difference.information += now.weights().points;
            difference.excess += now.points - equal.points;
            difference.against_equal +=
                (now.points - 0.5) * value.abs() - (now.log_sum() - equal.log_sum());
        }
        difference
    }

    /// Factor, at least 1, by which the order of the two is more certain than the variance implies: the signed
    /// likelihood root over the difference in standard errors. A game between players far apart says little about
    /// their distance, but much about their order.
    fn certainty(&self) -> f64 {
        let square = self.information * self.value * self.value;
        if square > SMALL {
            (2.0 * self.against_equal / square).sqrt().max(1.0)
        } else {
            1.0
        }
    }
}

/// For each of these strengths, the factor by which its order relative to its nearest neighbour is more certain than
/// the variance implies.
pub fn order_certainty(
    strengths: &[f64],
    difference: impl Fn([usize; 2]) -> Difference,
) -> Vec<f64> {
    let mut sorted: Vec<(f64, usize)> = strengths.iter().copied().zip(0..).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut least = vec![f64::INFINITY; strengths.len()];
    for two in sorted.windows(2) {
        let certainty = difference([two[0].1, two[1].1]).certainty();
        for (_, at) in two {
            least[*at] = least[*at].min(certainty);
        }
    }
    least
        .iter_mut()
        .for_each(|it| *it = if it.is_finite() { *it } else { 1.0 });
    least
}
