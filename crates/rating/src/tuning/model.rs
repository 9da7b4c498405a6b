//! The model of games between points: a quadratic utility in the place of strengths, with the draws and the first seat's
//! advantage of the one rating model.

use std::collections::BTreeMap;

use super::Parameter;
use crate::rating::{
    ADVANTAGE_DEVIATION, DRAWS_DEVIATION, ELO, Expected, Symmetric, Weights, WinDrawLoss, product,
    unleveraged,
};

#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The values of all parameters of both, as given to the bots.
    pub points: [Vec<f64>; 2],
    /// Game pairs by the score of the first point in the first seat, and in the second.
    pub pairs: [[u64; 3]; 3],
    /// Games of no whole pair: by the seat of the first point, and its score.
    pub singles: [[u64; 3]; 2],
}

impl Compared {
    pub fn new(points: [Vec<f64>; 2]) -> Self {
        Self {
            points,
            pairs: [[0; 3]; 3],
            singles: [[0; 3]; 2],
        }
    }

    /// Adds a game pair, by the score of the first point in the first seat and in the second.
    pub fn add_pair(&mut self, [first, second]: [WinDrawLoss; 2]) {
        self.pairs[first as usize][second as usize] += 1;
    }

    /// Adds a game of no whole pair. `seat` is the first point's: 0, or 1.
    pub fn add_single(&mut self, seat: usize, score: WinDrawLoss) {
        self.singles[usize::from(seat > 0)][score as usize] += 1;
    }

    fn add(&mut self, other: &Self) {
        let own = self.pairs.iter_mut().chain(&mut self.singles);
        let others = other.pairs.iter().chain(&other.singles);
        for (own, other) in own.flatten().zip(others.flatten()) {
            *own += other;
        }
    }

    fn games(&self) -> [[f64; 3]; 2] {
        let mut games = self.singles.map(|it| it.map(|count| count as f64));
        for (one, row) in self.pairs.iter().enumerate() {
            for (two, count) in row.iter().enumerate() {
                games[0][one] += *count as f64;
                games[1][two] += *count as f64;
            }
        }
        games
    }
}

/// Most parameters whose products are part of the utility. More would need more games than there are.
const MOST_MIXED: usize = 16;

/// This number of pairs of independent games is added for how much pairs vary, since a few can all be alike.
const EVEN_PAIRS: f64 = 10.0;

/// Number of the other parameters of the model: the first seat's advantage, and `ln ν`.
const OTHERS: usize = 2;

/// The derivatives of a comparison by its difference of utility, the advantage, and `ln ν`.
const LOCAL: usize = 3;

/// The terms of a utility of units from -1 to 1: `b z - z' H z / 2`.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    parameters: usize,
    /// Whether powers of three and four are among them, for the test of the fit.
    higher: bool,
}

impl Terms {
    pub fn new(parameters: usize) -> Self {
        Self {
            parameters,
            higher: false,
        }
    }

    pub fn with_higher(self) -> Self {
        Self {
            higher: true,
            ..self
        }
    }

    /// The two parameters of each term of the second order, squares first.
    pub fn products(self) -> impl Iterator<Item = (usize, usize)> {
        let most = match self.parameters <= MOST_MIXED {
            true => self.parameters,
            false => 0,
        };
        let squares = (0..self.parameters).map(|at| (at, at));
        squares.chain((0..most).flat_map(|one| (0..one).map(move |two| (one, two))))
    }

    /// The number of parameters, whose slopes come first.
    pub fn slopes(self) -> usize {
        self.parameters
    }

    pub fn count(self) -> usize {
        let powers = if self.higher { 2 * self.parameters } else { 0 };
        self.parameters + self.products().count() + powers
    }

    pub fn size(self) -> usize {
        self.count() + OTHERS
    }

