//! Linear systems by conjugate gradients.

use super::information::Information;

impl Information {
    /// The product of the inverse and `K` vectors, until the squared residual is at most `accuracy` of its start.
    ///
    /// Uses conjugate gradients with the diagonal as preconditioner, so the time of a round depends only on
    /// the number of cells that are not zero.
    pub fn solve<const K: usize>(&self, right: &[[f64; K]], accuracy: f64) -> Vec<[f64; K]> {
        let size = right.len();
        let mut solution = vec![[0.0; K]; size];
        let mut rest = right.to_vec();
        let mut direction = vec![[0.0; K]; size];
        let mut product = vec![[0.0; K]; size];
        let mut before = [0.0; K];
        let goal = lengths(&rest, &rest).map(|length| accuracy * length.max(f64::MIN_POSITIVE));
        // Exact arithmetic would need `size` rounds at most.
        for _ in 0..4 * size {
            let length = lengths(&rest, &rest);
            if length
                .iter()
                .zip(&goal)
                .all(|(length, goal)| length <= goal)
            {
                break;
            }
            let mut now = [0.0; K];
            for (rest, own) in rest.iter().zip(&self.diagonal) {
                for (now, rest) in now.iter_mut().zip(rest) {
                    *now += rest * rest / own;
                }
            }
            let turn = ratios(now, before);
            for ((direction, rest), own) in direction.iter_mut().zip(&rest).zip(&self.diagonal) {
                for at in 0..K {
                    direction[at] = rest[at] / own + turn[at] * direction[at];
                }
            }
            self.multiply(&direction, &mut product);
            let length = ratios(now, lengths(&direction, &product));
            for at in 0..size {
                for lane in 0..K {
                    solution[at][lane] += length[lane] * direction[at][lane];
                    rest[at][lane] -= length[lane] * product[at][lane];
                }
            }
            before = now;
        }
        solution
    }
}

/// The inner products of each two vectors.
fn lengths<const K: usize>(a: &[[f64; K]], b: &[[f64; K]]) -> [f64; K] {
    let mut sums = [0.0; K];
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums
}

/// Quotients; 0 where a vector has reached its solution.
fn ratios<const K: usize>(above: [f64; K], below: [f64; K]) -> [f64; K] {
    std::array::from_fn(|at| {
        if below[at] > 0.0 {
            above[at] / below[at]
        } else {
            0.0
        }
    })
}
