//! The covariance of all parameters, with the games of a block as dependent as they are.
//!
//! It is `H⁻¹ M H⁻¹` (K.-Y. Liang, S. Zeger, Biometrika 73, 1986). In `M`, a block of several games has the square of its
//! gradient `s`, a block of one game its information, and the prior its precision. A fit follows its games, so `s` is too
//! small by the block's leverage. With the block's information `Φ` it becomes `(I - Φ H⁻¹)^(-1/2) s`, so its expected
//! square is `Φ` if the games are independent (R. Bell, D. McCaffrey, Survey Methodology 28, 2002).

use std::collections::{BTreeMap, BTreeSet};

use super::game::PlacedGame;
use super::leverage::{dot, product, unleveraged};
use super::problem::{Fit, Problem};
use crate::rating::math::Symmetric;

/// The derivatives of a block of games.
#[derive(Debug, Clone)]
pub struct BlockTerms {
    /// Its parameters, in order.
    pub indices: Vec<usize>,
    pub gradient: Vec<f64>,
    /// Its information about them.
    pub information: Symmetric,
    /// The excess kurtosis of each of its derivatives.
    pub excess: Vec<f64>,
}

impl BlockTerms {
    pub fn new(problem: &Problem, games: &[PlacedGame], fit: &Fit) -> Self {
        let mut places = BTreeMap::new();
        for (_, index) in games.iter().flat_map(|game| problem.indices(game)) {
            places.insert(index, 0);
        }
        for (place, at) in places.values_mut().enumerate() {
            *at = place;
        }
        let mut gradient = vec![0.0; places.len()];
        let mut information = Symmetric::zero(places.len());
        let mut excess = vec![0.0; places.len()];
        for game in games {
            let terms = problem.terms(game, &fit.at);
            for (local, index) in problem.indices(game) {
                gradient[places[&index]] += terms.gradient[local];
            }
            let terms = problem.terms(game, &fit.moderate);
            for (local, index) in problem.indices(game) {
                excess[places[&index]] += terms.fourth_cumulants[local];
            }
            problem.for_each_cell(game, &terms, |one, other, value| {
                information.add(places[&one], places[&other], value);
            });
        }
        for (at, excess) in excess.iter_mut().enumerate() {
            let variance = information.at(at, at);
            *excess = match variance > 0.0 {
                true => *excess / (variance * variance),
                false => 0.0,
            };
        }
        Self {
            indices: places.into_keys().collect(),
            gradient,
            information,
            excess,
        }
    }

    /// The cells that a matrix of all parameters has for its own.
    pub fn part_of(&self, cell: impl Fn(usize, usize) -> f64) -> Symmetric {
        let mut part = Symmetric::zero(self.indices.len());
        for (row, one) in self.indices.iter().enumerate() {
            for (column, other) in self.indices[..=row].iter().enumerate() {
                part.add(row, column, cell(*one, *other));
            }
        }
        part
    }

    /// The expected square of its contribution to a sum of parameters, which is `told` by the model's covariance.
    fn expected(&self, told: &[f64]) -> f64 {
        let own: Vec<f64> = self.indices.iter().map(|index| told[*index]).collect();
        dot(&own, &product(&self.information, &own))
    }

    /// The mean excess of the parts of a sum.
    fn excess_of(&self, sum: &Sum) -> f64 {
        let parts = sum.parts.iter().filter_map(|(index, weight)| {
            let place = self.indices.binary_search(index).ok()?;
            Some([weight.abs() * self.excess[place], weight.abs()])
        });
        let [all, weights] = parts.fold([0.0; 2], |all, part| [all[0] + part[0], all[1] + part[1]]);
        match weights > 0.0 {
            true => all / weights,
            false => 0.0,
        }
    }
}

/// Properties of the blocks that tell how well the variance of a sum is known.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence {
    /// The variance by the model.
    pub variance: f64,
    /// The sum of the squares of the expected parts of the blocks.
    pub squares: f64,
    /// The sum of these squares, each times its excess kurtosis.
    pub excess: f64,
}

impl Evidence {
    /// Satterthwaite's degrees of freedom, less the one of the sum itself; infinite where the model gives the variance.
    ///
    /// A square varies by its kurtosis: less than a normal one among equals, and more where one player nearly always wins.
    /// If a player always won, its kurtosis comes from the prior alone, so two degrees are left.
    pub fn freedom(self) -> f64 {
        if self.squares <= 0.0 {
            return f64::INFINITY;
        }
        let square = self.variance * self.variance;
        let of_normal = square / self.squares - 1.0;
        if of_normal <= 0.0 {
            return 0.0;
        }
        let freedom = 1.0 / (1.0 / of_normal + self.excess / (2.0 * square));
        freedom.max(LEAST_FREEDOM.min(of_normal))
    }
}

/// Degrees of freedom that kurtosis leaves at least.
const LEAST_FREEDOM: f64 = 2.0;

