//! Whether one strength per player explains who beats whom.
//!
//! The results of each two players are compared with the fit, with the variance that their game pairs show:
//! if both games of a pair tend to go to the same seat, their sum hardly varies, and little is much. Two tests
//! share a chance of error of 5 %:
//!
//! - of all meetings together: the sum of squared residuals in units of their variance, by the distribution
//!   of F, with Paulson's approximation (Annals of Mathematical Statistics 13, 1942);
//! - of each three players: the sum of their log odds around the circle, in which strengths cancel, by the
//!   normal distribution with Bonferroni's bound.

use std::collections::BTreeSet;

use crate::rating::fit::{Expected, Weights};
use crate::rating::games::{Meeting, Score, Standings};
use crate::rating::intervals::Ratings;
use crate::rating::math::normal;
use crate::rating::math::shrinkage::{Group, own_weights};

/// The probability that chance alone is reported is at most this.
const CHANCE: f64 = 0.05;

/// How many cycles are listed. There can be a great many.
const MAX_CYCLES: usize = 10;

/// How many triples are looked at, at most: those with the meetings furthest from what is expected.
const MAX_TRIPLES: usize = 20_000_000;

/// A meeting counts if its results vary as much as those of so many even games without draws, or more: few
/// games, and those between players who are far apart, do not have the distributions that the tests assume.
const LEAST_GAMES: f64 = 6.0;

/// How many pairs as the fit has them are added to the pairs that were played.
const PRIOR_PAIRS: f64 = 4.0;

/// Three players, each of whom does better than the next one, and the last one better than the first, by more
/// than chance makes of any strengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycle(pub [usize; 3]);

/// That the results between players are further from those of any strengths than chance makes them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Misfit {
    /// The mean square of the residuals of meetings in units of their variance: 1 if strengths explain all.
    pub ratio: f64,
    /// How likely chance alone makes it as large.
    pub probability: f64,
}

/// What the two tests found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Circles {
    pub misfit: Option<Misfit>,
    pub cycles: Vec<Cycle>,
    pub count: u64,
}

/// The results of two players against the fit, in log odds of the first of them.
struct Edge {
    players: [usize; 2],
    /// What the strengths do not explain, and its variance.
    residual: f64,
    variance: f64,
    /// The difference of the strengths, and what they do not explain.
    odds: f64,
}

/// Runs both tests.
pub fn circles(standings: &Standings, ratings: &Ratings) -> Circles {
    let dispersion = Dispersion::new(standings, ratings);
    let mut edges = Vec::new();
    let (mut squares, mut follows, mut kurtosis) = (0.0, 0.0, 0.0);
    // No game varies more than an even one without draws.
    let may_count = |meeting: &&Meeting| meeting.tally().games() as f64 >= LEAST_GAMES;
    let meetings = standings.meetings().iter().zip(&dispersion.ratios);
    for (meeting, ratio) in meetings.filter(|(meeting, _)| may_count(meeting)) {
        let games = Games::new(meeting, ratings);
        let weight = games.weight();
        let in_pairs = meeting.complete_pairs() as f64 * games.of_pair();
        let variance = weight + (ratio - 1.0) * in_pairs;
        if weight.min(variance) < 0.25 * LEAST_GAMES {
            continue;
        }
        let [a, b] = meeting.players;
        let explained = weight * weight * ratings.variance_apart(a, b) / variance;
        squares += games.residual * games.residual / variance;
        follows += explained.min(1.0);
        kurtosis += games.excess() / (weight * weight);
        let residual = games.residual / weight;
        edges.push(Edge {
            players: [a, b],
            residual,
            variance: variance / (weight * weight),
            odds: ratings.odds(a, b) + residual,
        });
    }
    // A fit follows its games, by one degree of freedom for each strength but one. A misfit would seem more.
    let most = standings.players().len().saturating_sub(1) as f64;
    let degrees = edges.len() as f64 - f64::min(follows, most);
    let misfit = (degrees > 0.5).then(|| {
        let ratio = squares / degrees;
        // The sum has the variance of that many squares of normal variables.
        let squares = 2.0 * degrees * degrees / (2.0 * degrees + kurtosis).max(degrees);
        Misfit {
            ratio,
            probability: f_tail(ratio, squares, dispersion.degrees),
        }
    });
    let (cycles, count) = cycles(standings, &edges);
    Circles {
        misfit: misfit.filter(|misfit| misfit.probability < CHANCE / 2.0),
        cycles,
        count,
    }
}

