//! How often the 95 % intervals of the first seat's advantage, and of differences, hold the truth, if openings favour a
//! seat.
//!
//! ```text
//! cargo run --release --example openings
//! ```
//!
//! The figures are in `docs/ratings.md`.

#[path = "../tests/it/support/openings.rs"]
mod openings;
#[path = "../tests/it/support/simulated.rs"]
#[expect(dead_code, reason = "another example uses the rest")]
mod simulated;

use openings::{Reuse, study};

/// How many tournaments each line of the table is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 1000;

/// A round robin of so many players, with so many game pairs per pairing.
const PLAYERS: usize = 8;
const PAIRS: usize = 100;

fn main() {
    let tournaments = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(TOURNAMENTS);
    println!("| openings | deviation | advantage | ± | openings not given | differences |");
    println!("|---|---:|---:|---:|---:|---:|");
    let reuses = [
        ("4", Reuse::Same(4)),
        ("16", Reuse::Same(16)),
        ("100", Reuse::Same(100)),
        ("one a pair", Reuse::Never),
    ];
    for (openings, reuse) in reuses {
        for deviation in [0.0, 50.0, 100.0] {
            let found = study(reuse, deviation, PLAYERS, PAIRS, tournaments);
            println!(
                "| {openings} | {deviation} | {:.1} % | {:.0} | {:.1} % | {:.1} % |",
                found.advantage.percent(),
                found.margins / found.advantage.of as f64,
                found.without_openings.percent(),
                found.differences.percent(),
            );
        }
    }
}
