//! How often the 95 % intervals of ratings hold the truth, over simulated tournaments.
//!
//! ```text
//! cargo run --release -p research --bin coverage
//! ```
//!
//! The figures are in `docs/ratings.md`.

use research::coverage::{WORLDS, study};
use research::simulated::SIZES;

/// How many tournaments each line of the table is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 2000;

/// Tournaments of so few games that intervals are rough.
const FEW: [(usize, usize); 3] = [(2, 6), (4, 4), (8, 2)];

fn main() {
    let tournaments = research::count(TOURNAMENTS);
    println!("| players | games per pairing | world | ratings | differences | advantage |");
    println!("|---:|---:|---|---:|---:|---:|");
    for (players, games) in SIZES.into_iter().chain(FEW) {
        for world in &WORLDS {
            let coverage = study(world, players, games, tournaments);
            println!(
                "| {players} | {games} | {} | {:.1} % | {:.1} % | {:.1} % |",
                world.name,
                coverage.ratings.percent(),
                coverage.differences.percent(),
                coverage.advantage.percent(),
            );
        }
    }
}
