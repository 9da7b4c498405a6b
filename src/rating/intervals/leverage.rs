//! Products of matrices and vectors, and the correction of a block's own leverage.

use crate::rating::math::Symmetric;

/// Terms of the series below are left out from this size on, relative to the first one.
const SMALL: f64 = 1e-9;

/// Upper bound on these terms. A block that alone knows a parameter converges slowly.
const MOST_TERMS: usize = 400;

/// A product of a matrix and a vector.
pub fn product(matrix: &Symmetric, vector: &[f64]) -> Vec<f64> {
    (0..vector.len())
        .map(|row| dot(matrix.row(row), vector))
        .collect()
}

pub fn dot<'a>(one: impl IntoIterator<Item = &'a f64>, other: &[f64]) -> f64 {
    one.into_iter().zip(other).map(|(a, b)| a * b).sum()
}

/// `(I - A B)^(-1/2) vector`, where all eigenvalues of `A B` are between 0 and 1, as a binomial series.
pub fn unleveraged(a: &Symmetric, b: &Symmetric, vector: &[f64]) -> Vec<f64> {
    let mut term = vector.to_vec();
    let mut sum = term.clone();
    let length = |vector: &[f64]| dot(vector, vector);
    let goal = SMALL * SMALL * length(vector);
    for at in 1..=MOST_TERMS {
        let factor = (2 * at - 1) as f64 / (2 * at) as f64;
        term = product(a, &product(b, &term));
        term.iter_mut().for_each(|it| *it *= factor);
        for (sum, term) in sum.iter_mut().zip(&term) {
            *sum += term;
        }
        if length(&term) <= goal {
            break;
        }
    }
    sum
}
