//! Ratings corrected by an empirical prior: the posterior of all strengths.
//!
//! With the deviations `d` of the ratings from their mean, their covariance `C` and the variance `τ²` of the strengths,
//! the strengths are normal around `τ² A d` with the covariance `τ² (I - τ² A)`, where `A = (τ² I + C)⁻¹` (D. Lindley,
//! A. Smith, "Bayes estimates for the linear model", JRSS B 34, 1972).

use super::StrengthPrior;
use super::ratings::Ratings;
use crate::rating::{Interval, math};

/// The most players whose ratings are corrected. For more, it would cost more than the fit.
pub const MAX_CORRECTED_PLAYERS: usize = 300;

const SHARES: [f64; 3] = [0.025, 0.5, 0.975];

/// Range of a normal variable in standard deviations, for the search of a quantile.
const FAR: f64 = 10.0;

/// Bisections for a quantile: to a millionth of a standard deviation at least.
const HALVINGS: usize = 50;

/// The strengths of all players, given the games and the spread of all strengths.
#[derive(Debug, Clone)]
pub struct Posterior {
    /// The ratings relative to their mean, each with its 95 % interval.
    pub ratings: Vec<Interval>,
    /// The probability that the player of a row is stronger than the one of a column.
    superiority: Vec<f64>,
}

impl Posterior {
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        self.superiority[a * self.ratings.len() + b]
    }

    /// The posterior of all strengths. `None` where there are too many players.
    ///
    /// It holds also where results decided who met whom. Given all games, the pairings say nothing more about
    /// strengths (D. Rubin, "Inference and missing data", Biometrika 63, 1976), but intervals around ratings that know
    /// no prior fail. The prior is the one of [`Ratings::superiority`]. The worth of an Elo in a game with draws is
    /// taken as known.
    pub fn new(ratings: &Ratings) -> Option<Self> {
        let players = ratings.players();
        if players > MAX_CORRECTED_PLAYERS {
            return None;
        }
        let covariance = ratings.covariance.of_distances_by_model();
        let mean = ratings.mean();
        let distances: Vec<f64> = ratings.at[..players]
            .iter()
            .map(|strength| strength - mean)
            .collect();
        let mut mixtures = vec![Vec::new(); players];
        let mut superiority = vec![0.0; players * players];
        let each = distances.iter().enumerate();
        let known: Vec<(f64, f64)> = each.map(|(at, it)| (*it, covariance.at(at, at))).collect();
        for (variance, weight) in StrengthPrior::new(&known).variances() {
            let mut inverse = covariance.clone();
            (0..players).for_each(|at| inverse.add(at, at, variance));
            // It is positive definite unless there is a NaN.
            if !inverse.invert() {
                return None;
            }
            let square = variance * variance;
            let means: Vec<f64> = (0..players)
                .map(|at| {
                    variance
                        * inverse
                            .row(at)
                            .zip(&distances)
                            .map(|(cell, own)| cell * own)
                            .sum::<f64>()
                })
                .collect();
            for (at, mixture) in mixtures.iter_mut().enumerate() {
                let own = variance - square * inverse.at(at, at);
                mixture.push(Normal {
                    weight,
                    mean: means[at],
                    deviation: own.max(0.0).sqrt(),
                });
                for other in 0..at {
                    let cells =
                        inverse.at(at, at) + inverse.at(other, other) - 2.0 * inverse.at(at, other);
                    let apart = Normal {
                        weight,
                        mean: means[other] - means[at],
                        deviation: (2.0 * variance - square * cells).max(0.0).sqrt(),
                    };
                    let stronger = if apart.deviation > 0.0 {
                        apart.cdf(0.0)
                    } else {
                        0.5
                    };
                    superiority[at * players + other] += weight * stronger;
                    superiority[other * players + at] += weight * (1.0 - stronger);
                }
            }
        }
        (0..players).for_each(|at| superiority[at * players + at] = 0.5);
        let interval =
            |at: usize| SHARES.map(|share| ratings.scale() * quantile(&mixtures[at], share));
        Some(Self {
            ratings: (0..players).map(interval).collect(),
            superiority,
        })
    }
}

