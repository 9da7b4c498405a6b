//! Dependence between games that began from one opening.
//!
//! An opening can favour a seat, so its games are alike by seat. Where openings come again in many pairings, the
//! number of openings limits how well the first seat's advantage is known. With the effect `u` of an opening on the
//! log odds of the first seat, `η = θa - θb + γ + u`,
//!
//! - the interval of the advantage rests on the sums over each opening's games: the cluster-robust variance
//!   of Liang and Zeger (Biometrika 73, 1986), with the leverage of Bell and McCaffrey (Survey Methodology 28,
//!   2002) and Student's quantile;
//! - the variance of `u` follows from the products of residuals of different pairs, by the method of moments. It
//!   joins the covariance of all games of an opening.

use std::collections::HashMap;

use super::covariance::Covariance;
use crate::rating::fit::{Expected, Problem, Weights};
use crate::rating::games::{OpeningGames, Score, Standings, Tally};
use crate::rating::math::{Symmetric, normal};

/// Weight that is added to the products of residuals: the weight of four pairs between equals. So neither a few games
/// nor many foregone ones determine the variance.
const PRIOR_PRODUCTS: f64 = 8.0 * 0.25 * 0.25;

/// Upper bound on the variance of `u`, in squared units of the log odds.
const MOST_VARIANCE: f64 = 25.0;

/// Openings have few games below this mean weight: the weight of 20 even games without draws.
const FEW: f64 = 20.0 * 0.25;

/// Games of one meeting and opening with the same first player, seen by the first seat.
struct Seat {
    first: usize,
    second: usize,
    expected: Expected,
    weights: Weights,
    tally: Tally,
}

/// The sums over all games of one opening.
#[derive(Default)]
struct Sums {
    /// Sums of the residuals of points and of draws.
    residuals: [f64; 2],
    /// Sums of the second derivatives.
    weights: [f64; 2],
    /// Products of the residuals, and of the weights, of each game with itself and its pair.
    own: [[f64; 2]; 2],
    /// Weights of each player's games, negative in the second seat.
    players: HashMap<usize, f64>,
}

/// The variance of the advantage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdvantageVariance {
    /// In squared units of the log odds.
    pub variance: f64,
    /// The degrees of freedom of Student's distribution.
    pub degrees: f64,
    /// The openings have too few games to differ by more than chance.
    pub few_games: bool,
}

/// The games of each opening beside the expectations of a fit.
pub struct OpeningEffects<'a> {
    standings: &'a Standings,
    problem: &'a Problem,
    at: &'a [f64],
    sums: Vec<Sums>,
}

impl<'a> OpeningEffects<'a> {
    pub fn new(standings: &'a Standings, problem: &'a Problem, at: &'a [f64]) -> Self {
        let mut all = Self {
            standings,
            problem,
            at,
            sums: Vec::new(),
        };
        all.sums.resize_with(standings.openings(), Sums::default);
        for games in standings.opening_games() {
            let seats = all.seats(games);
            let sums = &mut all.sums[games.opening];
            for seat in &seats {
                let (games, draws) = (seat.tally.games() as f64, seat.tally.draws as f64);
                let weights = [seat.weights.points, seat.weights.draws];
                sums.residuals[0] += seat.tally.points() - games * seat.expected.points;
                sums.residuals[1] += draws - games * seat.expected.draw;
                for kind in [0, 1] {
                    sums.weights[kind] += games * weights[kind];
                    sums.own[1][kind] += games * weights[kind] * weights[kind];
                }
                for (score, count) in counts(seat.tally) {
                    for (kind, residual) in seat.residuals(score).into_iter().enumerate() {
                        sums.own[0][kind] += count * residual * residual;
                    }
                }
                *sums.players.entry(seat.first).or_default() += games * seat.weights.points;
                *sums.players.entry(seat.second).or_default() -= games * seat.weights.points;
            }
            for (own, part) in sums.own.iter_mut().zip(of_pairs(games, &seats)) {
                own[0] += part[0];
                own[1] += part[1];
            }
        }
        all
    }