/// The probability that a variable of F is above `ratio`.
fn f_tail(ratio: f64, above: f64, below: f64) -> f64 {
    let (a, b) = (2.0 / (9.0 * above), 2.0 / (9.0 * below));
    let root = ratio.cbrt();
    let z = ((1.0 - b) * root - (1.0 - a)) / (b * root * root + a).sqrt();
    normal::cdf(-z)
}

/// The games of a meeting, as the fit expects them.
struct Games<'a> {
    meeting: &'a Meeting,
    expected: [Expected; 2],
    weights: [Weights; 2],
    /// The points of the first of the two beyond what is expected.
    residual: f64,
}

impl<'a> Games<'a> {
    fn new(meeting: &'a Meeting, ratings: &Ratings) -> Self {
        let expected = ratings.expected_by_seat(meeting.players);
        let beyond = |seat: usize| {
            let tally = meeting.by_seat[seat];
            tally.points() - tally.games() as f64 * expected[seat].points
        };
        Self {
            meeting,
            expected,
            weights: expected.map(Expected::weights),
            residual: beyond(0) + beyond(1),
        }
    }

    fn sum(&self, of: impl Fn(usize) -> f64) -> f64 {
        let games = |seat: usize| self.meeting.by_seat[seat].games() as f64;
        [0, 1].map(|seat| games(seat) * of(seat)).iter().sum()
    }

    /// The variance of the points, if all games were independent.
    fn weight(&self) -> f64 {
        self.sum(|seat| self.weights[seat].points)
    }

    /// The variance of the points of a pair of independent games.
    fn of_pair(&self) -> f64 {
        self.weights[0].points + self.weights[1].points
    }

    /// The fourth moment of the points beyond that of a normal variable.
    fn excess(&self) -> f64 {
        self.sum(|seat| {
            let Expected { points, draw, .. } = self.expected[seat];
            let chances = [1.0 - points - draw / 2.0, draw, points - draw / 2.0];
            let fourth = |score: Score| (score.points() - points).powi(4) * chances[score as usize];
            let variance = self.weights[seat].points;
            Score::ALL.map(fourth).iter().sum::<f64>() - 3.0 * variance * variance
        })
    }
}

/// How much the sums of game pairs vary about the mean of their meeting, relative to independent games. It is
/// measured within meetings, so that a misfit does not hide itself.
struct Dispersion {
    /// For each meeting: that of all, unless they are clearly unlike.
    ratios: Vec<f64>,
    degrees: f64,
}

impl Dispersion {
    fn new(standings: &Standings, ratings: &Ratings) -> Self {
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
        // The variance of a mean square of normal variables, of which so many are free.
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
            degrees: match degrees > 0.0 {
                true => below,
                false => 1e9,
            },
        }
    }
}

/// The sum of squares of the pairs of a meeting about their mean, in units of what is expected, and how many of
/// them are free; `None` if they are too few.
fn squares_within(meeting: &Meeting, ratings: &Ratings) -> Option<[f64; 2]> {
    let pairs = meeting.complete_pairs() as f64;
    let games = Games::new(meeting, ratings);
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
    // As the test has them: pairs of unequal players are less alike.
    Some([(square - sum * sum / pairs) / games.of_pair(), pairs - 1.0])
}

