//! How often a field that has one order of strength is said to have none, and how often a field with a
//! circle of three players.
//!
//! ```text
//! cargo run --release -p research --bin circles
//! ```
//!
//! The figures are in `docs/ratings.md`.

use research::circles::{Field, study};
use research::simulated::World;

/// How many tournaments each line of the table is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 1000;

/// Players, and games per pairing.
const FIELDS: [(usize, usize); 5] = [(3, 100), (8, 40), (8, 100), (20, 10), (20, 40)];

/// A score of 50, 60 and 65 % between equals with 30 % draws, from one game to the next around the circle.
const CIRCLES: [f64; 3] = [0.0, 0.58, 0.88];

fn main() {
    let tournaments = research::count(TOURNAMENTS);
    println!("| players; games | circle | pairs | reported |");
    println!("|---:|---:|---|---:|");
    for (players, games) in FIELDS {
        for circle in CIRCLES {
            for (pairs, correlation) in [
                ("single games", None),
                ("independent", Some(0.0)),
                ("alike", Some(0.8)),
                ("opposed", Some(-0.8)),
            ] {
                let world = World {
                    name: pairs,
                    spread: 0.8,
                    advantage: 0.3,
                    draw_rate: 0.3,
                    pairs: correlation.is_some(),
                    correlation: correlation.unwrap_or(0.0),
                };
                let field = Field {
                    players,
                    games,
                    circle,
                };
                let found = study(&world, field, tournaments);
                let percent = 100.0 * found as f64 / tournaments as f64;
                println!("| {players}; {games} | {circle} | {pairs} | {percent:.1} % |");
            }
        }
    }
}
