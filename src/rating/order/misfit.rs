//! Tests whether one strength per player explains who beats whom. Two tests share a chance of error of 5 %:
//!
//! - of all meetings together: the sum of squared residuals in units of their variance, by the F distribution, with
//!   Paulson's approximation (Annals of Mathematical Statistics 13, 1942);
//! - of each three players: the sum of their log odds around the circle. Strengths cancel in it, so it is normal around
//!   0; the limit is Bonferroni's.

use super::cycles::{Cycle, cycles};
use super::residuals::{Dispersion, LEAST_GAMES, MeetingGames, Residual};
use crate::rating::games::{Meeting, Standings};
use crate::rating::intervals::Ratings;
use crate::rating::math::normal;

/// Upper bound on the probability that chance alone is reported.
const CHANCE: f64 = 0.05;

/// Evidence that the results between players fit no strengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Misfit {
    /// The mean square of the residuals of meetings in units of their variance: 1 if strengths explain all.
    pub ratio: f64,
    /// The probability that chance alone makes it as large.
    pub probability: f64,
}

/// The results of both tests.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OneOrderTest {
    pub misfit: Option<Misfit>,
    pub cycles: Vec<Cycle>,
    pub cycle_count: u64,
}

impl OneOrderTest {
    /// Runs both tests.
    pub fn new(standings: &Standings, ratings: &Ratings) -> Self {
        let dispersion = Dispersion::new(standings, ratings);
        let mut residuals = Vec::new();
        let (mut squares, mut follows, mut kurtosis) = (0.0, 0.0, 0.0);
        // No game varies more than an even one without draws.
        let may_count = |meeting: &&Meeting| meeting.tally().games() as f64 >= LEAST_GAMES;
        let meetings = standings.meetings().iter().zip(&dispersion.ratios);
        for (meeting, ratio) in meetings.filter(|(meeting, _)| may_count(meeting)) {
            let games = MeetingGames::new(meeting, ratings);
            let weight = games.weight();
            let in_pairs = meeting.complete_pairs() as f64 * games.pair_weight();
            let variance = weight + (ratio - 1.0) * in_pairs;
            if weight.min(variance) < 0.25 * LEAST_GAMES {
                continue;
            }
            let [a, b] = meeting.players;
            let explained = weight * weight * ratings.variance_apart(a, b) / variance;
            squares += games.residual * games.residual / variance;
            follows += explained.min(1.0);
            kurtosis += games.excess() / (weight * weight);
            let value = games.residual / weight;
            residuals.push(Residual {
                players: [a, b],
                value,
                variance: variance / (weight * weight),
                odds: ratings.odds(a, b) + value,
            });
        }
        // A fit follows its games, by one degree of freedom for each strength but one.
        let most = standings.players().len().saturating_sub(1) as f64;
        let degrees = residuals.len() as f64 - f64::min(follows, most);
        let misfit = (degrees > 0.5).then(|| {
            let ratio = squares / degrees;
            // Degrees of freedom of squared normal variables with the variance of this sum.
            let squares = 2.0 * degrees * degrees / (2.0 * degrees + kurtosis).max(degrees);
            Misfit {
                ratio,
                probability: f_tail(ratio, squares, dispersion.degrees),
            }
        });
        let (cycles, cycle_count) = cycles(standings, &residuals, CHANCE / 2.0);
        Self {
            misfit: misfit.filter(|misfit| misfit.probability < CHANCE / 2.0),
            cycles,
            cycle_count,
        }
    }
}

/// The probability that a variable of the F distribution is above `ratio`.
fn f_tail(ratio: f64, above: f64, below: f64) -> f64 {
    let (a, b) = (2.0 / (9.0 * above), 2.0 / (9.0 * below));
    let root = ratio.cbrt();
    let z = ((1.0 - b) * root - (1.0 - a)) / (b * root * root + a).sqrt();
    normal::cdf(-z)
}
