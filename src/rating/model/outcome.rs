//! Expected outcomes of one game.

/// Second derivatives of the log-likelihood of one game, with the opposite sign: by the log odds twice, by the log
/// odds and `δ`, by `δ` twice. They are also the covariance of points and draws.
#[derive(Debug, Clone, Copy, Default)]
pub struct Weights {
    pub points: f64,
    pub mixed: f64,
    pub draws: f64,
}

/// Expectations of the model for one game.
#[derive(Debug, Clone, Copy)]
pub struct Expected {
    /// Points of the first player.
    pub points: f64,
    /// Probability of a draw.
    pub draw: f64,
    /// Logarithm of the favourite's weight.
    pub log_favourite: f64,
    /// Sum of the outcomes' weights, as a multiple of the favourite's.
    pub sum: f64,
}

impl Expected {
    /// Expectations for a game with these log odds. `nu` is 0 in a game without draws.
    pub fn new(odds: f64, nu: f64) -> Self {
        // All weights are divided by the favourite's, so that none overflows.
        let root = (-odds.abs() / 2.0).exp();
        let (outsider, draw) = (root * root, nu * root);
        let sum = 1.0 + outsider + draw;
        let favourite = (1.0 + draw / 2.0) / sum;
        Self {
            points: if odds >= 0.0 {
                favourite
            } else {
                1.0 - favourite
            },
            draw: draw / sum,
            log_favourite: odds.abs() / 2.0,
            sum,
        }
    }

    /// Logarithm of the sum of the outcomes' weights.
    pub fn log_sum(self) -> f64 {
        self.log_favourite + self.sum.ln()
    }

    /// Covariance of points and draws.
    pub fn weights(self) -> Weights {
        // P(win) + P(draw)/4 - E², with P(win) = E - P(draw)/2.
        Weights {
            points: self.points * (1.0 - self.points) - self.draw / 4.0,
            mixed: self.draw * (0.5 - self.points),
            draws: self.draw * (1.0 - self.draw),
        }
    }
}