    /// The games with the lower player of the meeting in the first seat, and in the second.
    fn seats(&self, games: &OpeningGames) -> [Seat; 2] {
        let meeting = &self.standings.meetings()[games.meeting];
        let [low, high] = meeting
            .players
            .map(|player| self.problem.parameter_of[player]);
        let gamma = self.at[self.problem.advantage()];
        let seat = |first: usize, second: usize, tally| {
            let odds = self.at[first] - self.at[second] + gamma;
            let expected = Expected::new(odds, self.problem.nu(self.at));
            Seat {
                first,
                second,
                expected,
                weights: expected.weights(),
                tally,
            }
        };
        [
            seat(low, high, games.by_seat[0]),
            seat(high, low, games.by_seat[1].reversed()),
        ]
    }

    /// The cluster-robust variance of the advantage, if all games have openings, and openings come again. `alone` takes
    /// all games as independent. With one opening, the variance is infinite.
    pub fn advantage(&self, alone: &Covariance) -> Option<AdvantageVariance> {
        let problem = self.problem;
        let known: f64 = self
            .standings
            .opening_games()
            .map(|games| games.games())
            .sum();
        let all: f64 = problem.edges.iter().map(|edge| edge.games).sum();
        let products = |sums: &Sums| sums.weights[0].powi(2) - sums.own[1][0];
        let again: f64 = self.sums.iter().map(products).sum();
        if again < PRIOR_PRODUCTS || known < all || !problem.model.first_mover {
            return None;
        }
        let along = |parameter: usize| alone.shared(parameter)[0];
        let mut influence = vec![0.0; self.sums.len()];
        for games in self.standings.opening_games() {
            for seat in self.seats(games) {
                let count = seat.tally.games() as f64;
                let points = seat.tally.points() - count * seat.expected.points;
                let draws = seat.tally.draws as f64 - count * seat.expected.draw;
                let weight = along(seat.first) - along(seat.second) + along(problem.advantage());
                influence[games.opening] += points * weight;
                if problem.has_draws {
                    influence[games.opening] += draws * along(problem.draws());
                }
            }
        }
        let (mut variance, mut total, mut squares) = (0.0, 0.0, 0.0);
        for (sums, influence) in self.sums.iter().zip(influence) {
            let [weight, _] = sums.weights;
            let leverage = weight * along(problem.advantage());
            variance += influence * influence / (1.0 - leverage).max(f64::MIN_POSITIVE);
            total += weight;
            squares += weight * weight;
        }
        let degrees = total * total / squares - 1.0;
        let few_games = total < FEW * self.sums.len() as f64;
        let (variance, degrees) = if degrees > 0.5 && variance.is_finite() {
            (variance, degrees)
        } else {
            (f64::INFINITY, 1.0)
        };
        Some(AdvantageVariance {
            variance,
            degrees,
            few_games,
        })
    }

    /// Variances between openings: of the log odds of the first seat, and of the logarithm of `ν`.
    pub fn variances(&self, alone: &Covariance) -> [f64; 2] {
        let parameters = [self.problem.advantage(), self.problem.draws()];
        [0, 1].map(|kind| {
            let total: f64 = self.sums.iter().map(|sums| sums.weights[kind]).sum();
            let squares: f64 = self
                .sums
                .iter()
                .map(|sums| sums.weights[kind].powi(2))
                .sum();
            let fitted = match kind {
                0 => self.problem.model.first_mover,
                _ => self.problem.has_draws,
            };
            // The fit follows its games: its residuals add up to almost nothing over all openings.
            let follows = if fitted {
                alone.shared(parameters[kind])[kind]
            } else {
                0.0
            };
            let (mut above, mut below) = (0.0, PRIOR_PRODUCTS);
            for sums in &self.sums {
                let weight = sums.weights[kind];
                let products = weight * weight - sums.own[1][kind];
                above += sums.residuals[kind].powi(2) - sums.own[0][kind] + follows * products;
                below += products;
                if fitted && total > 0.0 {
                    let share = weight / total;
                    below += weight * weight * (squares / (total * total) - 2.0 * share);
                }
            }
            if below > PRIOR_PRODUCTS / 2.0 {
                (above / below).clamp(0.0, MOST_VARIANCE)
            } else {
                0.0
            }
        })
    }

