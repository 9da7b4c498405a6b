//! The information of a set of games: minus the second derivatives of the log posterior. Only players who
//! met have a cell with each other, so it is kept sparse.

use super::matrix::Symmetric;

/// A cell off the diagonal, of two players.
#[derive(Debug, Clone, Copy)]
struct Link {
    low: u32,
    high: u32,
    value: f64,
}

/// A symmetric matrix over the strengths, and then the few parameters that all games share: of games of two, the advantage
/// and the draws' parameter.
#[derive(Debug, Clone)]
pub struct Information {
    pub(super) diagonal: Vec<f64>,
    /// By players, each two at most once.
    links: Vec<Link>,
    /// The cells of each player with each shared parameter.
    shared: Vec<Vec<f64>>,
    /// The cells of each two shared parameters, row by row.
    corner: Vec<f64>,
    players: usize,
}

impl Information {
    /// A matrix of `players` strengths with this diagonal, and zeros elsewhere.
    pub fn diagonal(diagonal: Vec<f64>, players: usize) -> Self {
        let shared = diagonal.len() - players;
        Self {
            diagonal,
            links: Vec::new(),
            shared: vec![vec![0.0; players]; shared],
            corner: vec![0.0; shared * shared],
            players,
        }
    }

    /// As [`Self::diagonal`], with room for the cells of players who met, so that [`Self::add_met`] adds in any order.
    pub fn of_meetings(
        diagonal: Vec<f64>,
        players: usize,
        met: impl Iterator<Item = [usize; 2]>,
    ) -> Self {
        let met = met.filter(|[a, b]| a != b);
        let mut met: Vec<[u32; 2]> = met
            .map(|[a, b]| [a.min(b) as u32, a.max(b) as u32])
            .collect();
        met.sort_unstable();
        met.dedup();
        let links = met.into_iter().map(|[low, high]| Link {
            low,
            high,
            value: 0.0,
        });
        Self {
            links: links.collect(),
            ..Self::diagonal(diagonal, players)
        }
    }

    fn players(&self) -> usize {
        self.players
    }

    /// Adds to the cell of two shared parameters, and to its mirror image.
    fn add_corner(&mut self, low: usize, high: usize, value: f64) {
        let count = self.shared.len();
        for [row, column] in [[low, high], [high, low]] {
            self.corner[(row - self.players) * count + column - self.players] += value;
        }
    }

    /// Adds to a cell and to its mirror image. Players have one if they met.
    pub fn add_met(&mut self, row: usize, column: usize, value: f64) {
        let (low, high) = (row.min(column), row.max(column));
        match self.link_of(low, high) {
            _ if low == high || high >= self.players => self.add(row, column, value),
            Some(at) => self.links[at].value += value,
            None => {}
        }
    }

    fn link_of(&self, low: usize, high: usize) -> Option<usize> {
        let key = (low as u32, high as u32);
        let links = &self.links;
        let found = links.binary_search_by_key(&key, |link| (link.low, link.high));
        found.ok()
    }

