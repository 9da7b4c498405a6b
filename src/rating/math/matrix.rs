//! Dense symmetric matrices.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, Axis, s};

/// Size of a block of pivots. With blocks, nearly all of the work is a product of matrices.
const BLOCK: usize = 64;

/// A dense symmetric matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Symmetric(Array2<f64>);

impl Symmetric {
    pub fn zero(size: usize) -> Self {
        Self(Array2::zeros((size, size)))
    }

    /// A matrix with these cells, row by row.
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

    /// Number of rows.
    pub fn size(&self) -> usize {
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

    /// The cells of some rows and columns.
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

    /// Adds another matrix.
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

    /// `self · middle · self`.
    pub fn sandwich(&self, middle: &Self) -> Self {
        let mut product = Self(self.0.dot(&middle.0).dot(&self.0));
        product.mirror();
        product
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
    fn refuses_what_is_not_positive_definite() {
        let mut matrix = Symmetric::zero(2);
        matrix.add(0, 0, 1.0);
        matrix.add(0, 1, 2.0);
        matrix.add(1, 1, 1.0);
        assert!(!matrix.invert());
    }
}
