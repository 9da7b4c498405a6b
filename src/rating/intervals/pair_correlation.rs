//! The correlation between the two games of a pair.

use super::covariance::Covariance;
use crate::rating::fit::{Expected, Problem, Weights};
use crate::rating::games::{Score, Standings};
use crate::rating::math::Information;
use crate::rating::math::shrinkage::{Group, own_weights};

/// Weight of uncorrelated pairs that are added to the played ones: the weight of four pairs between equals without
/// draws. So neither a few pairs nor many foregone ones determine the correlation.
const PRIOR_PAIRS: f64 = 4.0 * 0.25;

/// One game in uncorrelated coordinates: its points, and the part of being drawn that its points do not explain.
#[derive(Clone, Copy)]
struct Side {
    /// The variances of both.
    variances: [f64; 2],
    /// Regression of being drawn on points.
    slope: f64,
}

impl Side {
    fn new(expected: Expected) -> Self {
        let Weights {
            points,
            mixed,
            draws,
        } = expected.weights();
        let slope = if points > 0.0 { mixed / points } else { 0.0 };
        Self {
            variances: [points, (draws - slope * mixed).max(0.0)],
            slope,
        }
    }

    fn residuals(&self, expected: Expected, score: Score) -> [f64; 2] {
        let points = score.points() - expected.points;
        let drawn = f64::from(score == Score::Draw) - expected.draw;
        [points, drawn - self.slope * points]
    }
}

/// Covariance or correlation of two games: points with points, draws with draws, and points with the other game's
/// draw. The last one changes its sign if the players change names.
type Shared = [f64; 3];

/// The complete game pairs of one meeting.
struct Pair {
    a: usize,
    b: usize,
    count: f64,
    /// `a` in the first seat, and in the second.
    sides: [Side; 2],
    /// Sums of products of residuals.
    products: Shared,
    /// Sum of the squared products of points, in units of their variances.
    squares: f64,
}

impl Pair {
    /// The variances of both games.
    fn variances(&self) -> [[f64; 2]; 2] {
        self.sides.map(|side| side.variances)
    }

    /// The sums of products for a correlation of 1.
    fn most(&self) -> Shared {
        let [one, two] = self.variances();
        let root = |a: f64, b: f64| self.count * (a * b).sqrt();
        [
            root(one[0], two[0]),
            root(one[1], two[1]),
            root(one[0], two[1]) + root(one[1], two[0]),
        ]
    }
}

/// All complete game pairs.
pub struct Pairs(Vec<Pair>);

/// The correlations between the two games of a pair.
pub struct Correlations {
    /// Correlation of a player's points, over all meetings.
    pub points: f64,
    /// Correlations of each meeting.
    each: Vec<Shared>,
}

