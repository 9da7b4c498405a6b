//! Linear algebra and statistics without games: matrices, distributions, intervals and estimates.

pub mod brownian_motion;
pub mod constrained_likelihood;
mod information;

use std::f64::consts::FRAC_1_SQRT_2;

pub use information::Information;
use libm::erfc;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, Axis, s};
use statrs::distribution::{ContinuousCDF as _, StudentsT};

use crate::rating::{Interval, Z95};

/// The probability that a normal variable is at most `x`.
pub fn cdf(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

/// The value that the absolute value of Student's variable exceeds with probability 5 %. There is at least one
/// degree of freedom, not always a whole number of them.
pub fn student_quantile(degrees: f64) -> f64 {
    // Above a million degrees it is the normal quantile to six digits. `new` refuses only degrees that are not positive.
    match StudentsT::new(0.0, 1.0, degrees.max(1.0)) {
        Ok(student) if degrees <= 1e6 => student.inverse_cdf(0.975),
        _ => crate::rating::Z95,
    }
}

/// The 95 % interval of a share of `games` independent successes and failures: Wilson's (Journal of the American
/// Statistical Association 22, 1927). It ends at 0 or 1 only where the share does.
pub fn wilson_interval(share: f64, games: f64) -> Interval {
    let spread = Z95 * Z95 / games;
    let middle = (share + spread / 2.0) / (1.0 + spread);
    let variance = share * (1.0 - share) / games + spread / games / 4.0;
    let margin = Z95 * variance.sqrt() / (1.0 + spread);
    let low = if share > 0.0 { middle - margin } else { 0.0 };
    let high = if share < 1.0 { middle + margin } else { 1.0 };
    [low, share, high]
}

/// Size of a block of pivots. With blocks, nearly all of the work is a product of matrices.
const BLOCK: usize = 64;

#[derive(Debug, Clone, PartialEq)]
pub struct Symmetric(Array2<f64>);

impl Symmetric {
    pub fn zero(size: usize) -> Self {
        Self(Array2::zeros((size, size)))
    }

    pub fn of(size: usize, cells: &[f64]) -> Self {
        let mut matrix = Self::zero(size);
        let rows = matrix.0.iter_mut();
        rows.zip(cells).for_each(|(to, from)| *to = *from);
        matrix
    }

    /// The covariance of parameters about which nothing is known.
    pub fn unknown(size: usize) -> Self {
        let mut matrix = Self::zero(size);
        matrix.0.diag_mut().fill(f64::INFINITY);
        matrix
    }

    pub fn size(&self) -> usize {
        self.0.nrows()
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.0[[row, column]]
    }

    pub fn row(&self, row: usize) -> impl Iterator<Item = &f64> {
        self.0.row(row).into_iter()
    }

    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.0[[row, column]] += value;
        if row != column {
            self.0[[column, row]] += value;
        }
    }

    pub fn part(&self, indices: &[usize]) -> Self {
        let mut part = Self::zero(indices.len());
        for (row, one) in indices.iter().enumerate() {
            for (column, other) in indices.iter().enumerate() {
                part.0[[row, column]] = self.0[[*one, *other]];
            }
        }
        part
    }

    /// Multiplies each cell with the factors of its row and its column.
    pub fn scale(&mut self, factors: &[f64]) {
        for ((row, column), cell) in self.0.indexed_iter_mut() {
            *cell *= factors[row] * factors[column];
        }
    }

    pub fn add_all(&mut self, other: &Self) {
        self.0 += &other.0;
    }

    /// Adds the squares of some vectors, side by side in the columns of `roots`.
    pub fn add_squares(&mut self, roots: &Array2<f64>) {
        general_mat_mul(1.0, roots, &roots.t(), 1.0, &mut self.0);
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
            // The columns of the pivots become columns of the inverse.
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

    /// The lower triangle whose square is a positive definite matrix (Cholesky's). `None` if it is not positive definite.
    pub fn root(&self) -> Option<Array2<f64>> {
        let mut root: Array2<f64> = Array2::zeros(self.0.raw_dim());
        for row in 0..self.size() {
            for column in 0..=row {
                let known = root
                    .slice(s![row, ..column])
                    .dot(&root.slice(s![column, ..column]));
                let rest: f64 = self.at(row, column) - known;
                root[[row, column]] = match row == column {
                    false => rest / root[[column, column]],
                    true if rest > 0.0 => rest.sqrt(),
                    true => return None,
                };
            }
        }
        Some(root)
    }

    pub fn sandwich(&self, middle: &Self) -> Self {
        let mut product = Self(self.0.dot(&middle.0).dot(&self.0));
        product.mirror();
        product
    }
}

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

    #[test]
    fn intervals_are_those_of_a_publication() {
        // R. Newcombe, Statistics in Medicine 17, 1998, table I, method 3.
        for (wins, games, low, high) in [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ] {
            let [found_low, share, found_high] = wilson_interval(wins / games, games);
            assert!((found_low - low).abs() < 6e-5, "{found_low} {low}");
            assert!((found_high - high).abs() < 6e-5, "{found_high} {high}");
            assert_eq!(share, wins / games);
        }
    }

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
            let root = matrix.root().expect("positive definite");
            let mut square = Symmetric::zero(size);
            square.add_squares(&root);
            let product = matrix.sandwich(&inverse);
            for i in 0..size {
                for j in 0..size {
                    assert!((product.at(i, j) - matrix.at(i, j)).abs() < 1e-10, "{size}");
                    assert!((square.at(i, j) - matrix.at(i, j)).abs() < 1e-10, "{size}");
                }
            }
        }
    }

    #[test]
    fn refuses_what_is_not_positive_definite() {
        let mut matrix = Symmetric::zero(2);
        matrix.add(0, 0, 1.0);
        matrix.add(0, 1, 2.0);
        matrix.add(1, 1, 1.0);
        assert_eq!(matrix.root(), None);
        assert!(!matrix.invert());
    }
}