    /// Adds to the information the covariance of two games of one opening that are not a pair.
    pub fn correct(&self, [points, draws]: [f64; 2], middle: &mut Symmetric) {
        let (gamma, delta) = (self.problem.advantage(), self.problem.draws());
        if points > 0.0 {
            for sums in &self.sums {
                let mut along: Vec<(usize, f64)> = sums
                    .players
                    .iter()
                    .map(|(player, weight)| (*player, *weight))
                    .collect();
                if self.problem.model.first_mover {
                    along.push((gamma, sums.weights[0]));
                }
                // The order of a hash table would change the last digits.
                along.sort_by_key(|(parameter, _)| *parameter);
                for (at, (row, one)) in along.iter().enumerate() {
                    for (column, other) in &along[..=at] {
                        middle.add(*row, *column, points * one * other);
                    }
                }
            }
            for games in self.standings.opening_games() {
                self.take_away_own(games, points, middle);
            }
        }
        if self.problem.has_draws {
            let products = |sums: &Sums| sums.weights[1].powi(2) - sums.own[1][1];
            let sum: f64 = self.sums.iter().map(products).sum();
            middle.add(delta, delta, draws * sum);
        }
    }

    /// Takes away the covariance of a game with itself and its pair, which has a place of its own.
    fn take_away_own(&self, games: &OpeningGames, variance: f64, middle: &mut Symmetric) {
        let gamma = self.problem.advantage();
        let first_mover = self.problem.model.first_mover;
        let seats = self.seats(games);
        for Seat {
            first,
            second,
            weights,
            tally,
            ..
        } in &seats
        {
            let own = -variance * tally.games() as f64 * weights.points * weights.points;
            middle.add(*first, *first, own);
            middle.add(*second, *second, own);
            middle.add(*first, *second, -own);
            if first_mover {
                middle.add(gamma, gamma, own);
                middle.add(*first, gamma, own);
                middle.add(*second, gamma, -own);
            }
        }
        let [one, two] = &seats;
        let shared =
            2.0 * variance * games.complete_pairs() * one.weights.points * two.weights.points;
        middle.add(one.first, one.first, shared);
        middle.add(one.second, one.second, shared);
        middle.add(one.first, one.second, -shared);
        if first_mover {
            middle.add(gamma, gamma, -shared);
        }
    }
}

impl Seat {
    /// Residuals of points and of draws, for a game with this score.
    fn residuals(&self, score: Score) -> [f64; 2] {
        [
            score.points() - self.expected.points,
            f64::from(score == Score::Draw) - self.expected.draw,
        ]
    }
}

/// The number of games with each score.
fn counts(tally: Tally) -> [(Score, f64); 3] {
    [
        (Score::Loss, tally.losses as f64),
        (Score::Draw, tally.draws as f64),
        (Score::Win, tally.wins as f64),
    ]
}

/// Twice the products of the residuals, and of the weights, over the two games of each pair.
fn of_pairs(games: &OpeningGames, [one, two]: &[Seat; 2]) -> [[f64; 2]; 2] {
    let mut products = [[0.0; 2]; 2];
    for first in Score::ALL {
        for second in Score::ALL {
            let count = f64::from(games.pairs[first as usize][second as usize]);
            let (of_one, of_two) = (one.residuals(first), two.residuals(second.reversed()));
            for kind in [0, 1] {
                products[0][kind] += 2.0 * count * of_one[kind] * of_two[kind];
            }
        }
    }
    let pairs = games.complete_pairs();
    products[1] = [
        2.0 * pairs * one.weights.points * two.weights.points,
        2.0 * pairs * one.weights.draws * two.weights.draws,
    ];
    products
}

impl AdvantageVariance {
    /// Half the width of the 95 % interval, in deviations.
    pub fn quantile(self) -> f64 {
        normal::student_quantile(self.degrees)
    }
}
