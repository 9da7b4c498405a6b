//! From a fit to ratings with intervals.
//!
//! The covariance is that of all parameters together, including the advantage and the draws. The two
//! games of a pair have the same start, so they are not independent. The covariance takes this into
//! account with a correlation that is estimated from all pairs together.

use super::fit::{Edge, Expected, Model, Problem, Weights};
use super::matrix::Symmetric;
use super::standings::{Score, Standings};
use super::{ELO, Z95, normal};

/// The weight of uncorrelated pairs that are added to the pairs that were played: as much as four pairs
/// between equals without draws. So a few pairs, or many whose results were almost certain before, do not
/// determine the correlation.
const PRIOR_PAIRS: f64 = 4.0 * 0.25;

/// A value with its uncertainty, in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub elo: f64,
    /// Its standard error.
    pub error: f64,
}

impl Estimate {
    /// Half the width of the 95 % interval.
    pub fn margin(&self) -> f64 {
        Z95 * self.error
    }

    /// The lower end of the 95 % interval.
    pub fn low(&self) -> f64 {
        self.elo - self.margin()
    }

    /// The upper end of the 95 % interval.
    pub fn high(&self) -> f64 {
        self.elo + self.margin()
    }
}

/// What ratings are relative to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// The mean of all players has this many Elo.
    Mean(f64),
    /// One player has exactly this many Elo.
    Player(usize, f64),
}

impl Default for Anchor {
    fn default() -> Self {
        Self::Mean(0.0)
    }
}

/// The ratings of all players of a set of games.
#[derive(Debug, Clone)]
pub struct Ratings {
    pub(super) place: Vec<usize>,
    /// The parameters: strengths, advantage, logarithm of ν.
    pub(super) at: Vec<f64>,
    pub(super) nu: f64,
    model: Model,
    pub(super) covariance: Symmetric,
    /// The covariance of the mean strength with every parameter.
    mean_covariance: Vec<f64>,
    mean_variance: f64,
    mean: f64,
    pairs: u64,
    correlation: f64,
}

impl Ratings {
    /// Fits the ratings of all players of `standings`, in their order.
    ///
    /// Games that both players forfeited do not show who is stronger and are left out.
    pub fn new(standings: &Standings, model: Model) -> Self {
        let problem = Problem::new(standings, model);
        let (at, weights) = problem.solve();
        let mut covariance = information(&problem, &weights);
        if !covariance.invert() {
            // The priors make the matrix positive definite, so this can only happen with a NaN.
            covariance = Symmetric::zero(problem.size());
            (0..problem.size()).for_each(|cell| covariance.add(cell, cell, f64::INFINITY));
        }
        let pairs = Pairs::new(standings, &problem, &at);
        let correlations = pairs.correlations(&covariance, &problem);
        if !pairs.0.is_empty() {
            let mut middle = information(&problem, &weights);
            pairs.correct(correlations, &problem, &mut middle);
            covariance = covariance.sandwich(&middle);
        }
        let players = problem.players;
        let share = 1.0 / players.max(1) as f64;
        let mean_covariance: Vec<f64> = (0..problem.size())
            .map(|row| covariance.row(row)[..players].iter().sum::<f64>() * share)
            .collect();
        Self {
            mean_variance: mean_covariance[..players].iter().sum::<f64>() * share,
            nu: problem.nu(&at),
            mean: at[..players].iter().sum::<f64>() * share,
            place: problem.place,
            at,
            model,
            covariance,
            mean_covariance,
            pairs: pairs.0.iter().map(|pair| pair.count as u64).sum(),
            correlation: correlations[0],
        }
    }

    /// Elo per unit of strength.
    pub(super) fn scale(&self) -> f64 {
        elo_scale(self.nu)
    }

    /// Converts a combination of strengths to Elo, given its value, its variance, and its covariance with
    /// the draws' parameter, on which the scale depends.
    fn in_elo(&self, value: f64, variance: f64, with_draws: f64) -> Estimate {
        let scale = self.scale();
        let (mut slope, mut spread) = (0.0, 0.0);
        if self.nu > 0.0 {
            let draws = self.place.len() + 1;
            slope = -scale * self.draw_rate() * value;
            spread = self.covariance.at(draws, draws);
        }
        let variance =
            scale * scale * variance + 2.0 * scale * slope * with_draws + slope * slope * spread;
        Estimate {
            elo: scale * value,
            error: variance.max(0.0).sqrt(),
        }
    }

