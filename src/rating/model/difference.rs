//! The difference of two strengths, and the evidence of a game pair about it.

use super::outcome::Expected;

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
    /// likelihood root over the difference in standard errors.
    pub fn certainty(&self) -> f64 {
        let square = self.information * self.value * self.value;
        match square > SMALL {
            true => (2.0 * self.against_equal / square).sqrt().max(1.0),
            false => 1.0,
        }
    }
}
