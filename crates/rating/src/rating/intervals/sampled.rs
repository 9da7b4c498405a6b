//! Variances of strengths from random samples, where a matrix of players squared is too large.
//!
//! Given the parameters that all games share, a random vector `r` with the covariance `H` gives strengths `x = H⁻¹ r` with
//! the covariance `H⁻¹`. Given the others' strengths, a player's variance is known, and only the variance of its
//! expected strength is estimated: conditional expectation (C. R. Rao, 1945; D. Blackwell, Annals of Mathematical
//! Statistics 18, 1947). With dependent games, it gets the player's own factor `M / H`.

use super::covariance::Sum;
use crate::random::Stream;
use crate::rating::math::{Information, Symmetric};

/// Samples that are solved side by side.
const BATCH: usize = 16;

/// Samples are added until margins have this relative error.
const GOAL: f64 = 0.01;

const MAX_SAMPLES: usize = 1024;

/// Upper bound on the values that are kept.
const MAX_VALUES: usize = 1 << 22;

/// Accuracy of the linear systems: the squared error relative to the squared length.
const ACCURACY: f64 = 1e-12;

/// Seed of the samples, a constant: equal games have equal margins.
const SEED: u64 = 0x5249_4445;

/// Estimated variances of sums of parameters.
#[derive(Debug, Clone)]
pub struct Sampled {
    /// The strengths' part of `H`, and `M`.
    fitted: Information,
    middle: Information,
    players: usize,
    /// For each player, samples of its strength from the mean of all, and of its expected strength given the others'.
    samples: Vec<Vec<[f32; 2]>>,
    /// Exact covariance of every parameter with each shared one, and the inverse of the shared ones' own.
    shared: Vec<Vec<f64>>,
    of_shared: Symmetric,
    precision_of_shared: Symmetric,
    /// The mean of all players' covariances with each shared parameter.
    mean_shared: Vec<f64>,
    /// The mean factor by which dependent games change variances, and its deviation relative to it.
    factor: f64,
    deviation: f64,
    error: f64,
}

impl Sampled {
    pub fn new(information: &Information, middle: Information, players: usize) -> Self {
        let size = information.size();
        let shared: Vec<Vec<f64>> = (players..size)
            .map(|index| {
                let mut unit = vec![[0.0]; size];
                unit[index][0] = 1.0;
                let one = information.solve(&unit, ACCURACY);
                let both = information.solve(&middle.times(&one), ACCURACY);
                both.into_iter().map(|[value]| value).collect()
            })
            .collect();
        let mut of_shared = Symmetric::zero(size - players);
        for (row, column) in
            (0..size - players).flat_map(|row| (0..=row).map(move |column| (row, column)))
        {
            of_shared.add(row, column, shared[row][players + column]);
        }
        let mut precision_of_shared = of_shared.clone();
        if !precision_of_shared.invert() {
            precision_of_shared = Symmetric::zero(size - players);
        }
        let mean = |row: &Vec<f64>| row[..players].iter().sum::<f64>() / players.max(1) as f64;
        let mut sampled = Self {
            fitted: information.of_players(),
            middle,
            players,
            samples: vec![Vec::new(); players],
            mean_shared: shared.iter().map(mean).collect(),
            shared,
            of_shared,
            precision_of_shared,
            factor: 1.0,
            deviation: 0.0,
            error: f64::INFINITY,
        };
        let factors = || (0..players).map(|player| sampled.factor_of(player));
        let factor = factors().sum::<f64>() / players.max(1) as f64;
        let squares: f64 = factors().map(|it| (it / factor - 1.0).powi(2)).sum();
        sampled.deviation = (squares / players.max(1) as f64).sqrt();
        sampled.factor = factor;
        let most = MAX_SAMPLES.min(MAX_VALUES / players.max(1)).max(BATCH);
        let mut random = Stream::new(SEED, 0);
        while sampled.error > GOAL && sampled.count() < most {
            sampled.add_samples(&mut random);
            sampled.error = sampled.estimated_error();
        }
        sampled
    }

    fn count(&self) -> usize {
        self.samples.first().map_or(usize::MAX, Vec::len)
    }

