//! Variances of ratings from random samples, where a matrix of players squared is too large.
//!
//! Given all other players, a strength has the variance `1 / H(a,a)` and a mean that is linear in their strengths. So
//! its variance is this known part plus the variance of the mean, and only the latter is estimated
//! (P. Sidén, F. Lindgren, D. Bolin, M. Villani, "Efficient covariance approximations for large sparse
//! precision matrices", Journal of Computational and Graphical Statistics 27, 2018). The unknown part is small for a
//! player with many opponents, so few samples are enough.

use crate::random::Stream;
use crate::rating::math::Information;

/// Samples that are solved side by side.
const BATCH: usize = 16;

/// Samples are added until margins have this relative error.
const GOAL: f64 = 0.005;

/// Upper bound on samples.
const MAX_SAMPLES: usize = 2048;

/// Upper bound on the values that are kept.
const MAX_VALUES: usize = 1 << 24;

/// Accuracy of the linear systems: the squared error relative to the squared length.
const ACCURACY: f64 = 1e-12;

/// Seed of the samples, a constant: equal games have equal margins.
const SEED: u64 = 0x5249_4445;

/// Estimated variances of all strengths and of their differences.
#[derive(Debug, Clone)]
pub struct SampledCovariance {
    /// Information about the players' strengths, with independent games.
    fitted: Information,
    /// Information with dependent games of a pair; `None` without pairs.
    dependent: Option<Information>,
    players: usize,
    /// For each player its samples, relative to the mean of all players: its strength, and its expected strength given
    /// the others'.
    samples: Vec<Vec<[f32; 2]>>,
    /// Exact covariance of every parameter with the advantage and with the draws' parameter.
    shared: Vec<[f64; 2]>,
    /// Relative error of margins.
    error: f64,
}

impl SampledCovariance {
    pub fn new(information: &Information, players: usize) -> Self {
        let mut units = vec![[0.0; 2]; players + 2];
        units[players][0] = 1.0;
        units[players + 1][1] = 1.0;
        let mut sampled = Self {
            fitted: information.of_players(),
            dependent: None,
            players,
            samples: vec![Vec::new(); players],
            shared: information.solve(&units, ACCURACY),
            error: f64::INFINITY,
        };
        let most = MAX_SAMPLES.min(MAX_VALUES / players.max(1)).max(BATCH);
        let mut random = Stream::new(SEED, 0);
        while sampled.error > GOAL && sampled.count() < most {
            sampled.add_samples(&mut random);
            sampled.error = sampled.estimated_error();
        }
        sampled
    }