#[derive(Debug, Clone, Copy)]
struct Normal {
    weight: f64,
    mean: f64,
    deviation: f64,
}

impl Normal {
    fn cdf(&self, value: f64) -> f64 {
        if self.deviation > 0.0 {
            math::cdf((value - self.mean) / self.deviation)
        } else {
            f64::from(self.mean <= value)
        }
    }
}

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
    use crate::rating::{Anchor, GameCounter, Model, RatedGame, WinDrawLoss};

    /// A round robin; the first of two players wins `wins` of ten games.
    fn ratings(players: usize, games: usize, wins: usize) -> Ratings {
        let mut standings = GameCounter::default();
        let names: Vec<String> = (0..players).map(|player| format!("{player:03}")).collect();
        for name in &names {
            standings.add_player(name);
        }
        for a in 0..players {
            for b in a + 1..players {
                for game in 0..games {
                    let score = if game % 10 < wins {
                        WinDrawLoss::Win
                    } else {
                        WinDrawLoss::Loss
                    };
                    standings.add_score([&names[a], &names[b]], score);
                }
            }
        }
        Ratings::new(&standings.standings(), Model { first_mover: false })
    }

    #[test]
    fn estimates_are_nearer_to_the_mean_than_ratings_and_less_so_after_many_games() {
        let shrunk = |games| {
            let ratings = ratings(6, games, 6);
            let rating = ratings.rating(0, Anchor::default());
            let [low, elo, high] = Posterior::new(&ratings).expect("few").ratings[0];
            assert!(low < elo && elo < high && 0.0 < elo && elo < rating.elo);
            assert!(high - low < 2.0 * rating.margin(), "{games}");
            elo / rating.elo
        };
        let (few, many) = (shrunk(10), shrunk(1000));
        assert!(few < 0.95, "{few}");
        assert!(many > 0.98, "{many}");
    }

    #[test]
    fn probabilities_are_those_of_all_players_together() {
        let ratings = ratings(6, 10, 6);
        let posterior = Posterior::new(&ratings).expect("few");
        for (a, b) in [(0, 1), (0, 5), (2, 3)] {
            let (one, two) = (posterior.superiority(a, b), posterior.superiority(b, a));
            assert!((one + two - 1.0).abs() < 1e-12 && one > 0.5);
            // Where everyone met everyone, others add nothing to two players.
            assert!((one - ratings.superiority(a, b)).abs() < 0.05, "{one}");
        }
        assert_eq!(posterior.superiority(4, 4), 0.5);
    }

    /// A knockout of four in game pairs: who lost the first match has no other one.
    #[test]
    fn who_lost_the_only_pair_is_weaker() {
        let mut games = GameCounter::default();
        let pairs = [("a", "d", true), ("c", "b", true)];
        let last = [true, false, true, false].map(|wins| ("a", "c", wins));
        for (block, (one, other, wins)) in (0..).zip(pairs.into_iter().chain(last)) {
            let result = if wins {
                WinDrawLoss::Win.as_result()
            } else {
                WinDrawLoss::Loss.as_result()
            };
            for _ in 0..2 {
                games.add(&RatedGame {
                    block: Some(block),
                    ..RatedGame::new([one, other].into(), result)
                });
            }
        }
        let standings = games.standings();
        let at = ["a", "b", "c", "d"].map(|name| standings.find(name).expect("a player"));
        let ratings = Ratings::new(&standings, Model { first_mover: false });
        let posterior = Posterior::new(&ratings).expect("few");
        let [a, b, c, d] = at.map(|player| posterior.ratings[player][1]);
        assert!(a > 0.0 && c > 0.0 && b < 0.0 && d < 0.0, "{a} {b} {c} {d}");
        assert!(
            posterior.superiority(at[0], at[1]) > 0.5 && posterior.superiority(at[0], at[3]) > 0.5
        );
    }

    #[test]
    fn nobody_and_too_many_players_have_none() {
        let nobody = Posterior::new(&ratings(0, 0, 5)).expect("few");
        assert!(nobody.ratings.is_empty());
        assert!(Posterior::new(&ratings(MAX_CORRECTED_PLAYERS + 1, 0, 5)).is_none());
    }
}
