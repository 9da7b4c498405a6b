//! Ratings with their uncertainty.

mod clusters;
mod covariance;
mod posterior;
mod ratings;
mod sampled;

pub use clusters::Openings;
pub use covariance::{MAX_EXACT_PLAYERS, dot, product, unleveraged};
pub use posterior::{MAX_CORRECTED_PLAYERS, Posterior};
pub use ratings::{Anchor, FitOptions, Ratings};

use crate::rating::{ELO, math};

/// The least and the greatest deviation of strengths, in Elo on the scale without draws. The prior is uniform on the
/// logarithm of the deviation.
const DEVIATIONS: [f64; 2] = [1.0, 1000.0];

const STEPS: usize = 60;

/// Deviations are left out below this likelihood, relative to the most likely one.
const LEAST: f64 = 1e-6;

/// The logarithms of a grid of deviations in units of strength, equally far apart by ratio.
pub fn log_deviations(steps: usize) -> impl Iterator<Item = f64> {
    let [least, greatest] = DEVIATIONS.map(|deviation| (deviation / ELO).ln());
    (0..steps).map(move |step| {
        let share = step as f64 / (steps - 1) as f64;
        least + share * (greatest - least)
    })
}

/// The posterior of the deviation of strengths, on a grid.
#[derive(Debug, Clone)]
pub struct StrengthPrior {
    /// Twice the variance of strengths, and its probability.
    spreads: Vec<(f64, f64)>,
}

impl StrengthPrior {
    /// From the distances of strengths from their mean, each with its variance.
    ///
    /// Each distance counts as independent, with the likelihood of all reduced to one player less. That is exact
    /// where everyone met everyone equally often.
    pub fn new(distances: &[(f64, f64)]) -> Self {
        let players = distances.len().max(2) as f64;
        let share = (players - 1.0) / players;
        let log_likelihood = |variance: f64| {
            let terms = distances.iter().map(|(distance, known)| {
                let variance = variance + known / share;
                share * variance.ln() + distance * distance / variance
            });
            -0.5 * terms.sum::<f64>()
        };
        let mut spreads: Vec<(f64, f64)> = log_deviations(STEPS)
            .map(|deviation| {
                let variance = (2.0 * deviation).exp();
                (2.0 * variance, log_likelihood(variance))
            })
            .collect();
        let most = spreads.iter().map(|(_, it)| *it).fold(f64::MIN, f64::max);
        spreads
            .iter_mut()
            .for_each(|(_, it)| *it = (*it - most).exp());
        spreads.retain(|(_, weight)| *weight >= LEAST);
        let sum: f64 = spreads.iter().map(|(_, weight)| weight).sum();
        spreads.iter_mut().for_each(|(_, weight)| *weight /= sum);
        Self { spreads }
    }

    pub fn variances(&self) -> impl Iterator<Item = (f64, f64)> {
        let spreads = self.spreads.iter();
        spreads.map(|(spread, weight)| (spread / 2.0, *weight))
    }

    /// The probability that a difference is positive. By the games alone it is `z` standard errors above 0. `variance` is
    /// the squared standard error in units of strength.
    pub fn positive(&self, z: f64, variance: f64) -> f64 {
        let of = |spread: f64| math::cdf(z * (spread / (spread + variance)).sqrt());
        // The two directions add up to 1.
        let sum: f64 = self
            .spreads
            .iter()
            .map(|(spread, weight)| weight * (of(*spread) - 0.5))
            .sum();
        0.5 + sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability that a difference of two standard errors is positive, for these distances in Elo with errors of 20.
    fn at_two_errors(distances: &[f64]) -> f64 {
        let variance = (20.0 / ELO).powi(2);
        let distances: Vec<(f64, f64)> = distances.iter().map(|it| (it / ELO, variance)).collect();
        StrengthPrior::new(&distances).positive(2.0, 2.0 * variance)
    }

    #[test]
    fn the_same_difference_says_more_in_a_wide_field() {
        let wide: Vec<f64> = (-10..=10).map(|at| 40.0 * f64::from(at)).collect();
        let tight: Vec<f64> = (-10..=10).map(|at| 4.0 * f64::from(at)).collect();
        assert!((at_two_errors(&wide) - math::cdf(2.0)).abs() < 0.002);
        assert!((0.5..0.9).contains(&at_two_errors(&tight)));
        // Two players alone say little about how wide a field is.
        let match_of_two = at_two_errors(&[28.0, -28.0]);
        assert!((0.75..0.95).contains(&match_of_two), "{match_of_two}");
    }
}
