//! The joint covariance of all parameters of a fit.

use super::sampled::SampledCovariance;
use crate::rating::math::{Information, Symmetric};

/// The most players whose covariance is computed as a matrix when tables are made.
pub const MAX_EXACT_PLAYERS: usize = 2000;

/// The covariance of all parameters.
#[derive(Debug, Clone)]
pub enum Covariance {
    /// As a matrix.
    Exact(ExactCovariance),
    /// Estimates of the variances of ratings and their differences.
    Sampled(SampledCovariance),
}

/// The covariance as a matrix.
#[derive(Debug, Clone)]
pub struct ExactCovariance {
    matrix: Symmetric,
    players: usize,
    /// The covariance of the mean strength with every parameter.
    mean: Vec<f64>,
    mean_variance: f64,
}

impl ExactCovariance {
    /// The inverse of this information.
    pub fn new(information: &Information, players: usize) -> Self {
        let mut matrix = information.to_dense();
        // The priors make the matrix positive definite, so inversion can only fail with a NaN.
        if !matrix.invert() {
            matrix = Symmetric::unknown(players + 2);
        }
        Self::of(matrix, players)
    }

    /// The covariance of the players' strengths and the two parameters after them.
    pub fn of(matrix: Symmetric, players: usize) -> Self {
        let share = 1.0 / players.max(1) as f64;
        let mean: Vec<f64> = (0..players + 2)
            .map(|row| matrix.row(row).take(players).sum::<f64>() * share)
            .collect();
        Self {
            mean_variance: mean[..players].iter().sum::<f64>() * share,
            mean,
            matrix,
            players,
        }
    }

    /// The variance of a parameter.
    pub fn variance(&self, parameter: usize) -> f64 {
        self.matrix.at(parameter, parameter)
    }

    /// The covariance of a parameter with the advantage, and with the draws' parameter.
    fn shared(&self, parameter: usize) -> [f64; 2] {
        [0, 1].map(|at| self.matrix.at(parameter, self.players + at))
    }

    /// The covariance of the players' distances from their mean.
    pub fn of_distances(&self) -> Symmetric {
        let mut distances = Symmetric::zero(self.players);
        for a in 0..self.players {
            for b in a..self.players {
                let covariance = self.matrix.at(a, b) - self.mean[a] - self.mean[b];
                distances.add(a, b, covariance + self.mean_variance);
            }
        }
        distances
    }

    /// The covariance if `middle` is the true variance of the first derivatives: the sandwich estimator.
    pub fn with_middle(&self, middle: &Symmetric) -> Self {
        Self::of(self.matrix.sandwich(middle), self.players)
    }
}

impl Covariance {
    /// The variance of the difference of two strengths.
    pub fn difference(&self, a: usize, b: usize) -> f64 {
        match self {
            Self::Exact(ExactCovariance { matrix, .. }) => {
                matrix.at(a, a) + matrix.at(b, b) - 2.0 * matrix.at(a, b)
            }
            Self::Sampled(sampled) => sampled.difference(a, b),
        }
    }

    /// The variance of the distance of a strength from the mean of all players.
    pub fn distance(&self, player: usize) -> f64 {
        match self {
            Self::Exact(exact) => {
                exact.variance(player) - 2.0 * exact.mean[player] + exact.mean_variance
            }
            Self::Sampled(sampled) => sampled.distance(player),
        }
    }

    /// The covariance of a parameter with the advantage, and with the draws' parameter.
    pub fn shared(&self, parameter: usize) -> [f64; 2] {
        match self {
            Self::Exact(exact) => exact.shared(parameter),
            Self::Sampled(sampled) => sampled.shared(parameter),
        }
    }

    /// The mean of these covariances over all players.
    pub fn mean_shared(&self) -> [f64; 2] {
        match self {
            Self::Exact(exact) => [0, 1].map(|at| exact.mean[exact.players + at]),
            Self::Sampled(sampled) => sampled.mean_shared(),
        }
    }
}
