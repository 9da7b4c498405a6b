//! The fit where the Elo of some players is given, exactly or with an error.
//!
//! On the scale of these anchors, a strength `u` is `x = s u` Elo. The Elo of a unit, `s`, falls with the share
//! of draws `d`: `ds/dδ = -s d`. An anchor with the Elo `e` and the standard error `σ` adds
//! `-(x - e)² / (2 σ²)` to the log posterior; a fixed one holds `u = e / s`. The anchors say where the mean of the
//! strengths is, so the weak prior is around this mean.

use super::elo::{Estimate, draw_rate, elo_scale};
use super::problem::{Problem, STEPS};
use crate::rating::math::{Information, Symmetric};

/// An anchor with a smaller standard error in Elo is fixed.
const LEAST_ERROR: f64 = 0.005;

/// A player with a given Elo.
#[derive(Debug, Clone, Copy)]
struct GivenElo {
    /// Index of its strength among the parameters.
    at: usize,
    elo: f64,
    /// `1 / σ²`; `None` if it is fixed.
    precision: Option<f64>,
}

/// The anchors of a fit.
#[derive(Debug)]
pub struct Anchors<'a> {
    problem: &'a Problem,
    anchors: Vec<GivenElo>,
}

/// From strengths to Elo: the Elo of a unit, and the share of draws between equals.
#[derive(Debug, Clone, Copy)]
struct Scale {
    elo: f64,
    draws: f64,
}

impl<'a> Anchors<'a> {
    /// Anchors by player, each player at most once.
    pub fn new(problem: &'a Problem, given: &[(usize, Estimate)]) -> Self {
        let mut anchors: Vec<GivenElo> = given
            .iter()
            .map(|(player, estimate)| GivenElo {
                at: problem.parameter_of[*player],
                elo: estimate.elo,
                precision: (estimate.error >= LEAST_ERROR).then(|| estimate.error.powi(-2)),
            })
            .collect();
        // Sums then have one order, whatever the order of the file.
        anchors.sort_by_key(|anchor| anchor.at);
        Self { problem, anchors }
    }

    fn fixed(&self) -> impl Iterator<Item = &GivenElo> {
        self.anchors.iter().filter(|it| it.precision.is_none())
    }

    fn loose(&self) -> impl Iterator<Item = (usize, f64, f64)> {
        let loose = |it: &GivenElo| it.precision.map(|precision| (it.at, it.elo, precision));
        self.anchors.iter().filter_map(loose)
    }

    fn scale(&self, at: &[f64]) -> Scale {
        let nu = self.problem.nu(at);
        Scale {
            elo: elo_scale(nu),
            draws: draw_rate(nu),
        }
    }

    /// The parameters with the highest posterior on the scale of the anchors, and the information of games and weak
    /// priors there. `start` has the parameters of the fit without anchors.
    ///
    /// Uses Fisher's scoring: Newton's method with the expected second derivatives.
    pub fn solve(&self, start: Vec<f64>) -> (Vec<f64>, Information) {
        let mut at = self.shifted(start);
        let mut gradient = vec![0.0; at.len()];
        let (mut log_posterior, mut information) = self.evaluate(&at, &mut gradient);
        for _ in 0..STEPS {
            let Some(inverse) = self.inverse(&at, &information) else {
                break;
            };
            for anchor in self.fixed() {
                let pull = std::mem::take(&mut gradient[anchor.at]);
                gradient[self.problem.draws()] += self.slope(anchor, &at) * pull;
            }
            let product = |row: usize| -> f64 {
                let cells = inverse.row(row).zip(&gradient);
                cells.map(|(cell, slope)| cell * slope).sum()
            };
            let mut step: Vec<f64> = (0..at.len()).map(product).collect();
            let mut size;
            // A step can be too long where results are one-sided, or far from the anchors.
            loop {
                let moved = at.iter().zip(&step).map(|(at, step)| at + step);
                let tried = self.held(moved.collect());
                let reached;
                (reached, information) = self.evaluate(&tried, &mut gradient);
                size = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
                if reached >= log_posterior || size < 1e-9 {
                    at = tried;
                    log_posterior = reached;
                    break;
                }
                step.iter_mut().for_each(|part| *part /= 2.0);
            }
            if size < 1e-9 {
                break;
            }
        }
        (at, information)
    }

