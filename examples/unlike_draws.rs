//! How often 95 % intervals of differences hold the truth, and LOS keeps its error, if some players draw more than others.
//!
//! ```text
//! cargo run --release --example unlike_draws
//! ```
//!
//! The figures are in `docs/ratings.md`.

#[path = "../tests/it/support/simulated.rs"]
#[expect(dead_code, reason = "another example uses the rest")]
mod simulated;
#[path = "../tests/it/support/unlike_draws.rs"]
mod unlike_draws;

use unlike_draws::study;

/// How many tournaments each line of the table is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 1000;

/// A round robin of so many players, with so many games per pairing.
const PLAYERS: usize = 6;
const GAMES: usize = 60;

fn main() {
    let tournaments = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(TOURNAMENTS);
    println!("| draws | few draws | between | many draws | LOS: few draws, between, many |");
    println!("|---|---:|---:|---:|---|");
    for draws in [
        [0.4, 0.4, 0.4],
        [0.2, 0.35, 0.5],
        [0.0, 0.4, 0.8],
        [0.0, 0.8, 0.8],
    ] {
        let found = study(draws, PLAYERS, GAMES, tournaments);
        let [few, between, many] = found.map(|it| it.intervals.percent());
        let los = found.map(|it| format!("{:.1}", 100.0 - it.los.percent()));
        let draws = draws
            .map(|share| format!("{:.0}", 100.0 * share))
            .join(", ");
        println!(
            "| {draws} % | {few:.1} | {between:.1} | {many:.1} | {} |",
            los.join(", ")
        );
    }
}
