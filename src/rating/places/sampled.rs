//! Variances of sums of parameters from random samples, where a matrix of players squared is too large.
//!
//! With `M` and `H` as in [`BlockCovariance`](super::blocks::BlockCovariance), a vector `r` with the covariance `M` gives a
//! sample `x = H⁻¹ r` with the covariance `H⁻¹ M H⁻¹`. A player's part of `r`, over its own cell of `H`, is nearly its part of
//! `x`, and its variance is known. So only the small rest is estimated: a control variate (B. Ripley, *Stochastic Simulation*,
//! 1987, chapter 5).
//!
//! The leverage of a block and its degrees of freedom take all other players' strengths as known.

use super::block_roots::BlockRoots;
use super::blocks::{Evidence, Sum};
use super::problem::{Fit, Problem};
use crate::random::Stream;
use crate::rating::math::Information;

/// Samples that are solved side by side.
const BATCH: usize = 16;

/// Samples are added until margins have this relative error.
const GOAL: f64 = 0.01;

/// Upper bound on samples.
const MAX_SAMPLES: usize = 1024;

/// Upper bound on the values that are kept.
const MAX_VALUES: usize = 1 << 24;

/// Accuracy of the linear systems: the squared error relative to the squared length.
const ACCURACY: f64 = 1e-12;

/// Seed of the samples, a constant: equal games have equal margins.
const SEED: u64 = 0x5249_4445;

/// Estimated variances of sums of parameters.
#[derive(Debug, Clone)]
pub struct SampledBlocks {
    information: Information,
    blocks: Vec<BlockRoots>,
    /// The blocks of each player, in order.
    blocks_of: Vec<Vec<usize>>,
    own: Vec<OwnCells>,
    /// The precision of the prior of each parameter.
    precisions: Vec<f64>,
    players: usize,
    /// For each parameter its samples, a strength from the mean of all; and for a strength the part whose variance is known.
    samples: Vec<Vec<[f32; 2]>>,
    /// The mean of all strengths in each sample.
    means: Vec<f32>,
    /// Relative error of margins.
    error: f64,
}

/// The own cells of a player in sums over its blocks.
#[derive(Debug, Clone, Copy, Default)]
struct OwnCells {
    /// In `M`.
    middle: f64,
    /// Its squares in the information of blocks of several games.
    squares: f64,
    /// These squares, each times its excess kurtosis.
    excess: f64,
}

impl SampledBlocks {
    pub fn new(problem: &Problem, fit: Fit) -> Self {
        let players = problem.players;
        let blocks = problem.games.chunk_by(|a, b| a.block == b.block);
        let blocks: Vec<BlockRoots> = blocks
            .map(|games| BlockRoots::new(problem, games, &fit))
            .collect();
        let mut blocks_of = vec![Vec::new(); players];
        for (at, block) in blocks.iter().enumerate() {
            for index in block.indices.iter().filter(|index| **index < players) {
                blocks_of[*index].push(at);
            }
        }
        let precisions = (0..problem.size()).map(|at| problem.precision(at));
        let mut sampled = Self {
            information: fit.information,
            blocks,
            blocks_of,
            own: Vec::new(),
            precisions: precisions.collect(),
            players,
            samples: vec![Vec::new(); problem.size()],
            means: Vec::new(),
            error: f64::INFINITY,
        };
        sampled.own = (0..players)
            .map(|player| sampled.own_cells(player))
            .collect();
        let most = MAX_SAMPLES.min(MAX_VALUES / problem.size().max(1));
        let mut random = Stream::new(SEED, 0);
        while sampled.error > GOAL && sampled.means.len() < most.max(BATCH) {
            sampled.add_samples(&mut random);
            sampled.error = sampled.estimated_error();
        }
        sampled
    }

    fn add_samples(&mut self, random: &mut Stream) {
        let mut signs = || -> [f64; BATCH] {
            let bits = random.next_u64();
            std::array::from_fn(|lane| if bits >> lane & 1 == 1 { 1.0 } else { -1.0 })
        };
        let precisions = self.precisions.iter();
        let mut right: Vec<[f64; BATCH]> = precisions
            .map(|precision| signs().map(|sign| sign * precision.sqrt()))
            .collect();
        for block in &self.blocks {
            for root in &block.roots {
                let signs = signs();
                for (index, value) in block.indices.iter().zip(root) {
                    for (to, sign) in right[*index].iter_mut().zip(signs) {
                        *to += sign * value;
                    }
                }
            }
        }
        let sample = self.information.solve(&right, ACCURACY);
        let mut mean = [0.0; BATCH];
        for strengths in &sample[..self.players] {
            for (mean, strength) in mean.iter_mut().zip(strengths) {
                *mean += strength / self.players as f64;
            }
        }
        self.means.extend(mean.map(|mean| mean as f32));
        for (index, samples) in self.samples.iter_mut().enumerate() {
            let own = self.information.own(index);
            samples.extend((0..BATCH).map(|lane| match index < self.players {
                true => [
                    (sample[index][lane] - mean[lane]) as f32,
                    (right[index][lane] / own) as f32,
                ],
                false => [sample[index][lane] as f32, 0.0],
            }));
        }
    }