    /// Parameters with all strengths shifted towards the anchors, and the fixed anchors at their Elo.
    fn shifted(&self, mut at: Vec<f64>) -> Vec<f64> {
        let scale = self.scale(&at);
        let any_fixed = self.fixed().next().is_some();
        let (mut sum, mut weights) = (0.0, 0.0);
        for anchor in &self.anchors {
            let weight = match anchor.precision {
                None => 1.0,
                Some(_) if any_fixed => 0.0,
                Some(precision) => precision,
            };
            sum += weight * (anchor.elo / scale.elo - at[anchor.at]);
            weights += weight;
        }
        for strength in &mut at[..self.problem.players] {
            *strength += sum / weights;
        }
        self.held(at)
    }

    /// Parameters with the fixed anchors at their Elo.
    fn held(&self, mut at: Vec<f64>) -> Vec<f64> {
        let scale = self.scale(&at);
        for anchor in self.fixed() {
            at[anchor.at] = anchor.elo / scale.elo;
        }
        at
    }

    /// Computes the gradient and the information of games and weak priors, and returns the log posterior.
    fn evaluate(&self, at: &[f64], gradient: &mut [f64]) -> (f64, Information) {
        let players = self.problem.players;
        let mean = at[..players].iter().sum::<f64>() / players as f64;
        let mut around_mean = at.to_vec();
        around_mean[..players].iter_mut().for_each(|it| *it -= mean);
        let (mut log_posterior, information) = self.problem.evaluate(&around_mean, gradient);
        let scale = self.scale(at);
        for (player, elo, precision) in self.loose() {
            let off = scale.elo * at[player] - elo;
            log_posterior -= 0.5 * precision * off * off;
            let pull = precision * off * scale.elo;
            gradient[player] -= pull;
            gradient[self.problem.draws()] += pull * scale.draws * at[player];
        }
        (log_posterior, information)
    }

    /// Adds the information that games do not have: from the weak prior around the mean, and from loose anchors.
    pub fn add_to(&self, information: &mut Symmetric, at: &[f64]) {
        let (players, draws) = (self.problem.players, self.problem.draws());
        let of_mean = self.problem.precision(0) / players as f64;
        for a in 0..players {
            for b in a..players {
                information.add(a, b, -of_mean);
            }
        }
        let scale = self.scale(at);
        for (player, _, precision) in self.loose() {
            // Derivatives of the anchor's Elo by its strength and by δ.
            let by_strength = scale.elo;
            let by_draws = -scale.elo * scale.draws * at[player];
            information.add(player, player, precision * by_strength * by_strength);
            information.add(player, draws, precision * by_strength * by_draws);
            information.add(draws, draws, precision * by_draws * by_draws);
        }
    }

    /// The inverse of all information about free parameters. A fixed anchor has a 1 on the diagonal, and zeros.
    /// `None` if it is not positive definite, as with a NaN.
    fn inverse(&self, at: &[f64], games: &Information) -> Option<Symmetric> {
        let mut matrix = games.to_dense();
        self.add_to(&mut matrix, at);
        let draws = self.problem.draws();
        for anchor in self.fixed() {
            // Its strength follows δ, so information about it is information about δ.
            let (fixed, slope) = (anchor.at, self.slope(anchor, at));
            let own = matrix.at(fixed, fixed);
            let with_draws = matrix.at(fixed, draws);
            for other in (0..self.problem.size()).filter(|other| *other != fixed) {
                let cell = matrix.at(fixed, other);
                if other != draws {
                    matrix.add(draws, other, slope * cell);
                }
                matrix.add(fixed, other, -cell);
            }
            matrix.add(draws, draws, slope * (2.0 * with_draws + slope * own));
            matrix.add(fixed, fixed, 1.0 - own);
        }
        matrix.invert().then_some(matrix)
    }

    /// Derivative of a fixed anchor's strength by δ.
    fn slope(&self, anchor: &GivenElo, at: &[f64]) -> f64 {
        self.scale(at).draws * at[anchor.at]
    }

    /// The covariance of all parameters. Fixed anchors follow δ in it. All variances are infinite if the information
    /// is not positive definite.
    pub fn covariance(&self, at: &[f64], games: &Information) -> Symmetric {
        let problem = self.problem;
        let Some(mut matrix) = self.inverse(at, games) else {
            return Symmetric::unknown(problem.size());
        };
        let draws = problem.draws();
        for anchor in self.fixed() {
            let (fixed, slope) = (anchor.at, self.slope(anchor, at));
            matrix.add(fixed, fixed, -matrix.at(fixed, fixed));
            // The anchors before it follow δ already; the anchors after it add their covariance with it.
            for other in (0..problem.size()).filter(|other| *other != fixed) {
                matrix.add(fixed, other, slope * matrix.at(draws, other));
            }
            let of_draws = matrix.at(draws, draws);
            matrix.add(fixed, fixed, slope * slope * of_draws);
        }
        matrix
    }
}
