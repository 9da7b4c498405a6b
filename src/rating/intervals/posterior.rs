//! Ratings corrected by an empirical prior: the posterior of all strengths.
//!
//! With the deviations `d` of the ratings from their mean, their covariance `C` and the variance `τ²` of the strengths,
//! the strengths are normal around `τ² A d` with the covariance `τ² (I - τ² A)`, where `A = (τ² I + C)⁻¹` (D. Lindley,
//! A. Smith, "Bayes estimates for the linear model", JRSS B 34, 1972).

use super::covariance::Covariance;
use super::ratings::Ratings;
use crate::rating::Interval;
use crate::rating::math::{Symmetric, normal};

/// The most players whose ratings are corrected. For more, it would cost more than the fit.
pub const MAX_CORRECTED_PLAYERS: usize = 300;

/// Quantiles of a 95 % interval with its median.
const SHARES: [f64; 3] = [0.025, 0.5, 0.975];

/// Range of a normal variable in standard deviations, for the search of a quantile.
const FAR: f64 = 10.0;

/// Bisections for a quantile: to a millionth of a standard deviation at least.
const HALVINGS: usize = 50;

impl Ratings {
    /// The ratings of all players, corrected by an empirical prior and relative to their mean: each with its 95 %
    /// interval. `None` where there are too many players.
    ///
    /// They hold also where results decided who met whom. Given all games, the pairings say nothing more about
    /// strengths (D. Rubin, "Inference and missing data", Biometrika 63, 1976), but intervals around ratings that know
    /// no prior fail. The prior is the one of [`Ratings::superiority`]. The worth of an Elo in a game with draws is
    /// taken as known.
    pub fn corrected(&self) -> Option<Vec<Interval>> {
        let players = self.parameter_of.len();
        let Covariance::Exact(exact) = &self.covariance else {
            return None;
        };
        if players > MAX_CORRECTED_PLAYERS {
            return None;
        }
        let covariance = exact.of_distances();
        let strengths = self.parameters[..players].iter();
        let distances: Vec<f64> = strengths.map(|strength| strength - self.mean).collect();
        let mut mixtures = vec![Vec::new(); players];
        for (variance, weight) in self.prior.variances() {
            add_posteriors(&mut mixtures, weight, &covariance, &distances, variance)?;
        }
        let interval =
            |at: &usize| SHARES.map(|share| self.scale() * quantile(&mixtures[*at], share));
        Some(self.parameter_of.iter().map(interval).collect())
    }
}

/// Adds each player's posterior under a prior of this variance to its mixture. `None` if the covariance is not positive
/// definite, as with a NaN.
fn add_posteriors(
    mixtures: &mut [Vec<Normal>],
    weight: f64,
    covariance: &Symmetric,
    distances: &[f64],
    variance: f64,
) -> Option<()> {
    let mut inverse = covariance.clone();
    (0..distances.len()).for_each(|at| inverse.add(at, at, variance));
    if !inverse.invert() {
        return None;
    }
    for (at, mixture) in mixtures.iter_mut().enumerate() {
        let cells = inverse.row(at).zip(distances);
        let own = variance - variance * variance * inverse.at(at, at);
        mixture.push(Normal {
            weight,
            mean: variance * cells.map(|(cell, distance)| cell * distance).sum::<f64>(),
            deviation: own.max(0.0).sqrt(),
        });
    }
    Some(())
}

/// A component of a normal mixture.
#[derive(Debug, Clone, Copy)]
struct Normal {
    weight: f64,
    mean: f64,
    deviation: f64,
}

impl Normal {
    /// The probability that it is at most `value`.
    fn cdf(&self, value: f64) -> f64 {
        if self.deviation > 0.0 {
            normal::cdf((value - self.mean) / self.deviation)
        } else {
            f64::from(self.mean <= value)
        }
    }
}

/// Quantile of a normal mixture.
fn quantile(mixture: &[Normal], share: f64) -> f64 {
    let end = |sign: f64| {
        mixture
            .iter()
            .map(move |one| one.mean + sign * FAR * one.deviation)
    };
    let mut low = end(-1.0).fold(f64::INFINITY, f64::min);
    let mut high = end(1.0).fold(f64::NEG_INFINITY, f64::max);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        let below: f64 = mixture.iter().map(|one| one.weight * one.cdf(middle)).sum();
        if below < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{Anchor, Model, Score, Standings};

    /// A round robin; the first of two players wins `wins` of ten games.
    fn ratings(players: usize, games: usize, wins: usize) -> Ratings {
        let mut standings = Standings::default();
        let names: Vec<String> = (0..players).map(|player| format!("{player:03}")).collect();
        for name in &names {
            standings.add_player(name);
        }
        for a in 0..players {
            for b in a + 1..players {
                for game in 0..games {
                    let score = if game % 10 < wins {
                        Score::Win
                    } else {
                        Score::Loss
                    };
                    standings.add_score([&names[a], &names[b]], score);
                }
            }
        }
        Ratings::new(&standings, Model { first_mover: false })
    }

    #[test]
    fn estimates_are_nearer_to_the_mean_than_ratings_and_less_so_after_many_games() {
        let shrunk = |games| {
            let ratings = ratings(6, games, 6);
            let rating = ratings.rating(0, Anchor::default());
            let [low, elo, high] = ratings.corrected().expect("few")[0];
            assert!(low < elo && elo < high && 0.0 < elo && elo < rating.elo);
            assert!(high - low < 2.0 * rating.margin(), "{games}");
            elo / rating.elo
        };
        let (few, many) = (shrunk(10), shrunk(1000));
        assert!(few < 0.95, "{few}");
        assert!(many > 0.98, "{many}");
    }

    #[test]
    fn equal_results_have_symmetric_intervals_around_the_mean() {
        for [low, elo, high] in ratings(5, 10, 5).corrected().expect("few") {
            assert!(
                elo.abs() < 1e-6 && (low + high).abs() < 1e-6 && high > 1.0,
                "{low} {elo} {high}"
            );
        }
    }

    #[test]
    fn the_median_of_two_normals_is_between_them() {
        let normal = |mean| Normal {
            weight: 0.5,
            mean,
            deviation: 1.0,
        };
        let mixture = [normal(-1.0), normal(3.0)];
        assert!((quantile(&mixture, 0.5) - 1.0).abs() < 1e-9);
        let low = quantile(&mixture, 0.025);
        let below = 0.5 * (normal::cdf(low + 1.0) + normal::cdf(low - 3.0));
        assert!((below - 0.025).abs() < 1e-9);
        let exact = [Normal {
            weight: 1.0,
            mean: 2.0,
            deviation: 0.0,
        }];
        assert_eq!(quantile(&exact, 0.5), 2.0);
    }

    #[test]
    fn nobody_and_too_many_players_have_none() {
        assert_eq!(ratings(0, 0, 5).corrected(), Some(Vec::new()));
        assert_eq!(ratings(MAX_CORRECTED_PLAYERS + 1, 0, 5).corrected(), None);
    }
}