/// The covariance of all parameters.
#[derive(Debug, Clone)]
pub struct BlockCovariance {
    /// The covariance by the model: the inverse of the information `H`.
    by_model: Symmetric,
    covariance: Symmetric,
    blocks: Vec<BlockTerms>,
    /// The blocks of each parameter.
    blocks_of: Vec<Vec<usize>>,
    players: usize,
    /// The covariance of the mean strength with each parameter.
    with_mean: Vec<f64>,
    with_mean_by_model: Vec<f64>,
    mean_variance: f64,
}

/// A sum of parameters.
#[derive(Debug, Clone, Default)]
pub struct Sum {
    /// Each index with its weight.
    pub parts: Vec<(usize, f64)>,
    /// The weight of the mean strength of all players.
    pub of_mean: f64,
}

impl Sum {
    /// The distance of a strength from the mean of all.
    pub fn from_mean(player: usize) -> Self {
        Self {
            parts: vec![(player, 1.0)],
            of_mean: -1.0,
        }
    }
}

impl BlockCovariance {
    pub fn new(problem: &Problem, fit: &Fit) -> Self {
        let mut by_model = fit.information.to_dense();
        // The prior makes it positive definite, so inversion can only fail with a NaN.
        if !by_model.invert() {
            by_model = Symmetric::unknown(problem.size());
        }
        let mut middle = Symmetric::zero(problem.size());
        for index in 0..problem.size() {
            middle.add(index, index, problem.precision(index));
        }
        let mut blocks = Vec::new();
        for games in problem.games.chunk_by(|a, b| a.block == b.block) {
            if let [game] = games {
                let terms = problem.terms(game, &fit.moderate);
                problem.for_each_cell(game, &terms, |one, other, value| {
                    middle.add(one, other, value)
                });
                continue;
            }
            let block = BlockTerms::new(problem, games, fit);
            let spread = block.part_of(|one, other| by_model.at(one, other));
            let gradient = unleveraged(&block.information, &spread, &block.gradient);
            for (row, one) in block.indices.iter().enumerate() {
                for (column, other) in block.indices[..=row].iter().enumerate() {
                    middle.add(*one, *other, gradient[row] * gradient[column]);
                }
            }
            blocks.push(block);
        }
        let mut blocks_of = vec![Vec::new(); problem.size()];
        for (at, block) in blocks.iter().enumerate() {
            block
                .indices
                .iter()
                .for_each(|index| blocks_of[*index].push(at));
        }
        let (players, size) = (problem.players, problem.size());
        let covariance = by_model.sandwich(&middle);
        let with_mean_of_all = with_mean(&covariance, players, size);
        let of_players = with_mean_of_all[..players].iter().sum::<f64>();
        Self {
            with_mean_by_model: with_mean(&by_model, players, size),
            mean_variance: of_players / players.max(1) as f64,
            with_mean: with_mean_of_all,
            players,
            covariance,
            by_model,
            blocks,
            blocks_of,
        }
    }

    /// The variance of a sum of parameters.
    pub fn variance(&self, sum: &Sum) -> f64 {
        let mut variance = sum.of_mean * sum.of_mean * self.mean_variance;
        for (one, a) in &sum.parts {
            variance += 2.0 * a * sum.of_mean * self.with_mean[*one];
            for (other, b) in &sum.parts {
                variance += a * b * self.covariance.at(*one, *other);
            }
        }
        variance.max(0.0)
    }

    /// The [degrees of freedom](Evidence::freedom) of the variance of a sum.
    ///
    /// Blocks without the parts hardly bear on the sum, and count as known.
    pub fn freedom(&self, sum: &Sum) -> f64 {
        let of_mean = self.with_mean_by_model.iter().map(|it| sum.of_mean * it);
        let mut told: Vec<f64> = of_mean.collect();
        for (index, weight) in &sum.parts {
            for (told, cell) in told.iter_mut().zip(self.by_model.row(*index)) {
                *told += weight * cell;
            }
        }
        let parts = sum.parts.iter();
        let of_parts: f64 = parts.map(|(index, weight)| weight * told[*index]).sum();
        let mean_told = told[..self.players].iter().sum::<f64>() / self.players.max(1) as f64;
        let parts = sum.parts.iter();
        let blocks = parts.flat_map(|(index, _)| &self.blocks_of[*index]);
        let blocks: BTreeSet<usize> = blocks.copied().collect();
        let mut evidence = Evidence {
            variance: of_parts + sum.of_mean * mean_told,
            ..Evidence::default()
        };
        for at in blocks {
            let square = self.blocks[at].expected(&told).powi(2);
            evidence.squares += square;
            evidence.excess += square * self.blocks[at].excess_of(sum);
        }
        evidence.freedom()
    }
}

/// The covariance of the mean of the first parameters with each.
fn with_mean(covariance: &Symmetric, players: usize, size: usize) -> Vec<f64> {
    let row = |row: usize| covariance.row(row).take(players).sum::<f64>();
    (0..size)
        .map(|at| row(at) / players.max(1) as f64)
        .collect()
}
