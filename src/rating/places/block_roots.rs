//! Vectors whose squares add up to the part of a block in the middle of the covariance.

use super::blocks::BlockTerms;
use super::game::PlacedGame;
use super::leverage::unleveraged;
use super::problem::{Fit, Problem};
use crate::rating::math::Symmetric;

/// Most parameters of a block whose leverage is corrected. No plan makes so large blocks.
const MOST_IN_BLOCK: usize = 128;

/// The part of a block in `M`, as vectors whose squares add up to it.
#[derive(Debug, Clone)]
pub struct BlockRoots {
    /// Its parameters, in order.
    pub indices: Vec<usize>,
    pub roots: Vec<Vec<f64>>,
    /// Its information about them, of several games; `None` for one game.
    information: Option<Symmetric>,
    /// The excess kurtosis of each of its derivatives.
    excess: Vec<f64>,
}

impl BlockRoots {
    pub fn new(problem: &Problem, games: &[PlacedGame], fit: &Fit) -> Self {
        let terms = BlockTerms::new(problem, games, fit);
        if let [_] = games {
            return Self {
                roots: roots(&terms.information, terms.indices.len()),
                indices: terms.indices,
                information: None,
                excess: terms.excess,
            };
        }
        let is_small = terms.indices.len() <= MOST_IN_BLOCK;
        let spread = is_small.then(|| {
            let mut spread = terms.part_of(|one, other| fit.information.cell(one, other));
            // The prior makes it positive definite, so inversion can only fail with a NaN.
            spread.invert().then_some(spread)
        });
        let root = match spread.flatten() {
            Some(spread) => unleveraged(&terms.information, &spread, &terms.gradient),
            None => terms.gradient,
        };
        Self {
            indices: terms.indices,
            roots: vec![root],
            information: Some(terms.information),
            excess: terms.excess,
        }
    }

    /// Whether it has several games.
    pub fn has_several_games(&self) -> bool {
        self.information.is_some()
    }

    /// The places of two parameters among its own.
    fn places(&self, a: usize, b: usize) -> Option<[usize; 2]> {
        let place = |index: usize| self.indices.binary_search(&index).ok();
        Some([place(a)?, place(b)?])
    }

    /// Its part of a cell of `M`.
    pub fn middle(&self, a: usize, b: usize) -> f64 {
        let parts = |[a, b]: [usize; 2]| self.roots.iter().map(|root| root[a] * root[b]).sum();
        self.places(a, b).map_or(0.0, parts)
    }

    /// The excess kurtosis of one of its derivatives; 0 of another block's.
    pub fn excess_of(&self, index: usize) -> f64 {
        let place = self.indices.binary_search(&index);
        place.map_or(0.0, |place| self.excess[place])
    }

    /// A cell of its information; 0 of one game.
    pub fn information_of(&self, a: usize, b: usize) -> f64 {
        let information = self.information.as_ref().zip(self.places(a, b));
        information.map_or(0.0, |(information, [a, b])| information.at(a, b))
    }
}

/// Vectors whose squares add up to a matrix without negative eigenvalues: Cholesky's, without the ones that are zero.
fn roots(matrix: &Symmetric, size: usize) -> Vec<Vec<f64>> {
    let mut roots: Vec<Vec<f64>> = Vec::new();
    for pivot in 0..size {
        let rest = |row: usize| {
            let taken = roots.iter().map(|root| root[row] * root[pivot]);
            matrix.at(row, pivot) - taken.sum::<f64>()
        };
        let own = rest(pivot);
        if own > SMALL * matrix.at(pivot, pivot) {
            let column = (0..size).map(|row| match row < pivot {
                true => 0.0,
                false => rest(row) / own.sqrt(),
            });
            let column: Vec<f64> = column.collect();
            roots.push(column);
        }
    }
    roots
}

/// From this size on, relative to its cell on the diagonal, a pivot is more than a rounding error.
const SMALL: f64 = 1e-12;
