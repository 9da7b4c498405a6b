//! Players against the mix of players that nobody beats: Nash averaging (Balduzzi and others, "Re-evaluating
//! evaluation", NeurIPS 2018).
//!
//! Two players each choose one of the players to play for them; the payoff is the log odds of its results
//! against the other's choice. Of the mixed choices `p` that lose to none, the one with the greatest entropy is
//! unique, and copies of a player share its weight, so that they change nobody's figures. With payoffs `A`, it is
//!
//! ```text
//! maximise  -Σ p ln p   such that   (A p)ᵢ ≤ ε for all i,   Σ p = 1
//! ```
//!
//! with a tiny `ε`. The dual problem has no constraint but `λ ≥ 0`, and `p` is the softmax of `A λ`:
//!
//! ```text
//! minimise  ln Σ exp (A λ)ᵢ + ε Σ λ
//! ```
//!
//! Newton's method with a logarithmic barrier solves it (Boyd and Vandenberghe, *Convex Optimization*, chapter 11).

use super::ELO;
use super::covariance::Ratings;
use super::standings::Standings;

/// For more players than this, the solution takes too long: its time grows with their cube.
pub const MOST_NASH_PLAYERS: usize = 300;

/// `ε`, relative to the greatest payoff.
const TOLERANCE: f64 = 1e-7;

/// The weight of the barrier at the start and at the end, and the factor from one to the next.
const BARRIERS: [f64; 3] = [1.0, 1e-10, 0.1];

/// The most Newton steps for one weight of the barrier.
const STEPS: usize = 200;

/// The mix, and each player against it.
#[derive(Debug, Clone, PartialEq)]
pub struct Nash {
    /// The share of each player in the mix.
    pub weights: Vec<f64>,
    /// The Elo of each player against the mix: the mean of its differences to the players in it. None is above
    /// 0, but for rounding: that is the proof that nobody beats the mix.
    pub skills: Vec<f64>,
    /// How many pairings had no games and are taken from the ratings.
    pub not_met: u64,
}

impl Nash {
    /// The mix of all players, by the score of each two against each other. `None` if there are none, or more
    /// than [`MOST_NASH_PLAYERS`].
    pub fn new(standings: &Standings, ratings: &Ratings) -> Option<Self> {
        let players = standings.players().len();
        if players == 0 || players > MOST_NASH_PLAYERS {
            return None;
        }
        // The places of the players by name, so that the order of games cannot matter.
        let by_name = standings.by_name();
        let mut payoffs = vec![0.0; players * players];
        let mut not_met = 0;
        for (i, player) in by_name.iter().enumerate() {
            for (j, other) in by_name.iter().enumerate().take(i) {
                let tally = standings.against(*player, *other);
                let games = tally.games() as f64;
                let odds = if games > 0.0 {
                    // Half a game more for both, so that a player who won all games is not infinitely far ahead.
                    ((tally.points() + 0.5) / (games - tally.points() + 0.5)).ln()
                } else {
                    not_met += 1;
                    let score = ratings.expected(*player, *other);
                    (score / (1.0 - score)).ln()
                };
                payoffs[i * players + j] = odds;
                payoffs[j * players + i] = -odds;
            }
        }
        let mix = mix(&payoffs, players);
        let against = times(&payoffs, &mix);
        let (mut weights, mut skills) = (vec![0.0; players], vec![0.0; players]);
        for (at, player) in by_name.into_iter().enumerate() {
            weights[player] = mix[at];
            skills[player] = ELO * against[at];
        }
        Some(Self {
            weights,
            skills,
            not_met,
        })
    }
}

/// The mix with the greatest entropy of those that lose to none, for antisymmetric payoffs.
fn mix(payoffs: &[f64], size: usize) -> Vec<f64> {
    let greatest = payoffs
        .iter()
        .fold(0.0_f64, |most, payoff| most.max(payoff.abs()));
    if greatest == 0.0 {
        return vec![1.0 / size as f64; size];
    }
    let payoffs: Vec<f64> = payoffs.iter().map(|payoff| payoff / greatest).collect();
    let mut at = vec![1.0; size];
    let [mut barrier, least, factor] = BARRIERS;
    while barrier >= least {
        for _ in 0..STEPS {
            let (value, weights) = value(&payoffs, &at, barrier);
            let against = times(&payoffs, &weights);
            let slope = |i: usize| TOLERANCE - against[i] - barrier / at[i];
            let slopes: Vec<f64> = (0..size).map(slope).collect();
            let mut curvature = curvature(&payoffs, &weights, &against);
            for i in 0..size {
                curvature[i * size + i] += barrier / (at[i] * at[i]);
            }
            let Some(step) = solve(curvature, &slopes) else {
                break;
            };
            let decrement: f64 = step
                .iter()
                .zip(&slopes)
                .map(|(step, slope)| step * slope)
                .sum();
            if decrement < 1e-9 * barrier {
                break;
            }
            // The longest step that keeps all λ above 0, and then shorter ones until one goes down.
            let limit = step.iter().zip(&at).map(|(step, at)| step / at);
            let mut length = (0.99 / limit.fold(0.99, f64::max)).min(1.0);
            let moved = |length: f64| -> Vec<f64> {
                at.iter()
                    .zip(&step)
                    .map(|(at, step)| at - length * step)
                    .collect()
            };
            let goes_down = |length: f64| {
                self::value(&payoffs, &moved(length), barrier).0 <= value - 0.1 * length * decrement
            };
            while length > 1e-9 && !goes_down(length) {
                length /= 2.0;
            }
            if length <= 1e-9 {
                break;
            }
            at = moved(length);
        }
        barrier *= factor;
    }
    value(&payoffs, &at, 0.0).1
}