    /// How much stronger `a` is than `b`.
    pub fn difference(&self, a: usize, b: usize) -> Estimate {
        if a == b {
            return Estimate {
                elo: 0.0,
                error: 0.0,
            };
        }
        let (a, b, draws) = (self.place[a], self.place[b], self.place.len() + 1);
        let cell = |row, column| self.covariance.at(row, column);
        self.in_elo(
            self.at[a] - self.at[b],
            cell(a, a) + cell(b, b) - 2.0 * cell(a, b),
            cell(a, draws) - cell(b, draws),
        )
    }

    /// The rating of a player.
    pub fn rating(&self, player: usize, anchor: Anchor) -> Estimate {
        let (estimate, elo) = match anchor {
            Anchor::Player(anchor, elo) => (self.difference(player, anchor), elo),
            Anchor::Mean(elo) => {
                let (at, draws) = (self.place[player], self.place.len() + 1);
                let estimate = self.in_elo(
                    self.at[at] - self.mean,
                    self.covariance.at(at, at) - 2.0 * self.mean_covariance[at]
                        + self.mean_variance,
                    self.covariance.at(at, draws) - self.mean_covariance[draws],
                );
                (estimate, elo)
            }
        };
        Estimate {
            elo: estimate.elo + elo,
            ..estimate
        }
    }

    /// The probability that `a` is stronger than `b`, given the games.
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        let difference = self.difference(a, b);
        if difference.error > 0.0 {
            normal::cdf(difference.elo / difference.error)
        } else {
            0.5
        }
    }

    /// The advantage of the first seat, if it was fitted.
    pub fn advantage(&self) -> Option<Estimate> {
        let (at, draws) = (self.place.len(), self.place.len() + 1);
        self.model.first_mover.then(|| {
            self.in_elo(
                self.at[at],
                self.covariance.at(at, at),
                self.covariance.at(at, draws),
            )
        })
    }

    /// The probability of a draw between equals without an advantage.
    pub fn draw_rate(&self) -> f64 {
        draw_rate(self.nu)
    }

    /// The expected score of `a` against `b`, averaged over both seats.
    pub fn expected(&self, a: usize, b: usize) -> f64 {
        let difference = self.at[self.place[a]] - self.at[self.place[b]];
        let advantage = self.at[self.place.len()];
        let score = |odds| Expected::new(odds, self.nu).points;
        f64::midpoint(score(difference + advantage), score(difference - advantage))
    }

    /// How many complete game pairs there are.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The correlation of a player's results in the two games of a pair, beyond what the ratings explain.
    /// The intervals take it into account.
    pub fn pair_correlation(&self) -> f64 {
        self.correlation
    }
}

/// The probability of a draw between equals without an advantage.
fn draw_rate(nu: f64) -> f64 {
    nu / (2.0 + nu)
}

/// Elo per unit of strength. Between equals, one Elo changes the expected score by as much as on the
/// classical Elo curve, however many games are drawn.
pub(super) fn elo_scale(nu: f64) -> f64 {
    ELO * (1.0 - draw_rate(nu))
}

/// Minus the second derivatives of the log posterior, as a matrix. Parameters that are not fitted have
/// only their prior, and change nothing.
fn information(problem: &Problem, weights: &[Weights]) -> Symmetric {
    let mut matrix = Symmetric::zero(problem.size());
    for parameter in 0..problem.size() {
        matrix.add(parameter, parameter, problem.precision(parameter));
    }
    let (gamma, delta) = (problem.advantage(), problem.draws());
    let (mut side_side, mut side_draws, mut draws_draws) = (0.0, 0.0, 0.0);
    for (
        Edge {
            a, b, side, games, ..
        },
        weights,
    ) in problem.edges.iter().zip(weights)
    {
        let points = games * weights.points;
        matrix.add(*a, *a, points);
        matrix.add(*b, *b, points);
        matrix.add(*a, *b, -points);
        if problem.model.first_mover {
            matrix.add(*a, gamma, side * points);
            matrix.add(*b, gamma, -side * points);
            side_side += points;
        }
        if problem.has_draws {
            let mixed = games * weights.mixed;
            matrix.add(*a, delta, mixed);
            matrix.add(*b, delta, -mixed);
            side_draws += side * mixed;
            draws_draws += games * weights.draws;
        }
    }
    matrix.add(gamma, gamma, side_side);
    if problem.model.first_mover {
        matrix.add(gamma, delta, side_draws);
    }
    matrix.add(delta, delta, draws_draws);
    matrix
}