    /// The factors of the terms at a point.
    pub fn at(self, point: &[f64]) -> Vec<f64> {
        let mut terms = point.to_vec();
        for (one, two) in self.products() {
            let half = if one == two { 0.5 } else { 1.0 };
            terms.push(-half * point[one] * point[two]);
        }
        if self.higher {
            terms.extend(point.iter().flat_map(|it| [it.powi(3), it.powi(4)]));
        }
        terms
    }

    /// The factors of the terms in the slope by a parameter.
    pub fn slope(self, point: &[f64], parameter: usize) -> Vec<f64> {
        let mut terms = vec![0.0; self.parameters];
        terms[parameter] = 1.0;
        terms.extend(self.products().map(|(one, two)| match parameter {
            it if it == one => -point[two],
            it if it == two => -point[one],
            _ => 0.0,
        }));
        terms
    }
}

/// Normal priors, and the deviation of utilities that they stand for.
pub struct Prior {
    pub mean: Vec<f64>,
    pub precision: Vec<f64>,
}

impl Prior {
    /// All terms are normal around 0.
    pub fn weak(terms: Terms, deviation: f64) -> Self {
        let mut precision = vec![deviation.powi(-2); terms.size()];
        precision[terms.count()] = (ADVANTAGE_DEVIATION / ELO).powi(-2);
        precision[terms.count() + 1] = DRAWS_DEVIATION.powi(-2);
        Self {
            mean: vec![0.0; terms.size()],
            precision,
        }
    }

    /// Slopes are normal around 0, and curvatures around `deviation`, with this deviation; products around 0 with
    /// `deviation / (2 √n)` for `n` parameters: with larger ones most utilities would not be concave (E. Wigner, Annals of
    /// Mathematics 67, 1958).
    pub fn new(terms: Terms, deviation: f64) -> Self {
        let mut prior = Self::weak(terms, deviation);
        for (at, (one, two)) in (terms.parameters..).zip(terms.products()) {
            match one == two {
                true => prior.mean[at] = deviation,
                false => prior.precision[at] *= 4.0 * terms.parameters as f64,
            }
        }
        prior
    }

    pub fn log(&self, at: &[f64]) -> f64 {
        let squares = self.mean.iter().zip(at).zip(&self.precision);
        -squares
            .map(|((mean, at), precision)| precision * (at - mean).powi(2) / 2.0)
            .sum::<f64>()
    }

    pub fn gradient(&self, at: &[f64]) -> Vec<f64> {
        let parts = self.mean.iter().zip(at).zip(&self.precision);
        parts
            .map(|((mean, at), precision)| precision * (mean - at))
            .collect()
    }

    pub fn add_to(&self, information: &mut Symmetric) {
        for (at, precision) in self.precision.iter().enumerate() {
            information.add(at, at, *precision);
        }
    }
}

/// The log-likelihood at a point, with its derivatives.
pub struct Likelihood {
    pub log: f64,
    pub gradient: Vec<f64>,
    pub information: Symmetric,
}

/// All games, by their points as units from -1 to 1.
pub struct Games {
    compared: Vec<Compared>,
    has_draws: bool,
}

/// `J A J'`, summed over comparisons: the lower triangle, row by row.
struct Cells {
    size: usize,
    cells: Vec<f64>,
}

impl Cells {
    fn new(size: usize) -> Self {
        Self {
            size,
            cells: vec![0.0; size * size],
        }
    }

    fn add(&mut self, terms: &[f64], part: &[[f64; LOCAL]; LOCAL]) {
        for (row, one) in terms.iter().enumerate().filter(|(_, it)| **it != 0.0) {
            let own = one * part[0][0];
            let cells = &mut self.cells[row * self.size..][..=row];
            for (cell, two) in cells.iter_mut().zip(terms) {
                *cell += own * two;
            }
        }
        for other in 0..OTHERS {
            let row = terms.len() + other;
            let cells = &mut self.cells[row * self.size..][..=row];
            for (cell, one) in cells.iter_mut().zip(terms) {
                *cell += part[1 + other][0] * one;
            }
            for two in 0..=other {
                cells[terms.len() + two] += part[1 + other][1 + two];
            }
        }
    }

