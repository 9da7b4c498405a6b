//! How often a player is the strongest of whom the table `ranks` says so with some probability, over simulated
//! tournaments.
//!
//! ```text
//! cargo run --release --example ranks
//! ```
//!
//! The figures are in `docs/ratings.md`.

#[path = "../tests/it/support/simulated.rs"]
#[expect(dead_code, reason = "another example uses the rest")]
mod simulated;
#[path = "../tests/it/support/superior.rs"]
#[expect(dead_code, reason = "another example uses the rest")]
mod superior;

use simulated::SIZES;
use superior::{CLASSES, FIELDS, Stated, first};

/// How many tournaments each line of the table is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 1000;

fn main() {
    let tournaments = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(TOURNAMENTS);
    let ends = CLASSES[1..].iter().copied().chain([1.0]);
    let classes: Vec<String> = CLASSES
        .iter()
        .zip(ends)
        .map(|(low, high)| format!("{:.0} to {:.0} %", 100.0 * low, 100.0 * high))
        .collect();
    println!(
        "| players; games per pairing | field | the likeliest | {} |",
        classes.join(" | ")
    );
    println!("|---|---|{}", "---|".repeat(CLASSES.len() + 1));
    for (players, games) in [(2, 120)].into_iter().chain(SIZES) {
        for field in &FIELDS {
            let first = first(field, players, games, tournaments);
            let cells: Vec<String> = [first.leader]
                .iter()
                .chain(&first.classes)
                .map(shown)
                .collect();
            println!(
                "| {players}; {games} | {} | {} |",
                field.world.name,
                cells.join(" | ")
            );
        }
    }
}

fn shown(stated: &Stated) -> String {
    match stated.percent() {
        Some([probability, was]) => format!("{probability:.1}, {was:.1}"),
        None => "-".to_owned(),
    }
}
