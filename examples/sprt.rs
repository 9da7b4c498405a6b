//! How often sequential tests err, over simulated matches.
//!
//! ```text
//! cargo run --release --example sprt
//! ```
//!
//! The figures are in `docs/ratings.md`.

#[path = "../tests/it/support/matches.rs"]
mod matches;

use matches::{WORLDS, rates};
use referee::rating::Sprt;

/// How many matches each figure is made of, unless an argument says otherwise.
const MATCHES: u64 = 10_000;

/// elo0, elo1, alpha, beta.
const TESTS: [[f64; 4]; 3] = [
    [0.0, 40.0, 0.05, 0.1],
    [-20.0, 20.0, 0.05, 0.05],
    [0.0, 20.0, 0.05, 0.05],
];

fn main() {
    let matches = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(MATCHES);
    println!("| elo0, elo1 | α, β | world | accepted at elo0 | rejected at elo1 | game pairs |");
    println!("|---:|---:|---|---:|---:|---:|");
    for [elo0, elo1, alpha, beta] in TESTS {
        let test = Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        };
        for world in &WORLDS {
            let rates = rates(world, test, matches);
            println!(
                "| {elo0}, {elo1} | {} %, {} % | {} | {:.2} % | {:.2} % | {:.0} |",
                100.0 * alpha,
                100.0 * beta,
                world.name,
                100.0 * rates.false_alarms,
                100.0 * rates.misses,
                rates.pairs,
            );
        }
    }
}