    fn matrix(self) -> Symmetric {
        let mut matrix = Symmetric::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                matrix.add(row, column, self.cells[row * self.size + column]);
            }
        }
        matrix
    }
}

/// The two games of a comparison by the seat of the first point, at some parameters of the model.
struct Seats([Expected; 2]);

/// The sign of the advantage by the seat of the first point.
const SIDES: [f64; 2] = [1.0, -1.0];

impl Seats {
    fn slopes(&self, seat: usize, score: usize) -> [f64; LOCAL] {
        let Expected { points, draw, .. } = self.0[seat];
        let by_points = score as f64 / 2.0 - points;
        let by_draw = f64::from(score == WinDrawLoss::Draw as usize) - draw;
        [by_points, SIDES[seat] * by_points, by_draw]
    }

    fn information(&self, seat: usize) -> [[f64; LOCAL]; LOCAL] {
        let side = SIDES[seat];
        let Weights {
            points,
            mixed,
            draws,
        } = self.0[seat].weights();
        [
            [points, side * points, mixed],
            [side * points, points, side * mixed],
            [mixed, side * mixed, draws],
        ]
    }
}

fn add(to: &mut [[f64; LOCAL]; LOCAL], count: f64, from: &[[f64; LOCAL]; LOCAL]) {
    for (to, from) in to.iter_mut().flatten().zip(from.iter().flatten()) {
        *to += count * from;
    }
}

impl Games {
    /// Comparisons of equal points are one.
    pub fn new(parameters: &[Parameter], compared: &[Compared]) -> Self {
        let mut by_points: BTreeMap<[Vec<u64>; 2], Compared> = BTreeMap::new();
        for one in compared {
            let units = one.points.each_ref().map(|point| {
                let values = parameters.iter().zip(point);
                values
                    .map(|(parameter, value)| parameter.unit(*value))
                    .collect::<Vec<f64>>()
            });
            let bits = units
                .each_ref()
                .map(|it| it.iter().map(|unit| unit.to_bits()).collect());
            let sum = by_points
                .entry(bits)
                .or_insert_with(|| Compared::new(units));
            sum.add(one);
        }
        let compared: Vec<Compared> = by_points.into_values().collect();
        let drawn = |it: &Compared| it.games().iter().any(|scores| scores[1] > 0.0);
        Self {
            has_draws: compared.iter().any(drawn),
            compared,
        }
    }

    pub fn nu(&self, at: &[f64]) -> f64 {
        match self.has_draws {
            true => at[at.len() - 1].exp(),
            false => 0.0,
        }
    }

    fn each(
        &self,
        terms: Terms,
        at: &[f64],
    ) -> impl Iterator<Item = (&Compared, Vec<f64>, f64, Seats)> {
        let (utility, others) = at.split_at(terms.count());
        let (advantage, nu) = (others[0], self.nu(at));
        self.compared.iter().map(move |one| {
            let [mut first, second] = one.points.each_ref().map(|point| terms.at(point));
            first
                .iter_mut()
                .zip(second)
                .for_each(|(one, two)| *one -= two);
            let apart: f64 = first.iter().zip(utility).map(|(term, by)| term * by).sum();
            let seats = SIDES.map(|side| Expected::new(apart + side * advantage, nu));
            (one, first, apart, Seats(seats))
        })
    }

