//! How often the 95 % intervals of games with places hold the truth, over simulated tournaments.
//!
//! ```text
//! cargo run --release -p research --bin places_coverage
//! ```
//!
//! The figures are in `docs/ratings.md`.

#[path = "../../../../tests/it/support/simulated.rs"]
#[expect(dead_code, reason = "its round robins are of games with two seats")]
mod simulated;
#[path = "../../../../tests/it/support/simulated_places.rs"]
mod simulated_places;

use simulated_places::{WORLDS, study};

/// How many tournaments each line of the table is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 4000;

fn main() {
    let tournaments = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(TOURNAMENTS);
    println!(
        "| seats | players | blocks | games | deviation, Elo | δ₂ | first seat over last, Elo | luck | ratings | differences | seats |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|");
    for world in &WORLDS {
        let coverage = study(world, 0..tournaments);
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {:.1} | {:.1} | {:.1} |",
            world.seats,
            world.players,
            world.all_blocks(),
            world.all_blocks() * world.seats,
            world.deviation,
            world.ties,
            world.first_over_last,
            world.luck.name(),
            coverage.ratings.percent(),
            coverage.differences.percent(),
            coverage.seats.percent(),
        );
    }
}