/// The complete game pairs of one meeting.
struct Pair {
    a: usize,
    b: usize,
    count: f64,
    /// The second derivatives of the two games: `a` in the first seat, and in the second.
    weights: [Weights; 2],
    /// The sum of the products of the residuals of the two games: of points, and of draws.
    products: [f64; 2],
}

struct Pairs(Vec<Pair>);

impl Pairs {
    fn new(standings: &Standings, problem: &Problem, at: &[f64]) -> Self {
        let nu = problem.nu(at);
        let mut pairs: Vec<Pair> = standings
            .meetings()
            .iter()
            .filter(|meeting| meeting.complete_pairs() > 0)
            .map(|meeting| {
                let [low, high] = meeting.players.map(|player| problem.place[player]);
                let turned = low > high;
                let (a, b) = (low.min(high), low.max(high));
                let gamma = at[problem.advantage()];
                let games = [gamma, -gamma].map(|side| Expected::new(at[a] - at[b] + side, nu));
                let mut products = [0.0; 2];
                for one in Score::ALL {
                    for two in Score::ALL {
                        let [first, second] = match turned {
                            false => [one, two],
                            true => [two.reversed(), one.reversed()],
                        };
                        let count = meeting.pairs[first as usize][second as usize] as f64;
                        let points = [one, two].map(Score::points);
                        let drawn = [one, two].map(|score| f64::from(score == Score::Draw));
                        products[0] +=
                            count * (points[0] - games[0].points) * (points[1] - games[1].points);
                        products[1] +=
                            count * (drawn[0] - games[0].draw) * (drawn[1] - games[1].draw);
                    }
                }
                Pair {
                    a,
                    b,
                    count: meeting.complete_pairs() as f64,
                    weights: games.map(Expected::weights),
                    products,
                }
            })
            .collect();
        pairs.sort_by_key(|pair| (pair.a, pair.b));
        Self(pairs)
    }

    /// The correlations between the two games of a pair: of a player's points, and of draws.
    fn correlations(&self, covariance: &Symmetric, problem: &Problem) -> [f64; 2] {
        let (gamma, delta) = (problem.advantage(), problem.draws());
        let mut above = [0.0; 2];
        let mut below = [PRIOR_PAIRS; 2];
        for Pair {
            a,
            b,
            count: pairs,
            weights: [one, two],
            products,
        } in &self.0
        {
            // A fit follows its games, so its residuals are a little less correlated than the true
            // ones: by the product of their leverages.
            let apart = covariance.at(*a, *a) + covariance.at(*b, *b)
                - 2.0 * covariance.at(*a, *b)
                - covariance.at(gamma, gamma) * f64::from(problem.model.first_mover);
            above[0] += products[0] + pairs * one.points * two.points * apart;
            below[0] += pairs * (one.points * two.points).sqrt();
            above[1] += products[1] + pairs * one.draws * two.draws * covariance.at(delta, delta);
            below[1] += pairs * (one.draws * two.draws).sqrt();
        }
        [0, 1].map(|kind| (above[kind] / below[kind]).clamp(-1.0, 1.0))
    }

    /// Adds the covariance of the two games of each pair to the information.
    fn correct(&self, [points, draws]: [f64; 2], problem: &Problem, middle: &mut Symmetric) {
        let (gamma, delta) = (problem.advantage(), problem.draws());
        for Pair {
            a,
            b,
            count,
            weights: [one, two],
            ..
        } in &self.0
        {
            let shared = 2.0 * count * points * (one.points * two.points).sqrt();
            middle.add(*a, *a, shared);
            middle.add(*b, *b, shared);
            middle.add(*a, *b, -shared);
            // The seats are swapped: what the games share about strength is opposed for the advantage.
            if problem.model.first_mover {
                middle.add(gamma, gamma, -shared);
            }
            if problem.has_draws {
                middle.add(
                    delta,
                    delta,
                    2.0 * count * draws * (one.draws * two.draws).sqrt(),
                );
            }
        }
    }
}
