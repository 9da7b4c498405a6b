//! How often the 95 % intervals of games with places hold the truth, over simulated tournaments.
//!
//! ```text
//! cargo run --release -p research --bin places_coverage
//! ```
//!
//! The figures are in `docs/ratings.md`.

use research::places::{all_blocks, luck, study};
use research::simulated_places::WORLDS;

/// How many tournaments each line of the table is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 4000;

fn main() {
    let tournaments = research::count(TOURNAMENTS);
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
            all_blocks(world),
            all_blocks(world) * world.seats,
            world.deviation,
            world.ties,
            world.first_over_last,
            luck(world),
            coverage.ratings.percent(),
            coverage.differences.percent(),
            coverage.seats.percent(),
        );
    }
}
