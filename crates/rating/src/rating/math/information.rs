//! The information of a set of games: minus the second derivatives of the log posterior. Only players who
//! met have a cell with each other, so it is kept sparse.

use std::sync::Arc;

use super::Symmetric;

/// A symmetric matrix over the strengths, and then the few parameters that all games share, such as the worth of a seat.
#[derive(Debug, Clone)]
pub struct Information {
    pub(super) diagonal: Vec<f64>,
    /// The players of the cells off the diagonal, in order, the lower one first.
    links: Arc<[[u32; 2]]>,
    linked: Vec<f64>,
    shared: Vec<Vec<f64>>,
    corner: Vec<f64>,
    players: usize,
}

impl Information {
    /// A matrix of `players` strengths with this diagonal, and zeros elsewhere. `met` are the players who have a cell with
    /// each other, in order, the lower one first.
    pub fn of_meetings(diagonal: Vec<f64>, players: usize, met: Arc<[[u32; 2]]>) -> Self {
        let shared = diagonal.len() - players;
        Self {
            diagonal,
            linked: vec![0.0; met.len()],
            links: met,
            shared: vec![vec![0.0; players]; shared],
            corner: vec![0.0; shared * shared],
            players,
        }
    }

    pub fn size(&self) -> usize {
        self.diagonal.len()
    }

    fn players(&self) -> usize {
        self.players
    }

    fn add_corner(&mut self, low: usize, high: usize, value: f64) {
        let count = self.shared.len();
        for [row, column] in [[low, high], [high, low]] {
            self.corner[(row - self.players) * count + column - self.players] += value;
        }
    }

    /// Adds to the cell of two different players by the [number](Self::link_of) of their link.
    pub fn add_to_link(&mut self, link: usize, value: f64) {
        self.linked[link] += value;
    }

    /// The number of the link of two players, the lower one first, if they met.
    pub fn link_of(&self, low: usize, high: usize) -> Option<usize> {
        self.links.binary_search(&[low as u32, high as u32]).ok()
    }

    pub fn add_own(&mut self, index: usize, value: f64) {
        self.diagonal[index] += value;
    }

    pub fn add_shared(&mut self, player: usize, index: usize, value: f64) {
        self.shared[index - self.players][player] += value;
    }

    /// Adds to a cell and to its mirror image. Players have one if they met; any other cell stays 0.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let (low, high) = (row.min(column), row.max(column));
        let players = self.players();
        if low == high {
            self.diagonal[low] += value;
        } else if high < players {
            if let Some(link) = self.link_of(low, high) {
                self.linked[link] += value;
            }
        } else if low < players {
            self.shared[high - players][low] += value;
        } else {
            self.add_corner(low, high, value);
        }
    }

    pub fn clear(&mut self) {
        self.diagonal.fill(0.0);
        self.linked.fill(0.0);
        self.clear_shared();
    }

    /// Makes the cells of players with shared parameters 0, and of each two of these.
    pub fn clear_shared(&mut self) {
        self.shared.iter_mut().for_each(|row| row.fill(0.0));
        self.corner.fill(0.0);
    }

    fn each_link(&self) -> impl Iterator<Item = ([usize; 2], f64)> {
        let links = self.links.iter().zip(&self.linked);
        links.map(|(players, value)| (players.map(|it| it as usize), *value))
    }

    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    pub fn own(&self, parameter: usize) -> f64 {
        self.diagonal[parameter]
    }

    pub fn between(&self, a: usize, b: usize) -> f64 {
        let found = self.link_of(a.min(b), a.max(b));
        found.map_or(0.0, |at| self.linked[at])
    }

    pub fn cell(&self, row: usize, column: usize) -> f64 {
        let (low, high, players) = (row.min(column), row.max(column), self.players);
        match low {
            _ if low == high => self.diagonal[low],
            _ if high < players => self.between(low, high),
            _ if low < players => self.shared[high - players][low],
            _ => self.corner[(low - players) * self.shared.len() + high - players],
        }
    }

    pub fn to_dense(&self) -> Symmetric {
        let players = self.players();
        let mut matrix = Symmetric::zero(self.diagonal.len());
        for (at, value) in self.diagonal.iter().enumerate() {
            matrix.add(at, at, *value);
        }
        for ([low, high], value) in self.each_link() {
            matrix.add(low, high, value);
        }
        for (at, row) in self.shared.iter().enumerate() {
            for (player, value) in row.iter().enumerate() {
                matrix.add(player, players + at, *value);
            }
        }
        for (row, column, value) in self.corner_cells().filter(|(row, column, _)| row < column) {
            matrix.add(row, column, value);
        }
        matrix
    }

    /// The product with `K` vectors, side by side.
    pub fn times<const K: usize>(&self, x: &[[f64; K]]) -> Vec<[f64; K]> {
        let mut product = vec![[0.0; K]; x.len()];
        self.multiply(x, &mut product);
        product
    }

    pub(super) fn multiply<const K: usize>(&self, x: &[[f64; K]], product: &mut [[f64; K]]) {
        for ((to, x), own) in product.iter_mut().zip(x).zip(&self.diagonal) {
            *to = x.map(|x| own * x);
        }
        for ([low, high], value) in self.each_link() {
            add_multiple(&mut product[low], value, &x[high]);
            add_multiple(&mut product[high], value, &x[low]);
        }
        let players = self.players();
        for (at, row) in self.shared.iter().enumerate() {
            let mut sum = [0.0; K];
            for (player, value) in row.iter().enumerate() {
                add_multiple(&mut product[player], *value, &x[players + at]);
                add_multiple(&mut sum, *value, &x[player]);
            }
            add_multiple(&mut product[players + at], 1.0, &sum);
        }
        for (row, column, value) in self.corner_cells() {
            add_multiple(&mut product[row], value, &x[column]);
        }
    }

    fn corner_cells(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let (players, count) = (self.players, self.shared.len());
        let cells = self.corner.iter().enumerate();
        let cells =
            cells.map(move |(at, value)| (players + at / count, players + at % count, *value));
        cells.filter(|(row, column, _)| row != column)
    }

    /// `K` random vectors, at most 64, with the players' part of this matrix as their covariance.
    ///
    /// The quadratic form is a sum of squares: a link `-w` is `w (x - y)²`, and the rest of the diagonal is one square
    /// for each player. So the sum of all roots, each with a random sign, has this covariance.
    pub fn random<const K: usize>(&self, mut bits: impl FnMut() -> u64) -> Vec<[f64; K]> {
        let mut signs = |root: f64| -> [f64; K] {
            let bits = bits();
            std::array::from_fn(|lane| if bits >> lane & 1 == 1 { root } else { -root })
        };
        let mut sum = vec![[0.0; K]; self.diagonal.len()];
        let mut own = self.diagonal[..self.players()].to_vec();
        for ([low, high], value) in self.each_link() {
            own[low] += value;
            own[high] += value;
            let terms = signs((-value).max(0.0).sqrt());
            add_multiple(&mut sum[low], 1.0, &terms);
            add_multiple(&mut sum[high], -1.0, &terms);
        }
        for (sum, own) in sum.iter_mut().zip(own) {
            add_multiple(sum, 1.0, &signs(own.max(0.0).sqrt()));
        }
        sum
    }
}