/// Cycles of three players, and how many there are.
fn cycles(standings: &Standings, edges: &[Edge]) -> (Vec<Cycle>, u64) {
    let by_name = standings.by_name();
    let players = by_name.len();
    let mut place = vec![0; players];
    for (at, player) in by_name.iter().enumerate() {
        place[*player] = at;
    }
    // The edges of each player, by the place of the other.
    let mut neighbours: Vec<Vec<(usize, usize)>> = vec![Vec::new(); players];
    for (at, edge) in edges.iter().enumerate() {
        let [a, b] = edge.players.map(|player| place[player]);
        neighbours[a].push((b, at));
        neighbours[b].push((a, at));
    }
    neighbours.iter_mut().for_each(|list| list.sort_unstable());
    let triples: usize = triples(&neighbours);
    if triples == 0 {
        return (Vec::new(), 0);
    }
    // In either direction.
    let least = normal::upper_quantile(CHANCE / 4.0 / triples as f64);
    let deviations = |edge: &Edge| edge.residual.abs() / edge.variance.sqrt();
    // By Cauchy and Schwarz, one of three residuals is at least this far from none.
    let mut far: Vec<usize> = (0..edges.len()).collect();
    far.retain(|at| deviations(&edges[*at]) >= least / 3_f64.sqrt());
    far.sort_by(|a, b| deviations(&edges[*b]).total_cmp(&deviations(&edges[*a])));
    far.truncate(MAX_TRIPLES / players);
    let mut rank = vec![usize::MAX; edges.len()];
    for (at, edge) in far.iter().enumerate() {
        rank[*edge] = at;
    }
    let (mut cycles, mut count) = (BTreeSet::new(), 0);
    for at in far {
        let edge = &edges[at];
        // The direction in which the residual goes around the circle.
        let [a, b] = match edge.residual > 0.0 {
            true => edge.players.map(|player| place[player]),
            false => [place[edge.players[1]], place[edge.players[0]]],
        };
        let seen_by = |at: usize, player: usize| {
            let edge = &edges[at];
            match place[edge.players[0]] == player {
                true => [edge.residual, edge.odds],
                false => [-edge.residual, -edge.odds],
            }
        };
        for (c, [of_b, of_a]) in common(&neighbours[b], &neighbours[a]) {
            // Each triple is found once, from its edge with the least rank.
            if rank[of_b].min(rank[of_a]) < rank[at] {
                continue;
            }
            let around = [seen_by(at, a), seen_by(of_b, b), seen_by(of_a, c)];
            let sum: f64 = around.iter().map(|[residual, _]| residual).sum();
            let variance: f64 = [at, of_b, of_a].map(|at| edges[at].variance).iter().sum();
            if sum < least * variance.sqrt() || around.iter().any(|[_, odds]| *odds <= 0.0) {
                continue;
            }
            count += 1;
            let mut cycle = [a, b, c];
            let first = cycle
                .iter()
                .min()
                .and_then(|least| cycle.iter().position(|it| it == least));
            cycle.rotate_left(first.unwrap_or_default());
            cycles.insert(cycle);
            if cycles.len() > MAX_CYCLES {
                cycles.pop_last();
            }
        }
    }
    let named = cycles
        .into_iter()
        .map(|cycle| Cycle(cycle.map(|at| by_name[at])));
    (named.collect(), count)
}

/// What is in both lists, with the two edges that lead there. Both are sorted.
fn common<'a>(
    one: &'a [(usize, usize)],
    other: &'a [(usize, usize)],
) -> impl Iterator<Item = (usize, [usize; 2])> + 'a {
    let mut other = other.iter().peekable();
    one.iter().filter_map(move |(player, edge)| {
        while other.next_if(|(next, _)| next < player).is_some() {}
        let (_, found) = other.next_if(|(next, _)| next == player)?;
        Some((*player, [*edge, *found]))
    })
}

/// How many sets of three players have all met.
fn triples(neighbours: &[Vec<(usize, usize)>]) -> usize {
    let words = neighbours.len().div_ceil(64);
    let mut met = vec![0_u64; words * neighbours.len()];
    for (player, list) in neighbours.iter().enumerate() {
        for (other, _) in list {
            met[player * words + other / 64] |= 1 << (other % 64);
        }
    }
    let row = |player: usize| &met[player * words..][..words];
    let mut sum = 0;
    for (player, list) in neighbours.iter().enumerate() {
        for (other, _) in list.iter().filter(|(other, _)| *other > player) {
            let both = row(player).iter().zip(row(*other));
            sum += both
                .map(|(a, b)| (a & b).count_ones() as usize)
                .sum::<usize>();
        }
    }
    sum / 3
}
