//! The order of the players: what the games show about it, and what they cannot show.

mod diagnostics;
mod ranking_test;

use std::ops::Range;

pub use diagnostics::{Diagnostics, FEW_GAMES};
pub use ranking_test::{OrderVerdict, RankingTest};

use crate::rating::games::{Meeting, Standings, Tally, WinDrawLoss};
use crate::rating::intervals::Ratings;
use crate::rating::math;

/// The bands of an order, given how likely one player is stronger than another: ranges of places with at least two neighbours
/// each, from the first place to the last. No player of a band is known, with this confidence, to be stronger than another
/// one. Bands can overlap, but none is inside another one.
pub fn bands(
    order: &[usize],
    confidence: f64,
    superiority: impl Fn(usize, usize) -> f64,
) -> Vec<Range<usize>> {
    let mut bands: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for (place, player) in order.iter().enumerate() {
        let clear = |other: &usize| {
            let superiority = superiority(*other, *player);
            superiority.max(1.0 - superiority) >= confidence
        };
        let last_clear = order[start..place].iter().rposition(clear);
        start = last_clear.map_or(start, |at| start + at + 1);
        if start == place {
            continue;
        }
        match bands.last_mut() {
            Some(band) if band.start == start => band.end = place + 1,
            _ => bands.push(start..place + 1),
        }
    }
    bands
}

/// Upper bound on the probability that chance alone is reported.
const CHANCE: f64 = 0.025;

/// Evidence that the results between players fit no strengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Misfit {
    /// The mean square of the residuals of meetings in units of their variance: 1 if strengths explain all.
    pub ratio: f64,
    /// The probability that chance alone makes it as large.
    pub probability: f64,
}

impl Misfit {
    /// Compares the results between players with the ratings; `None` if chance may have made them.
    pub fn found(standings: &Standings, ratings: &Ratings) -> Option<Self> {
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
        let misfit = (degrees > 0.5).then(|| Self {
            ratio: squares / degrees,
            probability: chi_squared_tail(squares / degrees, degrees),
        });
        misfit.filter(|misfit| misfit.probability < CHANCE)
    }
}

/// The probability that a chi-squared variable is above `ratio` times its degrees of freedom.
fn chi_squared_tail(ratio: f64, degrees: f64) -> f64 {
    let variance = 2.0 / (9.0 * degrees);
    math::cdf((1.0 - variance - ratio.cbrt()) / variance.sqrt())
}

/// Meetings are left out if their results vary less than this number of even games without draws: the results of a
/// few games, or between players far apart, do not have the distributions that the tests assume.
pub const LEAST_GAMES: f64 = 6.0;

/// Weight of the variance in all meetings beside the one measured in a meeting, in results.
const PRIOR_RESULTS: f64 = 4.0;

pub struct Residual {
    /// In standard deviations, as a normal variable.
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
        let all: f64 = residual(0) + residual(1);
        // The part of all meetings hardly varies, so there are more degrees of freedom than results.
        let degrees = (PRIOR_RESULTS + measured).powi(2) / f64::max(measured, f64::EPSILON);
        Some(Self {
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

fn samples(meeting: &Meeting) -> [Sample; 3] {
    let mut samples: [Sample; 3] = Default::default();
    let mut singles = meeting.by_seat;
    for first in WinDrawLoss::ALL {
        for second in WinDrawLoss::ALL {
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

fn without(mut tally: Tally, score: WinDrawLoss, count: u64) -> Tally {
    match score {
        WinDrawLoss::Win => tally.wins -= count,
        WinDrawLoss::Draw => tally.draws -= count,
        WinDrawLoss::Loss => tally.losses -= count,
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{GameCounter, Model, Ratings, WinDrawLoss};

    /// Ratings of players who each met only the next one, and won `wins` games of twenty.
    fn ratings(wins: &[u64]) -> Ratings {
        let mut standings = GameCounter::default();
        let names: Vec<String> = (0..=wins.len()).map(|name| format!("{name:02}")).collect();
        for (pair, wins) in names.windows(2).zip(wins) {
            for game in 0..20 {
                let score = if game < *wins {
                    WinDrawLoss::Win
                } else {
                    WinDrawLoss::Loss
                };
                standings.add_score([pair[0].as_str(), pair[1].as_str()], score);
            }
        }
        Ratings::new(&standings.standings(), Model { first_mover: false })
    }

    #[test]
    fn each_two_players_of_a_band_and_no_further_one_are_alike() {
        for (wins, least) in [
            (&[12, 14, 10, 11, 15, 12, 13, 19, 12, 11, 11, 14][..], 4),
            // Neighbours are alike, and the ones two places apart are not.
            (&[13; 7], 7),
            // A player who differs clearly from all others is in no band.
            (&[19, 19, 11], 1),
        ] {
            let ratings = ratings(wins);
            let order = ratings.order();
            let alike = |a: usize, b: usize| {
                let superiority = ratings.superiority(order[a], order[b]);
                superiority < 0.95 && superiority > 0.05
            };
            let all_alike = |band: &Range<usize>| {
                let mut players = band.clone();
                players.all(|a| (a + 1..band.end).all(|b| alike(a, b)))
            };
            let mut longest: Vec<Range<usize>> = Vec::new();
            for start in 0..order.len() {
                let ends = (start + 2..=order.len()).rev();
                let band = ends.map(|end| start..end).find(all_alike);
                let is_new =
                    |band: &Range<usize>| longest.last().is_none_or(|last| last.end < band.end);
                longest.extend(band.filter(is_new));
            }
            assert!(longest.len() >= least, "{longest:?}");
            let found = bands(&order, 0.95, |a, b| ratings.superiority(a, b));
            assert_eq!(found, longest);
        }
    }
}
