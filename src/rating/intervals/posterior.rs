//! What the strengths of all players may be, given all games and the deviation of a field.
//!
//! With the deviations `d` of the ratings from their mean, their covariance `C` and the variance `τ²` of a field, the
//! strengths are normal around `τ² A d` with the covariance `τ² (I - τ² A)`, where `A = (τ² I + C)⁻¹` (D. Lindley,
//! A. Smith, "Bayes estimates for the linear model", JRSS B 34, 1972).

use super::covariance::Covariance;
use super::ratings::Ratings;
use crate::rating::Interval;
use crate::rating::math::{Symmetric, normal};

/// The most players whose ratings are corrected. For more, it would cost more than the fit.
pub const MAX_CORRECTED_PLAYERS: usize = 300;

/// The ends of a 95 % interval and the median, as shares of what is below them.
const SHARES: [f64; 3] = [0.025, 0.5, 0.975];

/// Beyond so many standard deviations of a normal variable there is nothing.
const FAR: f64 = 10.0;

/// How often the place of a quantile is halved: to a millionth of a standard deviation at least.
const HALVINGS: usize = 50;

/// What the strengths of all players may be in a field of a known variance, by place in the fit.
struct Posterior {
    means: Vec<f64>,
    covariance: Symmetric,
}

impl Posterior {
    /// From the covariance of the `distances` of all players from their mean. `None` if it is none, as with a NaN.
    fn new(covariance: &Symmetric, distances: &[f64], variance: f64) -> Option<Self> {
        let players = distances.len();
        let mut inverse = covariance.clone();
        (0..players).for_each(|at| inverse.add(at, at, variance));
        if !inverse.invert() {
            return None;
        }
        let mean = |at: usize| -> f64 {
            let cells = inverse.row(at).zip(distances);
            variance * cells.map(|(cell, distance)| cell * distance).sum::<f64>()
        };
        let means = (0..players).map(mean).collect();
        let mut covariance = Symmetric::zero(players);
        for a in 0..players {
            covariance.add(a, a, variance);
            for b in a..players {
                covariance.add(a, b, -variance * variance * inverse.at(a, b));
            }
        }
        Some(Self { means, covariance })
    }
}

impl Ratings {
    /// The ratings of all players as a field makes them likely, relative to their mean: each the lower end of a 95 %
    /// interval, the median and the upper end. `None` where there are too many players.
    ///
    /// They hold also where results decided who met whom. The games say as much of the strengths then as if all
    /// had been fixed in advance (D. Rubin, "Inference and missing data", Biometrika 63, 1976); what fails are intervals
    /// around ratings that know nothing of the field. As for [`Ratings::superiority`], strengths are normal in a field
    /// whose deviation is learned. What an Elo is worth in a game with draws is taken as known.
    pub fn corrected(&self) -> Option<Vec<Interval>> {
        let players = self.parameter_of.len();
        let Covariance::Exact(exact) = &self.covariance else {
            return None;
        };
        if players > MAX_CORRECTED_PLAYERS {
            return None;
        }
        let covariance = exact.of_distances();
        let distances = self.distances();
        let mut mixtures = vec![Vec::new(); players];
        for (variance, weight) in self.prior.variances() {
            let posterior = Posterior::new(&covariance, &distances, variance)?;
            for (at, mixture) in mixtures.iter_mut().enumerate() {
                mixture.push(Normal {
                    weight,
                    mean: posterior.means[at],
                    deviation: posterior.covariance.at(at, at).max(0.0).sqrt(),
                });
            }
        }
        let interval =
            |at: &usize| SHARES.map(|share| self.scale() * quantile(&mixtures[*at], share));
        Some(self.parameter_of.iter().map(interval).collect())
    }

    /// How far each strength is from the mean of all, by place in the fit.
    fn distances(&self) -> Vec<f64> {
        let strengths = self.parameters[..self.parameter_of.len()].iter();
        strengths.map(|strength| strength - self.mean).collect()
    }
}

/// A normal variable in a mixture.
#[derive(Debug, Clone, Copy)]
struct Normal {
    weight: f64,
    mean: f64,
    deviation: f64,
}

impl Normal {
    /// How likely it is at most this.
    fn below(&self, value: f64) -> f64 {
        match self.deviation > 0.0 {
            true => normal::cdf((value - self.mean) / self.deviation),
            false if self.mean <= value => 1.0,
            false => 0.0,
        }
    }
}

/// The value below which a mixture is with this probability.
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
        let below: f64 = mixture
            .iter()
            .map(|one| one.weight * one.below(middle))
            .sum();
        match below < share {
            true => low = middle,
            false => high = middle,
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{Anchor, Model, Score, Standings};

    /// Everybody plays so many games with everybody else; the first of two wins this share of ten.
    fn ratings(players: usize, games: usize, wins: usize) -> Ratings {
        let mut standings = Standings::default();
        let names: Vec<String> = (0..players).map(|player| format!("{player:03}")).collect();
        for name in &names {
            standings.add_player(name);
        }
        for a in 0..players {
            for b in a + 1..players {
                for game in 0..games {
                    let score = match game % 10 < wins {
                        true => Score::Win,
                        false => Score::Loss,
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
