//! Residuals of meetings: the results of two players beside the expectations of the fit.
//!
//! Their variance is measured within meetings, from game pairs: if both games of a pair tend to go to one seat, their
//! sum hardly varies, and a small residual counts.

use crate::rating::fit::{Expected, Weights};
use crate::rating::games::{Meeting, Score, Standings};
use crate::rating::intervals::Ratings;
use crate::rating::math::shrinkage::{Group, own_weights};

/// Meetings are left out if their results vary less than this number of even games without draws: the results of a
/// few games, or between players far apart, do not have the distributions that the tests assume.
pub const LEAST_GAMES: f64 = 6.0;

/// Weight of the fit's own estimate of the dispersion, in game pairs.
const PRIOR_PAIRS: f64 = 4.0;

/// The residual of two players, in log odds of the first of them.
pub struct Residual {
    pub players: [usize; 2],
    pub value: f64,
    pub variance: f64,
    /// The difference of the strengths, plus the residual.
    pub odds: f64,
}

/// The games of a meeting, and the expectations of the fit.
pub struct MeetingGames<'a> {
    meeting: &'a Meeting,
    expected: [Expected; 2],
    weights: [Weights; 2],
    /// Points of the first of the two, less the expected ones.
    pub residual: f64,
}

impl<'a> MeetingGames<'a> {
    pub fn new(meeting: &'a Meeting, ratings: &Ratings) -> Self {
        let expected = ratings.expected_by_seat(meeting.players);
        let residual = |seat: usize| {
            let tally = meeting.by_seat[seat];
            tally.points() - tally.games() as f64 * expected[seat].points
        };
        Self {
            meeting,
            expected,
            weights: expected.map(Expected::weights),
            residual: residual(0) + residual(1),
        }
    }

    fn sum(&self, of: impl Fn(usize) -> f64) -> f64 {
        let games = |seat: usize| self.meeting.by_seat[seat].games() as f64;
        [0, 1].map(|seat| games(seat) * of(seat)).iter().sum()
    }

    /// The variance of the points, for independent games.
    pub fn weight(&self) -> f64 {
        self.sum(|seat| self.weights[seat].points)
    }

    /// The variance of the points of a pair of independent games.
    pub fn pair_weight(&self) -> f64 {
        self.weights[0].points + self.weights[1].points
    }

    /// Excess kurtosis of the points, not divided by the squared variance.
    pub fn excess(&self) -> f64 {
        self.sum(|seat| {
            let Expected { points, draw, .. } = self.expected[seat];
            let chances = [1.0 - points - draw / 2.0, draw, points - draw / 2.0];
            let fourth = |score: Score| (score.points() - points).powi(4) * chances[score as usize];
            let variance = self.weights[seat].points;
            Score::ALL.map(fourth).iter().sum::<f64>() - 3.0 * variance * variance
        })
    }
}

/// Dispersion of game pairs about the mean of their meeting, relative to independent games. It is measured within
/// meetings, so that a misfit does not hide itself.
pub struct Dispersion {
    /// The ratio of each meeting. It is pooled over all meetings unless these clearly differ.
    pub ratios: Vec<f64>,
    pub degrees: f64,
}

impl Dispersion {
    pub fn new(standings: &Standings, ratings: &Ratings) -> Self {
        let meetings = standings.meetings();
        let measured: Vec<[f64; 2]> = meetings
            .iter()
            .map(|meeting| squares_within(meeting, ratings).unwrap_or_default())
            .collect();
        let degrees: f64 = measured.iter().map(|[_, degrees]| degrees).sum();
        let squares: f64 = measured.iter().map(|[squares, _]| squares).sum();
        let groups = measured.iter().map(|[squares, degrees]| Group {
            value: squares / degrees.max(1.0),
            weight: *degrees,
        });
        // The variance of the square of a normal variable is twice its squared mean.
        let mean = squares / degrees.max(1.0);
        let own = own_weights(&groups.collect::<Vec<_>>(), 2.0 * mean * mean);
        let prior = (1.0 + ratings.pair_correlation()).max(0.05);
        let [mut above, mut below] = [PRIOR_PAIRS * prior, PRIOR_PAIRS];
        for ([squares, degrees], own) in measured.iter().zip(&own) {
            above += (1.0 - own) * squares;
            below += (1.0 - own) * degrees;
        }
        let ratios = measured.iter().zip(&own).map(|([squares, degrees], own)| {
            (1.0 - own) * above / below + own * squares / degrees.max(1.0)
        });
        Self {
            ratios: ratios.collect(),
            degrees: if degrees > 0.0 { below } else { 1e9 },
        }
    }
}

/// Sum of squares of a meeting's pairs about their mean, in units of the expected variance, and its degrees of
/// freedom. `None` if there are too few pairs.
fn squares_within(meeting: &Meeting, ratings: &Ratings) -> Option<[f64; 2]> {
    let pairs = meeting.complete_pairs() as f64;
    let games = MeetingGames::new(meeting, ratings);
    if pairs < 2.0 || games.weight() < 0.25 * LEAST_GAMES {
        return None;
    }
    let (mut sum, mut square) = (0.0, 0.0);
    for first in Score::ALL {
        for second in Score::ALL {
            let count = f64::from(meeting.pairs[first as usize][second as usize]);
            let points = first.points() + second.points();
            sum += count * points;
            square += count * points * points;
        }
    }
    // In units of the test: pairs of unequal players are less alike.
    Some([
        (square - sum * sum / pairs) / games.pair_weight(),
        pairs - 1.0,
    ])
}
