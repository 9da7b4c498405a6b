//! How often the 95 % intervals of the first seat's advantage, and of differences, hold the truth, if openings favour a
//! seat, or suit players.
//!
//! ```text
//! cargo run --release -p research --bin openings
//! ```
//!
//! The figures are in `docs/ratings.md`.

use research::openings::{Reuse, World, study};

/// How many tournaments each line of the table is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 1000;

/// A round robin of so many players, with so many game pairs per pairing.
const PLAYERS: usize = 8;
const PAIRS: usize = 20;

/// Standard deviations of the worth of openings to seats and to players, in Elo. Where they suit players, all are equal.
const DEVIATIONS: [[f64; 2]; 5] = [
    [0.0, 0.0],
    [50.0, 0.0],
    [100.0, 0.0],
    [0.0, 50.0],
    [0.0, 100.0],
];

fn main() {
    let tournaments = research::count(TOURNAMENTS);
    println!(
        "| openings | deviation by seats | by players | advantage | ± | openings not given | differences |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let reuses = [
        ("4", Reuse::Same(4)),
        ("20", Reuse::Same(20)),
        ("one a pair", Reuse::Never),
    ];
    for (openings, reuse) in reuses {
        for [of_seats, of_players] in DEVIATIONS {
            let world = World {
                reuse,
                of_seats,
                of_players,
                players: PLAYERS,
                pairs: PAIRS,
            };
            let found = study(world, tournaments);
            println!(
                "| {openings} | {of_seats} | {of_players} | {:.1} % | {:.0} | {:.1} % | {:.1} % |",
                found.advantage.percent(),
                found.margins / found.advantage.of as f64,
                found.without_openings.percent(),
                found.differences.percent(),
            );
        }
    }
}