impl Pairs {
    pub fn new(standings: &Standings, problem: &Problem, at: &[f64]) -> Self {
        let nu = problem.nu(at);
        let meetings = || {
            let all = standings.meetings().iter();
            all.filter(|meeting| meeting.complete_pairs() > 0)
        };
        // There can be a million of them: the capacity is exact.
        let mut pairs = Vec::with_capacity(meetings().count());
        pairs.extend(meetings().map(|meeting| {
            let [low, high] = meeting.players.map(|player| problem.parameter_of[player]);
            let turned = low > high;
            let (a, b) = (low.min(high), low.max(high));
            let gamma = at[problem.advantage()];
            let expected = [gamma, -gamma].map(|seat| Expected::new(at[a] - at[b] + seat, nu));
            let sides = expected.map(Side::new);
            let (mut products, mut squares) = ([0.0; 3], 0.0);
            let unit = sides[0].variances[0] * sides[1].variances[0];
            for one in Score::ALL {
                for two in Score::ALL {
                    let [first, second] = if turned {
                        [two.reversed(), one.reversed()]
                    } else {
                        [one, two]
                    };
                    let count = f64::from(meeting.pairs[first as usize][second as usize]);
                    if count > 0.0 {
                        let [p, d] = sides[0].residuals(expected[0], one);
                        let [q, e] = sides[1].residuals(expected[1], two);
                        products[0] += count * p * q;
                        products[1] += count * d * e;
                        products[2] += count * (p * e - d * q);
                        squares += count * (p * q).powi(2) / unit;
                    }
                }
            }
            Pair {
                a,
                b,
                count: meeting.complete_pairs() as f64,
                sides,
                products,
                squares,
            }
        }));
        pairs.sort_unstable_by_key(|pair: &Pair| (pair.a, pair.b));
        Self(pairs)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of complete game pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|pair| pair.count as u64).sum()
    }

    /// The correlations, pooled over all meetings. If meetings clearly differ, each one's own estimate is shrunk
    /// towards the pool.
    pub fn correlations(&self, covariance: &Covariance, problem: &Problem) -> Correlations {
        let products: Vec<Shared> = self
            .0
            .iter()
            .map(|pair| pair.true_products(covariance, problem))
            .collect();
        let own_weights = self.own_weights(&products);
        let mut pooled = [0.0; 3];
        for (kind, pooled) in pooled.iter_mut().enumerate() {
            let (mut above, mut below) = (0.0, PRIOR_PAIRS);
            for ((pair, products), own) in self.0.iter().zip(&products).zip(&own_weights) {
                above += (1.0 - own) * products[kind];
                below += (1.0 - own) * pair.most()[kind];
            }
            *pooled = above / below;
        }
        let each = self.0.iter().zip(&products).zip(&own_weights);
        let each = each.map(|((pair, products), own)| {
            let most = pair.most();
            let mixed = [0, 1, 2].map(|kind| {
                if most[kind] > 0.0 {
                    (1.0 - own) * pooled[kind] + own * products[kind] / most[kind]
                } else {
                    pooled[kind]
                }
            });
            possible(mixed)
        });
        Correlations {
            points: possible(pooled)[0],
            each: each.collect(),
        }
    }

    /// For each meeting, the weight of its own correlations against the pool.
    fn own_weights(&self, products: &[Shared]) -> Vec<f64> {
        let groups = self.0.iter().zip(products).map(|(pair, products)| {
            let own = products[0] / pair.most()[0];
            Group {
                value: if own.is_finite() {
                    own.clamp(-1.0, 1.0)
                } else {
                    0.0
                },
                weight: pair.count,
            }
        });
        let squares: f64 = self.0.iter().map(|pair| pair.squares).sum();
        let pairs: f64 = self.0.iter().map(|pair| pair.count).sum();
        own_weights(&groups.collect::<Vec<_>>(), (squares / pairs).max(1.0))
    }

    /// The covariance of the two games of each pair, which the information leaves out.
    pub fn correction(&self, correlations: &Correlations, problem: &Problem) -> Information {
        let (gamma, delta) = (problem.advantage(), problem.draws());
        let mut middle = Information::diagonal(vec![0.0; problem.size()], problem.players);
        for (pair, [points, draws, mixed]) in self.0.iter().zip(&correlations.each) {
            let Pair { a, b, count, .. } = pair;
            let [one, two] = pair.sides;
            let variances = pair.variances();
            let covariance = |correlation: &f64, first: usize, second: usize| {
                count * correlation * (variances[0][first] * variances[1][second]).sqrt()
            };
            let points = covariance(points, 0, 0);
            let (with_second, with_first) = (covariance(mixed, 0, 1), -covariance(mixed, 1, 0));
            middle.tie(*a, *b, 2.0 * points);
            // The seats are swapped, so shared points about strength are opposed for the advantage.
            if problem.model.first_mover {
                middle.add(gamma, gamma, -2.0 * points);
            }
            if problem.has_draws {
                // Back to points and draws.
                let second = with_second + two.slope * points;
                let first = with_first + one.slope * points;
                let draws = covariance(draws, 1, 1)
                    + one.slope * with_second
                    + two.slope * with_first
                    + one.slope * two.slope * points;
                middle.add(delta, delta, 2.0 * draws);
                middle.share(1, [*a, *b], second + first);
                if problem.model.first_mover {
                    middle.add(gamma, delta, second - first);
                }
            }
        }
        middle
    }
}

impl Pair {
    /// Estimated products of the true errors. A fit follows its games, so its residuals are less alike, by the products
    /// of their leverages.
    fn true_products(&self, covariance: &Covariance, problem: &Problem) -> Shared {
        let [of_advantage, mut advantage_with_draws] = covariance.shared(problem.advantage());
        let [_, of_draws] = covariance.shared(problem.draws());
        let mut between = covariance.difference(self.a, self.b);
        if problem.model.first_mover {
            between -= of_advantage;
        } else {
            advantage_with_draws = 0.0;
        }
        let [with_a, with_b] = [self.a, self.b].map(|player| covariance.shared(player)[1]);
        let apart = with_a - with_b;
        let with_draws = [apart + advantage_with_draws, apart - advantage_with_draws];
        let [one, two] = self.sides;
        let of_both =
            |first: f64, second: f64, covariance: f64| self.count * first * second * covariance;
        let points = between
            + two.slope * with_draws[0]
            + one.slope * with_draws[1]
            + one.slope * two.slope * of_draws;
        let [p, d] = one.variances;
        let [q, e] = two.variances;
        [
            self.products[0] + of_both(p, q, points),
            self.products[1] + of_both(d, e, of_draws),
            self.products[2] + of_both(p, e, with_draws[0] + one.slope * of_draws)
                - of_both(d, q, with_draws[1] + two.slope * of_draws),
        ]
    }
}

/// Correlations that games can have: they are divided by the norm of their matrix if it is above 1.
fn possible([points, draws, mixed]: Shared) -> Shared {
    let squares = points * points + draws * draws + 2.0 * mixed * mixed;
    let determinant = points * draws + mixed * mixed;
    let apart = (squares * squares - 4.0 * determinant * determinant).max(0.0);
    let norm = ((squares + apart.sqrt()) / 2.0).sqrt().max(1.0);
    [points / norm, draws / norm, mixed / norm]
}