fn add_multiple<const K: usize>(to: &mut [f64; K], factor: f64, from: &[f64; K]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Three players. The first two met, and the last two.
    fn example() -> Information {
        let diagonal = vec![3.0, 4.0, 5.0, 2.0, 2.0];
        let met = [[0, 1], [1, 2]].into();
        let mut information = Information::of_meetings(diagonal, 3, met);
        for (row, column, value) in [
            (0, 1, -0.5),
            (0, 1, -1.0),
            (1, 2, -0.7),
            (0, 3, 0.2),
            (2, 4, -0.3),
            (3, 4, 0.1),
        ] {
            information.add(row, column, value);
        }
        information
    }

    fn cells(size: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..size).flat_map(move |row| (0..size).map(move |column| (row, column)))
    }

    #[test]
    fn sums_products_and_solutions_are_those_of_the_dense_matrix() {
        let (one, mut dense) = (example(), example().to_dense());
        assert_eq!(
            (one.between(1, 0), one.between(0, 2), one.own(2)),
            (-1.5, 0.0, 5.0)
        );
        let units: Vec<[f64; 5]> = (0..5)
            .map(|row| std::array::from_fn(|column| f64::from(row == column)))
            .collect();
        let (product, solution) = (one.times(&units), one.solve(&units, 1e-24));
        for (row, column) in cells(5) {
            assert_eq!(product[row][column], dense.at(row, column));
        }
        assert!(dense.invert());
        for (row, column) in cells(5) {
            let difference = solution[row][column] - dense.at(row, column);
            assert!(difference.abs() < 1e-10, "{row} {column}");
        }
    }

    #[test]
    fn random_vectors_have_the_players_part_as_their_covariance() {
        let information = example();
        let mut bits = crate::random::Stream::new(1, 0);
        let (mut sums, rounds) = ([[0.0; 3]; 3], 200);
        for _ in 0..rounds {
            let random = information.random::<64>(|| bits.next_u64());
            for (row, column) in cells(3) {
                let products = random[row].iter().zip(&random[column]);
                sums[row][column] += products.map(|(a, b)| a * b).sum::<f64>();
            }
        }
        let dense = information.to_dense();
        for (row, column) in cells(3) {
            let found = sums[row][column] / f64::from(rounds * 64);
            assert!(
                (found - dense.at(row, column)).abs() < 0.1,
                "{row} {column} {found}"
            );
        }
    }
}