    /// Adds to a cell and to its mirror image. Cells of two players come in the order of the players, and all additions
    /// to one of them in a row.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let (low, high) = (row.min(column), row.max(column));
        let players = self.players();
        if low == high {
            self.diagonal[low] += value;
        } else if high < players {
            self.link(low, high, value);
        } else if low < players {
            self.shared[high - players][low] += value;
        } else {
            self.add_corner(low, high, value);
        }
    }

    /// Adds the information of a difference between two players, the lower one first, in the order of [`Self::add`].
    pub fn tie(&mut self, low: usize, high: usize, weight: f64) {
        self.diagonal[low] += weight;
        self.diagonal[high] += weight;
        self.link(low, high, -weight);
    }

    fn link(&mut self, low: usize, high: usize, value: f64) {
        let (low, high) = (low as u32, high as u32);
        match self.links.last_mut() {
            Some(last) if (last.low, last.high) == (low, high) => last.value += value,
            _ => self.links.push(Link { low, high, value }),
        }
    }

    /// Adds to the cell of `plus` with the advantage (0) or the draws' parameter (1), and subtracts from the cell of
    /// `minus`.
    pub fn share(&mut self, parameter: usize, [plus, minus]: [usize; 2], value: f64) {
        let cells = &mut self.shared[parameter];
        cells[plus] += value;
        cells[minus] -= value;
    }

    /// Adds another matrix.
    pub fn plus(mut self, other: &Self) -> Self {
        for (to, from) in self.diagonal.iter_mut().zip(&other.diagonal) {
            *to += from;
        }
        for (to, from) in self.shared.iter_mut().zip(&other.shared) {
            for (to, from) in to.iter_mut().zip(from) {
                *to += from;
            }
        }
        for (to, from) in self.corner.iter_mut().zip(&other.corner) {
            *to += from;
        }
        let mut at = 0;
        for link in &other.links {
            // Players with a pair have games, so the cell exists.
            while at < self.links.len()
                && (self.links[at].low, self.links[at].high) < (link.low, link.high)
            {
                at += 1;
            }
            if let Some(to) = self.links.get_mut(at) {
                to.value += link.value;
            }
        }
        self
    }

    /// A cell on the diagonal.
    pub fn own(&self, parameter: usize) -> f64 {
        self.diagonal[parameter]
    }

    /// The cell of two players.
    pub fn between(&self, a: usize, b: usize) -> f64 {
        let found = self.link_of(a.min(b), a.max(b));
        found.map_or(0.0, |at| self.links[at].value)
    }

    /// Any cell.
    pub fn cell(&self, row: usize, column: usize) -> f64 {
        let (low, high, players) = (row.min(column), row.max(column), self.players);
        match low {
            _ if low == high => self.diagonal[low],
            _ if high < players => self.between(low, high),
            _ if low < players => self.shared[high - players][low],
            _ => self.corner[(low - players) * self.shared.len() + high - players],
        }
    }

    /// All cells, with the zeros.
    pub fn to_dense(&self) -> Symmetric {
        let players = self.players();
        let mut matrix = Symmetric::zero(self.diagonal.len());
        for (at, value) in self.diagonal.iter().enumerate() {
            matrix.add(at, at, *value);
        }
        for link in &self.links {
            matrix.add(link.low as usize, link.high as usize, link.value);
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
        for Link { low, high, value } in &self.links {
            let (low, high) = (*low as usize, *high as usize);
            add_multiple(&mut product[low], *value, &x[high]);
            add_multiple(&mut product[high], *value, &x[low]);
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

    /// The cells of two different shared parameters.
    fn corner_cells(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let (players, count) = (self.players, self.shared.len());
        let cells = self.corner.iter().enumerate();
        let cells =
            cells.map(move |(at, value)| (players + at / count, players + at % count, *value));
        cells.filter(|(row, column, _)| row != column)
    }

    /// The matrix without the cells of players with the advantage and with the draws' parameter.
    pub fn of_players(&self) -> Self {
        let mut alone = self.clone();
        alone.shared.iter_mut().for_each(|row| row.fill(0.0));
        alone.corner.fill(0.0);
        alone
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
        for Link { low, high, value } in &self.links {
            let (low, high) = (*low as usize, *high as usize);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Three players. The first two met, and the last two.
    fn example() -> Information {
        let mut information = Information::diagonal(vec![3.0, 4.0, 5.0, 2.0, 2.0], 3);
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
        let twice = one.clone().plus(&one);
        assert_eq!(twice.between(1, 0), -3.0);
        assert_eq!(twice.between(0, 2), 0.0);
        assert_eq!(twice.own(2), 10.0);
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
    fn cells_of_players_who_met_are_added_in_any_order() {
        let diagonal = vec![3.0, 4.0, 5.0, 2.0, 2.0];
        let met = [[2, 1], [0, 1], [1, 0], [1, 1]].into_iter();
        let mut information = Information::of_meetings(diagonal, 3, met);
        for (row, column, value) in [
            (4, 3, 0.1),
            (2, 1, -0.7),
            (1, 0, -1.0),
            (4, 2, -0.3),
            (0, 3, 0.2),
            (0, 1, -0.5),
        ] {
            information.add_met(row, column, value);
        }
        assert_eq!(information.to_dense(), example().to_dense());
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
