//! Ratings with their uncertainty.

mod clusters;
mod covariance;
mod posterior;
mod ratings;
mod sampled;

pub use clusters::Openings;
pub use covariance::MAX_EXACT_PLAYERS;
pub use posterior::{MAX_CORRECTED_PLAYERS, Posterior};
pub use ratings::{Anchor, FitOptions, Ratings};

use crate::rating::model::Expected;
use crate::rating::{ELO, Z95, math};

/// Probability of finding a true difference of that size.
pub const POWER: f64 = 0.8;

/// Games that two players need against each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GamesNeeded {
    /// Games in pairs, which vary as the pairs so far.
    pub in_pairs: f64,
    /// Independent games.
    pub single: f64,
}

/// Information of a game in each seat: the smaller one of the information between equals and at this distance. Before
/// the games nobody knows which applies. Decided games inform less far apart, drawn ones less between equals.
fn least_information(apart: f64, advantage: f64, nu: f64) -> [f64; 2] {
    [advantage, -advantage].map(|side| {
        let information = |odds: f64| Expected::new(odds, nu).weights().points;
        information(side).min(information(apart + side))
    })
}

impl GamesNeeded {
    /// The games of two after which a true difference of `elo` is more than 1.96 standard errors from 0 in 80 of 100
    /// matches: `(1.96 + 0.84)²` times the variance of a game, over the squared difference (J. Cohen, *Statistical
    /// Power Analysis for the Behavioral Sciences*, 1988). With `players`, the further games of these two, at their
    /// difference in strength; without, the games of two players who differ by `elo`.
    pub fn new(ratings: &Ratings, elo: f64, players: Option<[usize; 2]>) -> Self {
        let (difference, known) = match players {
            None => (elo / ratings.scale(), 0.0),
            Some([a, b]) => (ratings.odds(a, b), 1.0 / ratings.variance_apart(a, b)),
        };
        let [one, two] = least_information(difference, ratings.advantage_in_units(), ratings.nu());
        let single = (1.0 / goal(ratings, elo) - known).max(0.0) * 2.0 / (one + two);
        Self {
            in_pairs: single * ratings.variation().unwrap_or(1.0),
            single,
        }
    }
}

/// The further blocks after which a true difference of `elo` between these two is found as often, if the blocks go on
/// as those before: their variance then falls as their number grows. Infinite if `elo` is 0, or without blocks.
pub fn blocks_needed(ratings: &Ratings, [a, b]: [usize; 2], elo: f64) -> f64 {
    let (goal, blocks) = (goal(ratings, elo), ratings.blocks() as f64);
    match blocks > 0.0 && goal > 0.0 {
        true => (blocks * (ratings.variance_apart(a, b) / goal - 1.0)).max(0.0),
        false => f64::INFINITY,
    }
}

/// The variance at which a difference of `elo` is found.
fn goal(ratings: &Ratings, elo: f64) -> f64 {
    let deviations = Z95 + math::upper_quantile(1.0 - POWER);
    (elo / ratings.scale() / deviations).powi(2)
}

/// The least and the greatest deviation of strengths, in Elo on the scale without draws. The prior is uniform on the
/// logarithm of the deviation.
const DEVIATIONS: [f64; 2] = [1.0, 1000.0];

const STEPS: usize = 60;

/// Deviations are left out below this likelihood, relative to the most likely one.
const LEAST: f64 = 1e-6;

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
        let [least, greatest] = DEVIATIONS.map(|deviation| (deviation / ELO).ln());
        let mut spreads: Vec<(f64, f64)> = (0..STEPS)
            .map(|step| {
                let share = step as f64 / (STEPS - 1) as f64;
                let variance = (2.0 * (least + share * (greatest - least))).exp();
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

    /// Variances of strengths with their probabilities.
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
    use crate::rating::{Anchor, GameCounter, Model, Score};

    /// Ratings of two players after 400 games, with this number of wins for the first.
    fn ratings(wins: usize) -> Ratings {
        let mut standings = GameCounter::default();
        for game in 0..400 {
            let names = if game % 2 == 0 {
                ["a", "b"]
            } else {
                ["b", "a"]
            };
            let first_wins = (game / 2 % 4 < wins / 100) == (game % 2 == 0);
            standings.add_score(names, if first_wins { Score::Win } else { Score::Loss });
        }
        Ratings::new(&standings.standings(), Model::default())
    }

    #[test]
    fn players_without_draws_need_the_games_of_the_textbook() {
        // A difference of 20 Elo is a score of 0.5288, and a game has a variance of almost a quarter.
        let needed = GamesNeeded::new(&ratings(200), 20.0, None);
        let textbook = (2.8016_f64 * 0.5 / (20.0 * 10_f64.ln() / 1600.0)).powi(2);
        assert!(
            (needed.single / textbook - 1.0).abs() < 0.01,
            "{needed:?} {textbook}"
        );
        assert_eq!(needed.in_pairs, needed.single);
        let half = GamesNeeded::new(&ratings(200), 10.0, None);
        assert!((half.single / needed.single - 4.0).abs() < 0.02);
    }

    #[test]
    fn games_that_were_played_count_and_unequal_players_need_more() {
        let (even, uneven) = (ratings(200), ratings(300));
        let all = GamesNeeded::new(&even, 20.0, None).single;
        let more = GamesNeeded::new(&even, 20.0, Some([0, 1])).single;
        // Of players who are 20 Elo apart a game tells a little less than of these, who are equal.
        assert!((all - more - 400.0).abs() < 10.0, "{all} {more}");
        assert!(GamesNeeded::new(&uneven, 20.0, Some([0, 1])).single > 1.2 * more);
        let margin = even.rating(0, Anchor::Player(1, 0.0)).margin();
        assert_eq!(
            GamesNeeded::new(&even, 2.0 * margin, Some([0, 1])).single,
            0.0
        );
    }

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

    #[test]
    fn directions_are_opposite_and_a_field_of_equals_says_nothing() {
        for distances in [&[][..], &[(0.0, 0.01)], &[(0.5, 0.01), (-0.5, 0.01)]] {
            let field = StrengthPrior::new(distances);
            for z in [0.0, 0.3, 2.0, 9.0] {
                let sum = field.positive(z, 0.02) + field.positive(-z, 0.02);
                assert!((sum - 1.0).abs() < 1e-12);
            }
            assert_eq!(field.positive(0.0, 0.02), 0.5);
        }
    }
}
