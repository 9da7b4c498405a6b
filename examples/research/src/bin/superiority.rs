//! How often the player is the stronger one whom `superiority` names with 95 % or more, over simulated
//! tournaments.
//!
//! ```text
//! cargo run --release -p research --bin superiority
//! ```
//!
//! The figures are in `docs/ratings.md`.

use research::simulated::SIZES;
use research::superior::{FIELDS, named};

/// How many tournaments each line of the table is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 1000;

fn main() {
    let tournaments = research::count(TOURNAMENTS);
    println!("| players | games per pairing | field | superiority says so of | right |");
    println!("|---:|---:|---|---:|---:|");
    for (players, games) in [(2, 120), (3, 10)].into_iter().chain(SIZES) {
        for field in &FIELDS {
            let named = named(field, players, games, tournaments);
            let share = |of: u64| 100.0 * of as f64 / named.pairs as f64;
            println!(
                "| {players} | {games} | {} | {:.1} % | {:.1} % |",
                field.world.name,
                share(named.superiority.of),
                named.superiority.percent(),
            );
        }
    }
}