    fn add_samples(&mut self, random: &mut Stream) {
        let right = self.fitted.random::<BATCH>(|| random.next_u64());
        let sample = self.fitted.solve(&right, ACCURACY);
        let product = self.fitted.times(&sample);
        let mut mean = [0.0; BATCH];
        for strengths in &sample[..self.players] {
            for (mean, strength) in mean.iter_mut().zip(strengths) {
                *mean += strength / self.players as f64;
            }
        }
        for (player, samples) in self.samples.iter_mut().enumerate() {
            let own = self.fitted.own(player);
            samples.extend((0..BATCH).map(|at| {
                let strength = sample[player][at];
                let given_others = strength - product[player][at] / own;
                [strength, given_others].map(|value| (value - mean[at]) as f32)
            }));
        }
    }

    /// Two standard errors of the least exact margin, relative to it. The unknown part of a variance comes from others, so it
    /// gets the mean factor for dependent games. The error of that is about the deviation of the factors.
    fn estimated_error(&self) -> f64 {
        let relative = (2.0 / self.count() as f64).sqrt() + self.deviation;
        let unknown = (0..self.players).map(|player| {
            let given = self.samples[player]
                .iter()
                .map(|[_, given]| f64::from(*given));
            let unknown = mean_square(given);
            unknown / (unknown + 1.0 / self.fitted.own(player))
        });
        relative * unknown.fold(0.0, f64::max)
    }

    /// Factor by which dependent games change the variance of a player's results.
    fn factor_of(&self, player: usize) -> f64 {
        self.middle.own(player) / self.fitted.own(player)
    }

    pub fn error(&self) -> f64 {
        self.error
    }

    /// The variance of a sum of at most two strengths with weights of equal size, of others, and of the mean.
    pub fn variance(&self, sum: &Sum) -> f64 {
        let shared = self.shared.iter().enumerate().map(|(at, row)| {
            let strengths = sum.strengths(self.players);
            let of_strengths: f64 = strengths.map(|(player, weight)| weight * row[player]).sum();
            of_strengths + sum.of_mean * self.mean_shared[at]
        });
        let with_shared: Vec<f64> = shared.collect();
        let by_shared = |at: usize| {
            let explained = self.precision_of_shared.row(at).zip(&with_shared);
            let explained: f64 = explained.map(|(cell, value)| cell * value).sum();
            let own = sum
                .parts
                .iter()
                .filter(|(index, _)| *index == self.players + at);
            explained + own.map(|(_, weight)| weight).sum::<f64>()
        };
        let told: Vec<f64> = (0..self.shared.len()).map(by_shared).collect();
        let through_shared: f64 = told
            .iter()
            .enumerate()
            .map(|(at, value)| {
                let row = self.of_shared.row(at).zip(&told);
                value * row.map(|(cell, other)| cell * other).sum::<f64>()
            })
            .sum();
        let strengths: Vec<(usize, f64)> = sum.strengths(self.players).collect();
        let given_shared = match strengths[..] {
            [(a, weight), (b, _)] => weight * weight * self.difference(a, b),
            [(player, weight)] => weight * weight * self.distance(player),
            _ => 0.0,
        };
        (given_shared + through_shared).max(0.0)
    }

    /// The variance of the difference of two strengths, given the shared parameters.
    fn difference(&self, a: usize, b: usize) -> f64 {
        // The known part is the joint variance of both, given all others.
        let own = [a, b].map(|player| self.fitted.own(player));
        let between = self.fitted.between(a, b);
        let determinant = own[0] * own[1] - between * between;
        let [x, y] = [own[1] + between, own[0] + between];
        let known = (x + y) / determinant;
        let samples = self.samples[a].iter().zip(&self.samples[b]);
        let unknown = mean_square(samples.map(|(one, two)| {
            let [one, two] = [one, two].map(|pair| pair.map(f64::from));
            let mean_of_one = own[0] * one[1] + between * two[0];
            let mean_of_two = own[1] * two[1] + between * one[0];
            (x * mean_of_one - y * mean_of_two) / determinant
        }));
        let quadratic = |matrix: &Information| {
            x * x * matrix.own(a) + y * y * matrix.own(b) - 2.0 * x * y * matrix.between(a, b)
        };
        quadratic(&self.middle) / quadratic(&self.fitted) * known + self.factor * unknown
    }

    /// The variance of the distance of a strength from the mean of all players, given the shared parameters.
    fn distance(&self, player: usize) -> f64 {
        let known = (1.0 - 2.0 / self.players as f64) / self.fitted.own(player);
        let given = self.samples[player]
            .iter()
            .map(|[_, given]| f64::from(*given));
        self.factor_of(player) * known + self.factor * mean_square(given)
    }
}

fn mean_square(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.map(|value| value * value).sum::<f64>() / count
}
