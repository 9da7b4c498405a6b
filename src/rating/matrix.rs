//! Just enough linear algebra for a fit: symmetric positive definite systems.

/// The lower Cholesky factor of a symmetric positive definite matrix.
#[derive(Debug, Clone)]
pub(super) struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    /// Factors `matrix`, of which the lower triangle is read. `None` if it is not positive definite.
    pub fn new(mut matrix: Vec<Vec<f64>>) -> Option<Self> {
        for row in 0..matrix.len() {
            for column in 0..=row {
                let (above, below) = matrix.split_at(row);
                let done = if column == row {
                    &below[0]
                } else {
                    &above[column]
                };
                let dot: f64 = below[0][..column]
                    .iter()
                    .zip(&done[..column])
                    .map(|(a, b)| a * b)
                    .sum();
                let rest = matrix[row][column] - dot;
                matrix[row][column] = if column < row {
                    rest / matrix[column][column]
                } else if rest > 0.0 {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        Some(Self(matrix))
    }

    /// Solves `A x = b`.
    pub fn solve(&self, mut b: Vec<f64>) -> Vec<f64> {
        let size = b.len();
        for row in 0..size {
            let dot: f64 = (0..row).map(|column| self.0[row][column] * b[column]).sum();
            b[row] = (b[row] - dot) / self.0[row][row];
        }
        for row in (0..size).rev() {
            let dot: f64 = (row + 1..size)
                .map(|below| self.0[below][row] * b[below])
                .sum();
            b[row] = (b[row] - dot) / self.0[row][row];
        }
        b
    }

    /// The inverse of the matrix, column by column.
    pub fn inverse(&self) -> Vec<Vec<f64>> {
        let size = self.0.len();
        (0..size)
            .map(|column| {
                let mut unit = vec![0.0; size];
                unit[column] = 1.0;
                self.solve(unit)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_and_inverts() {
        let matrix = vec![
            vec![4.0, 2.0, 0.6],
            vec![2.0, 5.0, 1.0],
            vec![0.6, 1.0, 3.0],
        ];
        let factor = Cholesky::new(matrix.clone()).expect("positive definite");
        let x = factor.solve(vec![1.0, 2.0, 3.0]);
        for (row, b) in matrix.iter().zip([1.0, 2.0, 3.0]) {
            let product: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((product - b).abs() < 1e-12);
        }
        let inverse = factor.inverse();
        for (i, row) in matrix.iter().enumerate() {
            for (j, column) in inverse.iter().enumerate() {
                let product: f64 = row.iter().zip(column).map(|(a, b)| a * b).sum();
                assert!((product - f64::from(i == j)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn refuses_what_is_not_positive_definite() {
        assert!(Cholesky::new(vec![vec![1.0, 2.0], vec![2.0, 1.0]]).is_none());
    }
}
