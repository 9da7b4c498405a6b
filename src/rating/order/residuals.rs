//! Residuals of meetings: the results of two players beside the expectations of the fit.
//!
//! Their variance is measured within each meeting, in pairs and in single games by seat. So neither players who draw more
//! than others nor pairs whose games tend to go to one seat look like a misfit.

use crate::rating::games::{Meeting, Score, Tally};
use crate::rating::intervals::Ratings;

/// Meetings are left out if their results vary less than this number of even games without draws: the results of a
/// few games, or between players far apart, do not have the distributions that the tests assume.
pub const LEAST_GAMES: f64 = 6.0;

/// Weight of the variance in all meetings beside the one measured in a meeting, in results.
const PRIOR_RESULTS: f64 = 4.0;

/// The residual of two players, in log odds of the first of them.
pub struct Residual {
    pub players: [usize; 2],
    pub value: f64,
    pub variance: f64,
    /// The difference of the strengths, plus the residual.
    pub odds: f64,
    /// The residual in standard deviations, as a normal variable.
    pub deviations: f64,
    /// The part of the variance that the fit takes away, because it follows the games.
    pub explained: f64,
}

/// Results of one kind in a meeting: of pairs, or of single games in one seat.
#[derive(Default)]
struct Sample {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sample {
    fn add(&mut self, value: f64, count: f64) {
        self.count += count;
        self.sum += count * value;
        self.squares += count * value * value;
    }

    /// The sum of squares about the mean, and its degrees of freedom.
    fn within(&self) -> [f64; 2] {
        match self.count > 1.0 {
            true => [
                (self.squares - self.sum * self.sum / self.count).max(0.0),
                self.count - 1.0,
            ],
            false => [0.0; 2],
        }
    }
}

/// How many times as much results vary within meetings as by the fit, and at least once: pairs, and single games by seat.
pub struct Spread([f64; 3]);

impl Spread {
    pub fn new(meetings: &[Meeting], ratings: &Ratings) -> Self {
        let mut sums = [[PRIOR_RESULTS; 2]; 3];
        for meeting in meetings {
            for (sum, (sample, of_one)) in sums.iter_mut().zip(kinds(meeting, ratings)) {
                let [squares, freedom] = sample.within();
                *sum = [sum[0] + squares / of_one, sum[1] + freedom];
            }
        }
        Self(sums.map(|[squares, freedom]| f64::max(squares / freedom, 1.0)))
    }
}

impl Residual {
    /// The residual of a meeting; `None` if its results vary too little.
    pub fn new(meeting: &Meeting, ratings: &Ratings, spread: &Spread) -> Option<Self> {
        let expected = ratings.expected_by_seat(meeting.players);
        let weights = expected.map(|it| it.weights().points);
        let residual = |seat: usize| {
            let tally = meeting.by_seat[seat];
            tally.points() - tally.games() as f64 * expected[seat].points
        };
        let games = meeting.by_seat.map(|tally| tally.games() as f64);
        let weight = games[0] * weights[0] + games[1] * weights[1];
        let (mut variance, mut measured) = (0.0, 0.0);
        for ((sample, of_one), usual) in kinds(meeting, ratings).iter().zip(spread.0) {
            let [squares, freedom] = sample.within();
            let ratio = (PRIOR_RESULTS * usual + squares / of_one) / (PRIOR_RESULTS + freedom);
            variance += sample.count * of_one * ratio;
            measured += freedom;
        }
        if weight.min(variance) < 0.25 * LEAST_GAMES {
            return None;
        }
        let [a, b] = meeting.players;
        let all = residual(0) + residual(1);
        // The part of all meetings hardly varies, so there are more degrees of freedom than results.
        let degrees = (PRIOR_RESULTS + measured).powi(2) / f64::max(measured, f64::EPSILON);
        let value = all / weight;
        Some(Self {
            players: [a, b],
            value,
            variance: variance / (weight * weight),
            odds: ratings.odds(a, b) + value,
            deviations: as_normal(all / variance.sqrt(), degrees),
            explained: (weight * weight * ratings.variance_apart(a, b) / variance).min(1.0),
        })
    }
}

/// A variable of Student's distribution as a normal one (D. Wallace, Annals of Mathematical Statistics 30, 1959).
fn as_normal(t: f64, degrees: f64) -> f64 {
    let root = (degrees * (t * t / degrees).ln_1p()).sqrt();
    (root * (8.0 * degrees + 1.0) / (8.0 * degrees + 3.0)).copysign(t)
}

/// Each kind of results of a meeting, with the variance of one by the fit.
fn kinds(meeting: &Meeting, ratings: &Ratings) -> [(Sample, f64); 3] {
    let [of_first, of_second] = ratings
        .expected_by_seat(meeting.players)
        .map(|it| it.weights().points);
    let [pairs, first, second] = samples(meeting);
    [
        (pairs, of_first + of_second),
        (first, of_first),
        (second, of_second),
    ]
}

/// The pairs of a meeting, and its single games by seat.
fn samples(meeting: &Meeting) -> [Sample; 3] {
    let mut samples: [Sample; 3] = Default::default();
    let mut singles = meeting.by_seat;
    for first in Score::ALL {
        for second in Score::ALL {
            let count = meeting.pairs[first as usize][second as usize];
            samples[0].add(first.points() + second.points(), count as f64);
            for (seat, score) in [first, second].into_iter().enumerate() {
                singles[seat] = without(singles[seat], score, count);
            }
        }
    }
    for (sample, tally) in samples[1..].iter_mut().zip(singles) {
        let counts = [(0.0, tally.losses), (0.5, tally.draws), (1.0, tally.wins)];
        counts
            .iter()
            .for_each(|(points, count)| sample.add(*points, *count as f64));
    }
    samples
}

fn without(mut tally: Tally, score: Score, count: u64) -> Tally {
    match score {
        Score::Win => tally.wins -= count,
        Score::Draw => tally.draws -= count,
        Score::Loss => tally.losses -= count,
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::math::normal;

    #[test]
    fn quantiles_of_student_become_normal_ones() {
        for degrees in [4.0, 8.0, 30.0, 1e5] {
            let z = as_normal(normal::student_quantile(degrees), degrees);
            assert!((z - 1.96).abs() < 0.01, "{degrees} {z}");
        }
    }
}
