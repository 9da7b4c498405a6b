//! How often sequential tests err, and what estimates after them are worth, over simulated matches.
//!
//! ```text
//! cargo run --release -p research --bin sprt
//! ```
//!
//! The figures are in `docs/sequential-tests.md`.

use referee::rating::{EloModel, Sprt};
use research::matches::{WORLDS, estimates, rates};

/// How many matches each figure is made of, unless an argument says otherwise.
const MATCHES: u64 = 10_000;

/// elo0, elo1, alpha, beta.
const TESTS: [([f64; 4], EloModel); 4] = [
    ([0.0, 40.0, 0.05, 0.1], EloModel::Logistic),
    ([-20.0, 20.0, 0.05, 0.05], EloModel::Logistic),
    ([0.0, 20.0, 0.05, 0.05], EloModel::Logistic),
    ([0.0, 40.0, 0.05, 0.05], EloModel::Normalized),
];

/// The differences at which estimates are made, after the first of the tests.
const TRUTHS: [f64; 5] = [-20.0, 0.0, 20.0, 40.0, 60.0];

fn main() {
    let matches = research::count(MATCHES);
    println!("| elo0, elo1 | α, β | world | accepted at elo0 | rejected at elo1 | game pairs |");
    println!("|---:|---:|---|---:|---:|---:|");
    for (numbers, model) in TESTS {
        let [elo0, elo1, alpha, beta] = numbers;
        let test = test(numbers, model);
        for world in &WORLDS {
            let rates = rates(world, test, matches);
            println!(
                "| {elo0}, {elo1} {} | {} %, {} % | {} | {:.2} % | {:.2} % | {:.0} |",
                model.name(),
                100.0 * alpha,
                100.0 * beta,
                world.name,
                100.0 * rates.false_alarms,
                100.0 * rates.misses,
                rates.pairs,
            );
        }
    }
    println!();
    println!("| world | Elo | corrected: median | held | not corrected: median | held |");
    println!("|---|---:|---:|---:|---:|---:|");
    let (numbers, model) = TESTS[0];
    for world in &WORLDS {
        for elo in TRUTHS {
            let [corrected, plain] = estimates(world, test(numbers, model), elo, matches);
            println!(
                "| {} | {elo} | {:.1} | {:.1} % | {:.1} | {:.1} % |",
                world.name,
                corrected.median,
                100.0 * corrected.held,
                plain.median,
                100.0 * plain.held,
            );
        }
    }
}

fn test([elo0, elo1, alpha, beta]: [f64; 4], model: EloModel) -> Sprt {
    Sprt {
        elo0,
        elo1,
        alpha,
        beta,
        model,
    }
}
