//! The figures of a match as fastchess computes them, from the formulas in its `app/src/matchmaking/sprt/sprt.cpp` and
//! `elo/elo_pentanomial.cpp` (commit 74deac23, July 2026). Written anew, to check our figures.

use std::f64::consts::LN_10;

/// What a result is worth that has 0 to 4 half points in a pair.
const WORTH: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Elo, normalized Elo and half the width of its interval, and the likelihood of superiority. Not a number where all
/// pairs are equal.
pub struct Match {
    pub elo: f64,
    pub normalized_elo: f64,
    pub normalized_margin: f64,
    pub los: f64,
}

pub fn figures(pairs: [u64; 5]) -> Match {
    let counts = pairs.map(|count| count as f64);
    let total: f64 = counts.iter().sum();
    let (mean, variance) = moments(&counts.map(|count| count / total));
    let per_elo = (2.0 * variance).sqrt() * LN_10 / 800.0;
    let error = (variance / total).sqrt();
    Match {
        elo: -400.0 * (1.0 / mean - 1.0).log10(),
        normalized_elo: (mean - 0.5) / per_elo,
        normalized_margin: 1.959_963_984_540_054 * error / per_elo,
        los: statrs::distribution::ContinuousCDF::cdf(
            &statrs::distribution::Normal::standard(),
            (mean - 0.5) / error,
        ),
    }
}

/// The log-likelihood ratio of a test in Elo by the logistic curve.
pub fn logistic_llr(pairs: [u64; 5], elo: [f64; 2]) -> f64 {
    llr(pairs, elo, |shares, elo| {
        let mean = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let excess = WORTH.map(|worth| worth - mean);
        tilted(shares, &excess)
    })
}

/// The log-likelihood ratio of a test in normalized Elo. An iteration ends where no share moves by 0.0001, or after ten.
pub fn normalized_llr(pairs: [u64; 5], elo: [f64; 2]) -> f64 {
    llr(pairs, elo, |shares, elo| {
        let t = 2_f64.sqrt() * elo * LN_10 / 800.0;
        let mut found = [0.2; 5];
        for _ in 0..10 {
            let (mean, variance) = moments(&found);
            let deviation = variance.sqrt();
            let excess = WORTH.map(|worth| {
                let part = (worth - mean) / deviation;
                worth - 0.5 - 0.5 * t * deviation * (1.0 + part * part)
            });
            let next = tilted(shares, &excess);
            let moved = (0..5).map(|at| (next[at] - found[at]).abs());
            let moved = moved.fold(0.0, f64::max);
            found = next;
            if moved < 1e-4 {
                break;
            }
        }
        found
    })
}

fn llr(
    pairs: [u64; 5],
    [elo0, elo1]: [f64; 2],
    likeliest: impl Fn(&[f64; 5], f64) -> [f64; 5],
) -> f64 {
    // A result that has not occurred counts a little.
    let counts = pairs.map(|count| if count == 0 { 1e-3 } else { count as f64 });
    let total: f64 = counts.iter().sum();
    let shares = counts.map(|count| count / total);
    let [one, two] = [elo0, elo1].map(|elo| likeliest(&shares, elo));
    let parts = (0..5).map(|at| counts[at] * (two[at] / one[at]).ln());
    parts.sum()
}

/// The shares divided by `1 + t × excess`, with the `t` at which their mean excess is 0.
fn tilted(shares: &[f64; 5], excess: &[f64; 5]) -> [f64; 5] {
    let of = |t: f64| -> [f64; 5] { std::array::from_fn(|at| shares[at] / (1.0 + t * excess[at])) };
    let most = excess.iter().copied().fold(f64::MIN, f64::max);
    let least = excess.iter().copied().fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        let left: f64 = of(middle).iter().zip(excess).map(|(p, a)| p * a).sum();
        // The mean excess falls as t rises.
        if left > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    of(f64::midpoint(low, high))
}

fn moments(shares: &[f64; 5]) -> (f64, f64) {
    let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
        let shares = shares.iter().zip(WORTH);
        shares.map(|(p, worth)| p * of(worth)).sum()
    };
    let mean = sum(&|worth| worth);
    (mean, sum(&|worth| (worth - mean).powi(2)))
}