    pub fn likelihood(&self, terms: Terms, at: &[f64]) -> Likelihood {
        let (advantage, log_nu) = (at[terms.count()], at[terms.count() + 1]);
        let mut log = 0.0;
        let mut gradient = vec![0.0; terms.size()];
        let mut cells = Cells::new(terms.size());
        for (one, factors, apart, seats) in self.each(terms, at) {
            let mut slopes = [0.0; LOCAL];
            let mut information = [[0.0; LOCAL]; LOCAL];
            for (seat, scores) in one.games().iter().enumerate() {
                let odds = apart + SIDES[seat] * advantage;
                for (score, count) in scores.iter().enumerate().filter(|(_, it)| **it > 0.0) {
                    let of_draw = f64::from(score == WinDrawLoss::Draw as usize) * log_nu;
                    let of_points = (score as f64 / 2.0 - 0.5) * odds;
                    log += count * (of_points + of_draw - seats.0[seat].log_sum());
                    for (to, from) in slopes.iter_mut().zip(seats.slopes(seat, score)) {
                        *to += count * from;
                    }
                }
                add(
                    &mut information,
                    scores.iter().sum(),
                    &seats.information(seat),
                );
            }
            for (to, factor) in gradient.iter_mut().zip(&factors) {
                *to += factor * slopes[0];
            }
            gradient[terms.count()] += slopes[1];
            gradient[terms.count() + 1] += slopes[2];
            cells.add(&factors, &information);
        }
        Likelihood {
            log,
            gradient,
            information: cells.matrix(),
        }
    }

    /// The sum over clusters, which are game pairs, of the squares of their first derivatives, as of ratings; and how many
    /// times as much the points of pairs vary as of independent games. `inverse` is the inverse of all information.
    pub fn middle(&self, terms: Terms, at: &[f64], inverse: &Symmetric) -> (Symmetric, f64) {
        let mut cells = Cells::new(terms.size());
        let (mut pairs, mut variation) = (0.0, [0.0; 2]);
        for (one, factors, _, seats) in self.each(terms, at) {
            let mut middle = [[0.0; LOCAL]; LOCAL];
            for (seat, scores) in one.singles.iter().enumerate() {
                let games = scores.iter().sum::<u64>() as f64;
                add(&mut middle, games, &seats.information(seat));
            }
            let mut of_pair = seats.information(0);
            add(&mut of_pair, 1.0, &seats.information(1));
            let spread = spread(inverse, &factors);
            let information = Symmetric::of(LOCAL, of_pair.as_flattened());
            for (first, row) in one.pairs.iter().enumerate() {
                for (second, count) in row.iter().enumerate().filter(|(_, it)| **it > 0) {
                    let count = *count as f64;
                    let [a, b] = [seats.slopes(0, first), seats.slopes(1, second)];
                    let slopes: [f64; LOCAL] = std::array::from_fn(|it| a[it] + b[it]);
                    let root = unleveraged(&information, &spread, &slopes);
                    let square = std::array::from_fn(|row| {
                        std::array::from_fn(|column| root[row] * root[column])
                    });
                    add(&mut middle, count, &square);
                    pairs += count;
                    variation[0] += count * square[0][0];
                    variation[1] += count * of_pair[0][0];
                }
            }
            cells.add(&factors, &middle);
        }
        let [squares, information] = variation;
        let variation = match information > 0.0 {
            true => (pairs * squares / information + EVEN_PAIRS) / (pairs + EVEN_PAIRS),
            false => 1.0,
        };
        (cells.matrix(), variation)
    }
}

/// The covariance of what a comparison depends on: its difference of utility, the advantage, and `ln ν`.
fn spread(inverse: &Symmetric, factors: &[f64]) -> Symmetric {
    let mut vectors = vec![vec![0.0; inverse.size()]; LOCAL];
    vectors[0][..factors.len()].copy_from_slice(factors);
    (1..LOCAL).for_each(|it| vectors[it][factors.len() + it - 1] = 1.0);
    let mut spread = Symmetric::zero(LOCAL);
    for (row, one) in vectors.iter().enumerate() {
        let told = product(inverse, one);
        for (column, other) in vectors[..=row].iter().enumerate() {
            spread.add(
                row,
                column,
                told.iter().zip(other).map(|(a, b)| a * b).sum(),
            );
        }
    }
    spread
}
