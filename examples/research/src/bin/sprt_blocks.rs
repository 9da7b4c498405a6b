//! How often sequential tests in blocks err, over simulated tests of games with two to eight seats.
//!
//! ```text
//! cargo run --release -p research --bin sprt_blocks
//! ```
//!
//! The figures are in `docs/sequential-tests.md`.

use referee::rating::{EloModel, Sprt};
use research::block_worlds::{WORLDS, rates};

/// How many tests each figure is made of, unless an argument says otherwise.
const TESTS: u64 = 4_000;

fn main() {
    let tests = research::count(TESTS);
    println!("| seats | world | elo0, elo1 | accepted at elo0 | rejected at elo1 | blocks |");
    println!("|---:|---|---:|---:|---:|---:|");
    for seats in [2, 3, 4, 8] {
        for world in &WORLDS {
            for (elo0, elo1) in [(0.0, 40.0), (-20.0, 20.0)] {
                let test = Sprt {
                    elo0,
                    elo1,
                    alpha: 0.05,
                    beta: 0.05,
                    model: EloModel::Logistic,
                };
                let rates = rates(world, seats, test, tests);
                println!(
                    "| {seats} | {} | {elo0}, {elo1} | {:.2} % | {:.2} % | {:.0} |",
                    world.name,
                    100.0 * rates.false_alarms,
                    100.0 * rates.misses,
                    rates.blocks,
                );
            }
        }
    }
}
