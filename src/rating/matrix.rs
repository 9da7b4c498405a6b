//! The linear algebra that intervals need: dense symmetric matrices.

use std::f64::consts::TAU;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, Axis, s};

use crate::random::Stream;

/// How many pivots are taken together, so that nearly all of the work is a product of matrices.
const BLOCK: usize = 64;

/// A dense symmetric matrix.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Symmetric(Array2<f64>);

impl Symmetric {
    pub fn zero(size: usize) -> Self {
        Self(Array2::zeros((size, size)))
    }

    fn size(&self) -> usize {
        self.0.nrows()
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.0[[row, column]]
    }

    pub fn row(&self, row: usize) -> impl Iterator<Item = &f64> {
        self.0.row(row).into_iter()
    }

    /// Adds to a cell and to its mirror image.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.0[[row, column]] += value;
        if row != column {
            self.0[[column, row]] += value;
        }
    }

    /// Inverts a positive definite matrix in place. Returns `false` if it is not positive definite.
    ///
    /// Gauss and Jordan's elimination, with one block of pivots at a time.
    pub fn invert(&mut self) -> bool {
        let size = self.size();
        for start in (0..size).step_by(BLOCK) {
            let pivots = start..(start + BLOCK).min(size);
            let mut inverse = self.0.slice(s![pivots.clone(), pivots.clone()]).to_owned();
            if !invert_small(&mut inverse) {
                return false;
            }
            let mut others = self.0.slice(s![.., pivots.clone()]).to_owned();
            others.slice_mut(s![pivots.clone(), ..]).fill(0.0);
            // What stands in the columns of the pivots becomes that of the inverse.
            let mut columns = self.0.slice_mut(s![.., pivots.clone()]);
            columns.fill(0.0);
            let mut block = columns.slice_mut(s![pivots.clone(), ..]);
            block.diag_mut().fill(1.0);
            let rows = inverse.dot(&self.0.slice(s![pivots.clone(), ..]));
            general_mat_mul(-1.0, &others, &rows, 1.0, &mut self.0);
            self.0.slice_mut(s![pivots, ..]).assign(&rows);
        }
        self.mirror();
        true
    }

    /// Makes the matrix symmetric again, since rounding differs on the two sides of the diagonal.
    fn mirror(&mut self) {
        for row in 0..self.size() {
            for column in 0..row {
                let mean = f64::midpoint(self.at(row, column), self.at(column, row));
                self.0[[row, column]] = mean;
                self.0[[column, row]] = mean;
            }
        }
    }

    /// Cholesky's factor of the first rows and columns. Pivots that are not positive become 0.
    pub fn factor(&self, size: usize) -> Factor {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(size);
        for row in 0..size {
            let mut cells: Vec<f64> = Vec::with_capacity(row + 1);
            for column in 0..=row {
                let known = rows.get(column).unwrap_or(&cells);
                let sum: f64 = cells.iter().zip(known).map(|(a, b)| a * b).sum();
                let rest = self.at(row, column) - sum;
                cells.push(match rows.get(column) {
                    None => rest.max(0.0).sqrt(),
                    Some(other) if other[column] > 0.0 => rest / other[column],
                    Some(_) => 0.0,
                });
            }
            rows.push(cells);
        }
        Factor(rows)
    }

    /// `self · middle · self`.
    pub fn sandwich(&self, middle: &Self) -> Self {
        let mut product = Self(self.0.dot(&middle.0).dot(&self.0));
        product.mirror();
        product
    }
}

/// The rows of a lower triangular matrix, up to the diagonal.
#[derive(Debug)]
pub(super) struct Factor(Vec<Vec<f64>>);

impl Factor {
    /// A vector of normal variables with the covariance whose factor this is.
    pub fn times_random(&self, random: &mut Stream) -> Vec<f64> {
        let mut uniform = || ((random.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
        // By Box and Muller (Annals of Mathematical Statistics 29, 1958).
        let normals: Vec<f64> = self
            .0
            .iter()
            .map(|_| (-2.0 * uniform().ln()).sqrt() * (TAU * uniform()).cos())
            .collect();
        let rows = self.0.iter();
        rows.map(|row| row.iter().zip(&normals).map(|(a, b)| a * b).sum())
            .collect()
    }
}

/// Gauss and Jordan, one pivot at a time.
fn invert_small(matrix: &mut Array2<f64>) -> bool {
    for k in 0..matrix.nrows() {
        let pivot = matrix[[k, k]];
        if pivot.is_nan() || pivot <= 0.0 {
            return false;
        }
        let mut row = matrix.row(k).to_owned();
        row /= pivot;
        row[k] = 1.0 / pivot;
        for (at, mut other) in matrix.axis_iter_mut(Axis(0)).enumerate() {
            let factor = if at == k {
                0.0
            } else {
                -std::mem::take(&mut other[k])
            };
            other.scaled_add(factor, &row);
        }
        matrix.row_mut(k).assign(&row);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A positive definite matrix of this size, without structure.
    fn example(size: usize) -> Symmetric {
        let mut matrix = Symmetric::zero(size);
        for row in 0..size {
            for column in 0..=row {
                let value = ((row * 31 + column * 17) % 23) as f64 / 23.0 - 0.5;
                matrix.add(row, column, value);
            }
            matrix.add(row, row, size as f64);
        }
        matrix
    }

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        for size in [0, 1, 2, 3, 15, 63, 64, 65, 130] {
            let matrix = example(size);
            let mut inverse = matrix.clone();
            assert!(inverse.invert());
            for i in 0..size {
                for j in 0..size {
                    let product: f64 = (0..size).map(|k| matrix.at(i, k) * inverse.at(k, j)).sum();
                    assert!(
                        (product - f64::from(i == j)).abs() < 1e-12,
                        "{size} {i} {j}"
                    );
                    assert_eq!(inverse.at(i, j), inverse.at(j, i));
                }
            }
            let product = matrix.sandwich(&inverse);
            for i in 0..size {
                for j in 0..size {
                    assert!((product.at(i, j) - matrix.at(i, j)).abs() < 1e-10, "{size}");
                }
            }
        }
    }

    #[test]
    fn a_factor_times_itself_is_the_matrix() {
        let matrix = example(20);
        let Factor(rows) = matrix.factor(17);
        for i in 0..17 {
            for j in 0..=i {
                let product: f64 = rows[i].iter().zip(&rows[j]).map(|(a, b)| a * b).sum();
                assert!((product - matrix.at(i, j)).abs() < 1e-12, "{i} {j}");
            }
        }
    }

    #[test]
    fn refuses_what_is_not_positive_definite() {
        let mut matrix = Symmetric::zero(2);
        matrix.add(0, 0, 1.0);
        matrix.add(0, 1, 2.0);
        matrix.add(1, 1, 1.0);
        assert!(!matrix.invert());
    }
}