    /// Variances for results with the information `paired`. `information` takes them as independent.
    pub fn with_pairs(mut self, information: &Information, paired: Information) -> Self {
        self.shared = information.solve(&paired.times(&self.shared), ACCURACY);
        self.dependent = Some(paired);
        self.error = self.estimated_error();
        self
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

    /// Two standard errors of the least exact margin, relative to it. The unknown part of a variance gets the player's
    /// own factor for game pairs. The error of that is at most the range of these factors.
    fn estimated_error(&self) -> f64 {
        let factors = (0..self.players).map(|player| self.factor_of(player));
        let [low, high] = factors.fold([f64::INFINITY, 0.0], |[low, high], factor| {
            [factor.min(low), factor.max(high)]
        });
        let relative = (2.0 / self.count() as f64).sqrt() + (high - low) / (2.0 * low);
        let unknown = (0..self.players).map(|player| {
            let unknown = mean_square(
                self.samples[player]
                    .iter()
                    .map(|[_, given]| f64::from(*given)),
            );
            unknown / (unknown + 1.0 / self.fitted.own(player))
        });
        relative * unknown.fold(0.0, f64::max)
    }

    /// Factor by which pairs change the variance of a player's results.
    fn factor_of(&self, player: usize) -> f64 {
        let paired = self.dependent.as_ref().unwrap_or(&self.fitted);
        paired.own(player) / self.fitted.own(player)
    }

    /// Relative error of margins.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// The covariance of a parameter with the advantage, and with the draws' parameter.
    pub fn shared(&self, parameter: usize) -> [f64; 2] {
        self.shared[parameter]
    }

    /// The mean of these covariances over all players.
    pub fn mean_shared(&self) -> [f64; 2] {
        [0, 1].map(|at| {
            let sum: f64 = self.shared[..self.players].iter().map(|it| it[at]).sum();
            sum / self.players.max(1) as f64
        })
    }

    /// The variance of the difference of two strengths.
    pub fn difference(&self, a: usize, b: usize) -> f64 {
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
        let factor = self.dependent.as_ref().map_or(1.0, |paired| {
            let quadratic = |matrix: &Information| {
                x * x * matrix.own(a) + y * y * matrix.own(b) - 2.0 * x * y * matrix.between(a, b)
            };
            quadratic(paired) / quadratic(&self.fitted)
        });
        let [one, two] = [a, b].map(|player| self.shared[player]);
        factor * (known + unknown) + self.through_shared([one[0] - two[0], one[1] - two[1]])
    }

    /// The variance of the distance of a strength from the mean of all players.
    pub fn distance(&self, player: usize) -> f64 {
        let known = (1.0 - 2.0 / self.players as f64) / self.fitted.own(player);
        let given = self.samples[player]
            .iter()
            .map(|[_, given]| f64::from(*given));
        let (shared, mean) = (self.shared[player], self.mean_shared());
        self.factor_of(player) * (known + mean_square(given))
            + self.through_shared([shared[0] - mean[0], shared[1] - mean[1]])
    }

    /// The part of a variance that comes from the advantage and the draws' parameter, given the covariances with them.
    fn through_shared(&self, [advantage, draws]: [f64; 2]) -> f64 {
        let ([a, mixed], [_, d]) = (self.shared[self.players], self.shared[self.players + 1]);
        let determinant = a * d - mixed * mixed;
        (advantage * advantage * d - 2.0 * advantage * draws * mixed + draws * draws * a)
            / determinant
    }
}

fn mean_square(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.map(|value| value * value).sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use crate::game::{Blame, Chance};
    use crate::random::Stream;
    use crate::rating::{Anchor, Model, RatedGame, Ratings, Score, Standings};

    /// Random games, each with one of the next `reach` players. `paired` percent of the players play in pairs, whose
    /// games often have one winner.
    fn standings(players: u32, games: u32, reach: u32, paired: u32) -> Standings {
        let mut chance = Stream::new(5, 0);
        let mut standings = Standings::default();
        for game in 0..games {
            let a = chance.below(players);
            let b = (a + 1 + chance.below(reach)) % players;
            let mut score = Score::ALL[chance.below(3) as usize];
            let in_pairs = a < players * paired / 100;
            for seats in [[a, b], [b, a]].into_iter().take(1 + usize::from(in_pairs)) {
                standings.add(&RatedGame {
                    names: seats
                        .map(|it| format!("{it}"))
                        .each_ref()
                        .map(String::as_str),
                    result: score.as_result(),
                    blame: Blame::Nobody,
                    pair: in_pairs.then_some(u64::from(game)),
                    digest: None,
                });
                if chance.below(4) > 0 {
                    score = score.reversed();
                }
            }
        }
        standings
    }

    /// The margins of ratings and differences are within this of the exact ones, relative to them, and no
    /// further off than they say.
    fn agrees(standings: &Standings, allowed: f64) {
        let exact = Ratings::new(standings, Model::default());
        let sampled = Ratings::fit(standings, Model::default(), 0, &[]);
        assert_eq!(exact.margin_error(), None);
        let stated = sampled.margin_error().expect("estimated");
        assert!(stated <= allowed, "{stated}");
        let players = standings.players().len();
        let mut most = 0.0_f64;
        for player in 0..players {
            let other = (player * 7 + 1) % players;
            let margins = [&exact, &sampled].map(|it| {
                let rating = it.rating(player, Anchor::default());
                [rating, it.difference(player, other)].map(|it| it.margin())
            });
            for kind in [0, 1] {
                if margins[0][kind] > 0.0 {
                    most = most.max((margins[1][kind] / margins[0][kind] - 1.0).abs());
                }
            }
        }
        // Two standard errors hold 95 of 100, and this is the worst of hundreds.
        assert!(
            most <= 2.0 * stated && most <= allowed,
            "{most} of {stated}"
        );
        let advantages = [&exact, &sampled].map(|it| it.advantage().expect("fitted").margin());
        assert!(
            (advantages[1] / advantages[0] - 1.0).abs() < 1e-3,
            "{advantages:?}"
        );
    }

    #[test]
    fn estimated_margins_agree_with_exact_ones() {
        agrees(&standings(120, 6000, 119, 0), 0.01);
    }

    #[test]
    fn estimated_margins_agree_with_exact_ones_where_all_or_some_games_are_in_pairs() {
        agrees(&standings(120, 4000, 119, 100), 0.01);
        agrees(&standings(120, 6000, 119, 50), 0.05);
    }

    #[test]
    fn estimated_margins_say_how_exact_they_are_where_few_players_met() {
        agrees(&standings(100, 400, 3, 0), 0.1);
    }
}
