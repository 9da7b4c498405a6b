//! Tests whether one strength per player explains who beats whom. Two tests share a chance of error of 5 %:
//!
//! - of all meetings together: the sum of squared residuals in units of their variance, by the chi-squared distribution, with
//!   the approximation of Wilson and Hilferty (Proceedings of the National Academy of Sciences 17, 1931);
//! - of each three players: the sum of their log odds around the circle. Strengths cancel in it, so it is normal around
//!   0; the limit is Bonferroni's.

use super::cycles::{Cycle, cycles};
use super::residuals::{LEAST_GAMES, Residual, Spread};
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
        // No game varies more than an even one without draws.
        let may_count = |meeting: &Meeting| meeting.tally().games() as f64 >= LEAST_GAMES;
        let meetings: Vec<Meeting> = standings.blocks().meetings().filter(may_count).collect();
        let spread = Spread::new(&meetings, ratings);
        let residuals: Vec<Residual> = meetings
            .iter()
            .filter_map(|meeting| Residual::new(meeting, ratings, &spread))
            .collect();
        let squares: f64 = residuals
            .iter()
            .map(|it| it.deviations * it.deviations)
            .sum();
        let follows: f64 = residuals.iter().map(|it| it.explained).sum();
        // A fit follows its games, by one degree of freedom for each strength but one.
        let players = standings.players().len();
        let most = players.saturating_sub(1) as f64;
        let degrees = residuals.len() as f64 - f64::min(follows, most);
        let misfit = (degrees > 0.5).then(|| Misfit {
            ratio: squares / degrees,
            probability: chi_squared_tail(squares / degrees, degrees),
        });
        let (cycles, cycle_count) = cycles(players, &residuals, CHANCE / 2.0);
        Self {
            misfit: misfit.filter(|misfit| misfit.probability < CHANCE / 2.0),
            cycles,
            cycle_count,
        }
    }
}

/// The probability that a chi-squared variable is above `ratio` times its degrees of freedom.
fn chi_squared_tail(ratio: f64, degrees: f64) -> f64 {
    let variance = 2.0 / (9.0 * degrees);
    normal::cdf((1.0 - variance - ratio.cbrt()) / variance.sqrt())
}