    /// Two standard errors of the least exact margin of a rating, relative to it.
    fn estimated_error(&self) -> f64 {
        let count = self.means.len() as f64;
        let errors = (0..self.players).map(|player| {
            let parts: Vec<f64> = self.rests(&Sum::from_mean(player)).collect();
            let mean = parts.iter().sum::<f64>() / count;
            let squares: f64 = parts.iter().map(|part| (part - mean).powi(2)).sum();
            let variance = self.variance(&Sum::from_mean(player));
            // The margin is the root of the variance, with half its relative error.
            (squares / (count - 1.0) / count).sqrt() / variance
        });
        errors.fold(0.0, f64::max)
    }

    /// Relative error of margins.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// The strengths of a sum, each with its weight.
    fn strengths<'a>(&self, sum: &'a Sum) -> impl Iterator<Item = (usize, f64)> + Clone + use<'a> {
        let players = self.players;
        let parts = sum.parts.iter().copied();
        parts.filter(move |(index, _)| *index < players)
    }

    /// The variance of a sum of parameters. It is exact without strengths.
    pub fn variance(&self, sum: &Sum) -> f64 {
        let strengths = self.strengths(sum);
        if strengths.clone().next().is_none() {
            return self.exact_variance(sum);
        }
        let known: f64 = strengths
            .clone()
            .flat_map(|(one, a)| strengths.clone().map(move |(other, b)| (one, other, a * b)))
            .map(|(one, other, weight)| {
                let cell = self.middle(one, other);
                weight * cell / (self.information.own(one) * self.information.own(other))
            })
            .sum();
        let rests: f64 = self.rests(sum).sum();
        (known + rests / self.means.len() as f64).max(0.0)
    }

    fn exact_variance(&self, sum: &Sum) -> f64 {
        let mut unit = vec![[0.0]; self.precisions.len()];
        for (index, weight) in &sum.parts {
            unit[*index][0] += weight;
        }
        let told = self.information.solve(&unit, ACCURACY);
        let precisions = told.iter().zip(&self.precisions);
        let prior: f64 = precisions
            .map(|([told], precision)| told * told * precision)
            .sum();
        let blocks = self.blocks.iter().flat_map(|block| {
            let roots = block.roots.iter();
            roots.map(|root| {
                let parts = block.indices.iter().zip(root);
                let part: f64 = parts.map(|(index, value)| told[*index][0] * value).sum();
                part * part
            })
        });
        prior + blocks.sum::<f64>()
    }

    /// The square of the sum in each sample, less the square of its part whose variance is known.
    fn rests<'a>(&'a self, sum: &'a Sum) -> impl Iterator<Item = f64> + 'a {
        let of_mean = sum.of_mean + self.strengths(sum).map(|(_, weight)| weight).sum::<f64>();
        self.means.iter().enumerate().map(move |(at, mean)| {
            let start = [of_mean * f64::from(*mean), 0.0];
            let parts = sum.parts.iter();
            let [whole, known] = parts.fold(start, |[whole, known], (index, weight)| {
                let [value, part] = self.samples[*index][at].map(f64::from);
                [whole + weight * value, known + weight * part]
            });
            whole * whole - known * known
        })
    }

    fn own_cells(&self, player: usize) -> OwnCells {
        let mut cells = OwnCells {
            middle: self.precisions[player],
            ..OwnCells::default()
        };
        for block in self.blocks_of[player].iter().map(|at| &self.blocks[*at]) {
            let square = block.information_of(player, player).powi(2);
            cells.middle += block.middle(player, player);
            cells.squares += square;
            cells.excess += square * block.excess_of(player);
        }
        cells
    }

    /// A cell of `M` of two strengths.
    fn middle(&self, a: usize, b: usize) -> f64 {
        match a == b {
            true => self.own[a].middle,
            false => self.common(a, b).map(|block| block.middle(a, b)).sum(),
        }
    }

    /// The blocks of both players.
    fn common(&self, a: usize, b: usize) -> impl Iterator<Item = &BlockRoots> {
        let (few, many) = match self.blocks_of[a].len() <= self.blocks_of[b].len() {
            true => (a, b),
            false => (b, a),
        };
        let both = self.blocks_of[few].iter();
        let both = both.filter(move |at| self.blocks_of[many].binary_search(at).is_ok());
        both.map(|at| &self.blocks[*at])
    }

    /// The degrees of freedom of the variance of a sum of at most two strengths, as
    /// [`BlockCovariance::freedom`](super::blocks::BlockCovariance::freedom) has them. Without strengths, all blocks count alike.
    pub fn freedom(&self, sum: &Sum) -> f64 {
        let told: Vec<(usize, f64)> = self
            .strengths(sum)
            .map(|(player, weight)| (player, weight / self.information.own(player)))
            .collect();
        if told.is_empty() {
            let several = |block: &&BlockRoots| block.has_several_games();
            return match self.blocks.iter().filter(several).count() {
                0 => f64::INFINITY,
                blocks => (blocks - 1) as f64,
            };
        }
        let mut evidence = Evidence::default();
        for (player, told) in &told {
            let (own, cells) = (told * told, &self.own[*player]);
            evidence.variance += own * self.information.own(*player);
            evidence.squares += own * own * cells.squares;
            evidence.excess += own * own * cells.excess;
        }
        if let [(a, told_a), (b, told_b)] = told[..] {
            evidence.variance += 2.0 * told_a * told_b * self.information.cell(a, b);
            for block in self.common(a, b) {
                let [own_a, own_b] = [(a, told_a), (b, told_b)]
                    .map(|(player, told)| told * told * block.information_of(player, player));
                let both = own_a + own_b + 2.0 * told_a * told_b * block.information_of(a, b);
                let [of_a, of_b] = [a, b].map(|player| block.excess_of(player));
                evidence.squares += both * both - own_a * own_a - own_b * own_b;
                evidence.excess +=
                    both * both * (of_a + of_b) / 2.0 - own_a * own_a * of_a - own_b * own_b * of_b;
            }
        }
        evidence.freedom()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ratings::PlaceRatings;
    use crate::game::Chance;
    use crate::random::Stream;
    use crate::rating::{Ending, Model, PlacedGame};

    /// Blocks of random tables of four, where a lower index is a little stronger; `rotations` games each. Luck of the block
    /// makes its games alike.
    fn games(players: u32, blocks: u64, rotations: usize) -> Vec<PlacedGame> {
        let mut chance = Stream::new(7, 1);
        let mut games = Vec::new();
        for block in 0..blocks {
            let mut table: Vec<u32> = Vec::new();
            while table.len() < 4 {
                let player = chance.below(players);
                if !table.contains(&player) {
                    table.push(player);
                }
            }
            let luck: Vec<f64> = (0..4).map(|_| f64::from(chance.below(40))).collect();
            for first in 0..rotations {
                let endings: Vec<(usize, Ending)> = (0..4)
                    .map(|seat| {
                        let at = (seat + first) % 4;
                        let skill = f64::from(players - table[at]) / f64::from(players);
                        let points = (30.0 * skill + luck[at]).round() / 4.0;
                        let points = (points + f64::from(chance.below(8))).round();
                        (table[at] as usize, Ending::Points(points - seat as f64))
                    })
                    .collect();
                games.push(PlacedGame::new(&endings, block));
            }
        }
        games
    }

    /// The margins of ratings, differences and seats are between these multiples of the exact ones, and say how exact they are.
    fn agrees(games: &[PlacedGame], players: usize, [least, greatest]: [f64; 2]) {
        let fit = |most| PlaceRatings::fit(players, games, Model::default(), most).expect("games");
        let (exact, sampled) = (fit(usize::MAX), fit(0));
        assert_eq!(exact.margin_error(), None);
        let stated = sampled.margin_error().expect("estimated");
        assert!(stated <= 0.06, "{stated}");
        let compare = |[exact, sampled]: [f64; 2]| {
            let part = sampled / exact;
            assert!((least..greatest).contains(&part), "{part}, stated {stated}");
        };
        for player in 0..players {
            let other = (player * 7 + 1) % players;
            let both = [&exact, &sampled];
            let apart = exact.rating(player).elo - sampled.rating(player).elo;
            assert_eq!(apart, 0.0);
            compare(both.map(|it| it.rating(player).margin()));
            if other != player {
                compare(both.map(|it| it.difference(player, other).margin()));
            }
        }
        for seat in 0..4 {
            compare([&exact, &sampled].map(|it| it.seat(4, seat).expect("fitted").margin()));
        }
    }

    #[test]
    fn estimated_margins_agree_with_exact_ones() {
        agrees(&games(60, 1200, 1), 60, [0.95, 1.05]);
        agrees(&games(60, 500, 4), 60, [0.95, 1.05]);
    }

    #[test]
    fn estimated_margins_are_hardly_too_narrow_where_players_have_few_blocks() {
        agrees(&games(60, 180, 4), 60, [0.95, 1.15]);
        agrees(&games(60, 90, 4), 60, [0.92, 4.0]);
    }
}