/// The value of the dual problem with its barrier, and the mix that belongs to it.
fn value(payoffs: &[f64], at: &[f64], barrier: f64) -> (f64, Vec<f64>) {
    let powers = times(payoffs, at);
    let most = powers
        .iter()
        .fold(f64::NEG_INFINITY, |most, power| most.max(*power));
    let mut weights: Vec<f64> = powers.iter().map(|power| (power - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    let pressure: f64 = at.iter().map(|at| TOLERANCE * at - barrier * at.ln()).sum();
    (most + sum.ln() + pressure, weights)
}

/// The second derivatives: the covariance of the payoffs' columns under the mix.
fn curvature(payoffs: &[f64], weights: &[f64], against: &[f64]) -> Vec<f64> {
    let size = weights.len();
    let mut cells = vec![0.0; size * size];
    for (row, weight) in payoffs.chunks(size).zip(weights) {
        // The mean of column `i` under the mix is -against[i].
        let centred: Vec<f64> = row
            .iter()
            .zip(against)
            .map(|(cell, mean)| cell + mean)
            .collect();
        for (i, cell) in centred.iter().enumerate() {
            let factor = weight * cell;
            let target = &mut cells[i * size..][..size];
            for (target, other) in target.iter_mut().zip(&centred) {
                *target += factor * other;
            }
        }
    }
    cells
}

fn times(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    let product = |row: &[f64]| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.chunks(vector.len()).map(product).collect()
}

/// Solves a system with a positive definite matrix, by Cholesky. `None` if it is not positive definite.
fn solve(mut cells: Vec<f64>, right: &[f64]) -> Option<Vec<f64>> {
    let size = right.len();
    for i in 0..size {
        for j in 0..=i {
            let (row, other) = (&cells[i * size..][..j], &cells[j * size..][..j]);
            let sum: f64 = row.iter().zip(other).map(|(a, b)| a * b).sum();
            let rest = cells[i * size + j] - sum;
            cells[i * size + j] = match i == j {
                true if rest > 0.0 => rest.sqrt(),
                true => return None,
                false => rest / cells[j * size + j],
            };
        }
    }
    let mut solution = right.to_vec();
    for i in 0..size {
        let sum: f64 = (0..i).map(|j| cells[i * size + j] * solution[j]).sum();
        solution[i] = (solution[i] - sum) / cells[i * size + i];
    }
    for i in (0..size).rev() {
        let sum: f64 = (i + 1..size)
            .map(|j| cells[j * size + i] * solution[j])
            .sum();
        solution[i] = (solution[i] - sum) / cells[i * size + i];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    /// Antisymmetric payoffs without structure.
    fn example(size: usize, seed: u64) -> Vec<f64> {
        let mut chance = Stream::new(3, seed);
        let mut payoffs = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..i {
                let payoff = (chance.next_u64() >> 40) as f64 / f64::from(1 << 23) - 1.0;
                payoffs[i * size + j] = payoff;
                payoffs[j * size + i] = -payoff;
            }
        }
        payoffs
    }

    /// These payoffs with so many copies of the first player at the end.
    fn with_copies(payoffs: &[f64], size: usize, copies: usize) -> Vec<f64> {
        let of = |at: usize| if at < size { at } else { 0 };
        let all = 0..size + copies;
        all.clone()
            .flat_map(|i| all.clone().map(move |j| payoffs[of(i) * size + of(j)]))
            .collect()
    }

    #[test]
    fn nobody_gains_against_the_mix_of_any_payoffs() {
        for size in [1, 2, 3, 4, 7, 12, 25] {
            for seed in 0..20 {
                let payoffs = example(size, seed);
                let mix = mix(&payoffs, size);
                assert!((mix.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                let best = times(&payoffs, &mix).into_iter().fold(f64::MIN, f64::max);
                assert!(best < 2e-7, "{size} {seed}: {best}");
            }
        }
    }

    #[test]
    fn copies_of_a_player_change_nobodys_figures() {
        for seed in 0..20 {
            let payoffs = example(6, seed);
            let alone = mix(&payoffs, 6);
            let against = times(&payoffs, &alone);
            let copied = with_copies(&payoffs, 6, 3);
            let mix = mix(&copied, 9);
            for (at, skill) in times(&copied, &mix).into_iter().enumerate() {
                let expected = against[if at < 6 { at } else { 0 }];
                assert!(
                    (skill - expected).abs() < 1e-4,
                    "{seed} {at}: {skill} {expected}"
                );
            }
            let shared: f64 = mix[6..].iter().sum::<f64>() + mix[0];
            assert!(
                (shared - alone[0]).abs() < 1e-4,
                "{seed}: {shared} {}",
                alone[0]
            );
            assert!((mix[6] - mix[0]).abs() < 1e-6, "{seed}");
        }
    }

    #[test]
    fn a_circle_of_three_gives_thirds_and_the_best_of_one_order_gets_all() {
        let circle = [0.0, 1.0, -1.0, -1.0, 0.0, 1.0, 1.0, -1.0, 0.0];
        for weight in mix(&circle, 3) {
            assert!((weight - 1.0 / 3.0).abs() < 1e-9, "{weight}");
        }
        let order = [0.0, 0.5, 1.5, -0.5, 0.0, 1.0, -1.5, -1.0, 0.0];
        let best = mix(&order, 3);
        assert!(best[0] > 0.999_999, "{best:?}");
        assert_eq!(mix(&[0.0; 9], 3), [1.0 / 3.0; 3]);
    }
}
