//! Variances of strengths from random samples, where a matrix of players squared is too large.
//!
//! Given the parameters that all games share, a random vector `r` with the covariance `H` gives strengths `x = H⁻¹ r` with
//! the covariance `H⁻¹`. Given the others' strengths, a player's variance is known, and only the variance of its
//! expected strength is estimated: conditional expectation (C. R. Rao, 1945; D. Blackwell, Annals of Mathematical
//! Statistics 18, 1947). With dependent games, it gets the player's own factor `M / H`.

use super::covariance::Sum;
use crate::random::Stream;
use crate::rating::math::{Information, Symmetric};

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

#[derive(Debug, Clone)]
pub struct Sampled {
    middle: Information,
    players: usize,
    /// For each batch and player, samples of its strength from the mean of all, and of its expected strength given the
    /// others'.
    samples: Vec<Vec<[[f32; 2]; BATCH]>>,
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
    /// Leaves the strengths' part of `information`, which is `H`. `middle` is `M`.
    pub fn new(information: &mut Information, middle: Information, players: usize) -> Self {
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
            middle,
            players,
            samples: Vec::new(),
            mean_shared: shared.iter().map(mean).collect(),
            shared,
            of_shared,
            precision_of_shared,
            factor: 1.0,
            deviation: 0.0,
            error: f64::INFINITY,
        };
        information.clear_shared();
        let fitted = &*information;
        let factors = || (0..players).map(|player| sampled.factor_of(fitted, player));
        let factor = factors().sum::<f64>() / players.max(1) as f64;
        let squares: f64 = factors().map(|it| (it / factor - 1.0).powi(2)).sum();
        sampled.deviation = (squares / players.max(1) as f64).sqrt();
        sampled.factor = factor;
        let most = MAX_SAMPLES.min(MAX_VALUES / players.max(1)).max(BATCH);
        let mut random = Stream::new(SEED, 0);
        while sampled.error > GOAL && sampled.count() < most {
            sampled.add_samples(fitted, &mut random);
            sampled.error = sampled.estimated_error(fitted);
        }
        sampled
    }

    fn count(&self) -> usize {
        self.samples.len() * BATCH
    }

    fn add_samples(&mut self, fitted: &Information, random: &mut Stream) {
        let right = fitted.random::<BATCH>(|| random.next_u64());
        let sample = fitted.solve(&right, ACCURACY);
        let product = fitted.times(&sample);
        let mut mean = [0.0; BATCH];
        for strengths in &sample[..self.players] {
            for (mean, strength) in mean.iter_mut().zip(strengths) {
                *mean += strength / self.players as f64;
            }
        }
        let of_player = |player: usize| {
            let own = fitted.own(player);
            std::array::from_fn(|at| {
                let strength = sample[player][at];
                let given_others = strength - product[player][at] / own;
                [strength, given_others].map(|value| (value - mean[at]) as f32)
            })
        };
        self.samples
            .push((0..self.players).map(of_player).collect());
    }

    fn samples_of(&self, player: usize) -> impl Iterator<Item = [f64; 2]> {
        let batches = self.samples.iter().flat_map(move |batch| batch[player]);
        batches.map(|both| both.map(f64::from))
    }

    fn square_given(&self, player: usize) -> f64 {
        self.mean_square(self.samples_of(player).map(|[_, given]| given))
    }

    fn mean_square(&self, values: impl Iterator<Item = f64>) -> f64 {
        values.map(|value| value * value).sum::<f64>() / self.count() as f64
    }

    /// Two standard errors of the least exact margin, relative to it. The unknown part of a variance comes from others, so it
    /// gets the mean factor for dependent games. The error of that is about the deviation of the factors.
    fn estimated_error(&self, fitted: &Information) -> f64 {
        let relative = (2.0 / self.count() as f64).sqrt() + self.deviation;
        let unknown = (0..self.players).map(|player| {
            let unknown = self.square_given(player);
            unknown / (unknown + 1.0 / fitted.own(player))
        });
        relative * unknown.fold(0.0, f64::max)
    }

    /// Factor by which dependent games change the variance of a player's results.
    fn factor_of(&self, fitted: &Information, player: usize) -> f64 {
        self.middle.own(player) / fitted.own(player)
    }

    pub fn error(&self) -> f64 {
        self.error
    }

    /// The variance of a sum of at most two strengths with weights of equal size, of others, and of the mean.
    pub fn variance(&self, fitted: &Information, sum: &Sum) -> f64 {
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
            [(a, weight), (b, _)] => weight * weight * self.difference(fitted, [a, b]),
            [(player, weight)] => weight * weight * self.distance(fitted, player),
            _ => 0.0,
        };
        (given_shared + through_shared).max(0.0)
    }

    /// The variance of the difference of two strengths, given the shared parameters.
    fn difference(&self, fitted: &Information, [a, b]: [usize; 2]) -> f64 {
        // The known part is the joint variance of both, given all others.
        let own = [a, b].map(|player| fitted.own(player));
        let between = fitted.between(a, b);
        let determinant = own[0] * own[1] - between * between;
        let [x, y] = [own[1] + between, own[0] + between];
        let known = (x + y) / determinant;
        let samples = self.samples_of(a).zip(self.samples_of(b));
        let unknown = self.mean_square(samples.map(|(one, two)| {
            let mean_of_one = own[0] * one[1] + between * two[0];
            let mean_of_two = own[1] * two[1] + between * one[0];
            (x * mean_of_one - y * mean_of_two) / determinant
        }));
        let quadratic = |matrix: &Information| {
            x * x * matrix.own(a) + y * y * matrix.own(b) - 2.0 * x * y * matrix.between(a, b)
        };
        quadratic(&self.middle) / quadratic(fitted) * known + self.factor * unknown
    }

    /// The variance of the distance of a strength from the mean of all players, given the shared parameters.
    fn distance(&self, fitted: &Information, player: usize) -> f64 {
        let known = (1.0 - 2.0 / self.players as f64) / fitted.own(player);
        self.factor_of(fitted, player) * known + self.factor * self.square_given(player)
    }
}
