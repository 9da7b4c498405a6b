//! The linear algebra that intervals need: dense symmetric matrices, stored row by row in one vector.

use std::f64::consts::TAU;
use std::ops::Range;

use crate::random::Stream;

/// How many rows are processed together, so that the matrix is read from memory less often.
const BLOCK: usize = 16;

/// How many columns are processed together, so that those of a block of rows stay in the nearest cache.
const COLUMNS: usize = 128;

/// A dense symmetric matrix.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Symmetric {
    size: usize,
    cells: Vec<f64>,
}

impl Symmetric {
    pub fn zero(size: usize) -> Self {
        Self {
            size,
            cells: vec![0.0; size * size],
        }
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..][..self.size]
    }

    /// Adds to a cell and to its mirror image.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
        if row != column {
            self.cells[column * self.size + row] += value;
        }
    }

    /// Inverts a positive definite matrix in place. Returns `false` if it is not positive definite.
    ///
    /// Uses the sweep operator (Goodnight, The American Statistician 33, 1979) on one block of pivots at
    /// a time. It works on the cells on and above the diagonal; the others are mirrored at the end.
    pub fn invert(&mut self) -> bool {
        let size = self.size;
        for start in (0..size).step_by(BLOCK) {
            let pivots = start..(start + BLOCK).min(size);
            if !self.sweep(pivots) {
                return false;
            }
        }
        // With the signs of a sweep, sweeping all blocks gives minus the inverse.
        for row in 0..size {
            for column in row..size {
                let value = -self.cells[row * size + column];
                self.cells[row * size + column] = value;
                self.cells[column * size + row] = value;
            }
        }
        true
    }

    /// Sweeps one block of pivots.
    fn sweep(&mut self, pivots: Range<usize>) -> bool {
        let (size, start, width) = (self.size, pivots.start, pivots.len());
        let (mut pivot, rows) = self.take_pivots(&pivots);
        if !invert_small(&mut pivot, width) {
            return false;
        }
        let mut scaled = vec![0.0; width * size];
        for k in 0..width {
            for j in 0..width {
                let factor = pivot[k * width + j];
                add_multiple(
                    &mut scaled[k * size..][..size],
                    &rows[j * size..][..size],
                    factor,
                );
            }
        }
        for columns in blocks_of_columns(size) {
            for row in (0..columns.end).filter(|row| !pivots.contains(row)) {
                let first = row.max(columns.start);
                let target = &mut self.cells[row * size..][first..columns.end];
                for k in (0..width).step_by(4) {
                    let factor = |k: usize| if k < width { rows[k * size + row] } else { 0.0 };
                    let source = |k: usize| &scaled[k.min(width - 1) * size..][first..columns.end];
                    subtract_four(target, k, source, factor);
                }
            }
        }
        for k in 0..width {
            for column in 0..size {
                let at = self.upper(start + k, column);
                self.cells[at] = match pivots.contains(&column) {
                    true => -pivot[k * width + column - start],
                    false => scaled[k * size + column],
                };
            }
        }
        true
    }

    /// The block of the pivots, and their whole rows with zeros in the place of that block.
    fn take_pivots(&self, pivots: &Range<usize>) -> (Vec<f64>, Vec<f64>) {
        let (size, width) = (self.size, pivots.len());
        let mut rows = vec![0.0; width * size];
        let mut pivot = vec![0.0; width * width];
        for k in 0..width {
            for column in 0..size {
                rows[k * size + column] = self.cells[self.upper(pivots.start + k, column)];
            }
            for j in 0..width {
                pivot[k * width + j] = std::mem::take(&mut rows[k * size + pivots.start + j]);
            }
        }
        (pivot, rows)
    }

    /// The place of a cell, or of its mirror image if that is the one above the diagonal.
    fn upper(&self, row: usize, column: usize) -> usize {
        row.min(column) * self.size + row.max(column)
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
        let half = middle.times(self, |_| 0);
        let mut product = self.times(&half, |row| row);
        for row in 0..self.size {
            for column in 0..row {
                product.cells[row * self.size + column] = product.at(column, row);
            }
        }
        product
    }

    /// The product of two matrices, in each row from a first column on. It is not symmetric in general.
    fn times(&self, other: &Self, first: impl Fn(usize) -> usize) -> Self {
        let size = self.size;
        let mut product = Self::zero(size);
        // A block of rows of `other` stays in the cache while it is added to all rows of the product.
        for start in (0..size).step_by(BLOCK) {
            let end = (start + BLOCK).min(size);
            for columns in blocks_of_columns(size) {
                for row in (0..size).filter(|row| first(*row) < columns.end) {
                    let first = first(row).max(columns.start);
                    let target = &mut product.cells[row * size..][first..columns.end];
                    for k in (start..end).step_by(4) {
                        let factor = |k: usize| if k < end { -self.at(row, k) } else { 0.0 };
                        let source = |k: usize| &other.row(k.min(end - 1))[first..columns.end];
                        subtract_four(target, k, source, factor);
                    }
                }
            }
        }
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

fn blocks_of_columns(size: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..size).step_by(COLUMNS);
    starts.map(move |start| start..(start + COLUMNS).min(size))
}

fn add_multiple(target: &mut [f64], source: &[f64], factor: f64) {
    for (to, from) in target.iter_mut().zip(source) {
        *to += factor * from;
    }
}

/// Subtracts the sources `k` to `k + 3`, each times its factor.
fn subtract_four<'a>(
    target: &mut [f64],
    k: usize,
    source: impl Fn(usize) -> &'a [f64],
    factor: impl Fn(usize) -> f64,
) {
    let [a, b, c, d] = [source(k), source(k + 1), source(k + 2), source(k + 3)];
    let [p, q, r, s] = [factor(k), factor(k + 1), factor(k + 2), factor(k + 3)];
    let sources = a.iter().zip(b).zip(c.iter().zip(d));
    for (to, ((a, b), (c, d))) in target.iter_mut().zip(sources) {
        *to -= p * a + q * b + (r * c + s * d);
    }
}

/// Gauss and Jordan, for a block of pivots.
fn invert_small(cells: &mut [f64], size: usize) -> bool {
    for k in 0..size {
        let pivot = cells[k * size + k];
        if pivot.is_nan() || pivot <= 0.0 {
            return false;
        }
        for j in 0..size {
            if j != k {
                cells[k * size + j] /= pivot;
            }
        }
        for i in (0..size).filter(|i| *i != k) {
            let factor = cells[i * size + k];
            for j in (0..size).filter(|j| *j != k) {
                cells[i * size + j] -= factor * cells[k * size + j];
            }
            cells[i * size + k] = -factor / pivot;
        }
        cells[k * size + k] = 1.0 / pivot;
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
        for size in [0, 1, 2, 3, 15, 16, 17, 32, 37, 50] {
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
