//! How often intervals hold the truth where results decide who meets whom, over simulated tournaments of each format.
//!
//! ```text
//! cargo run --release -p research --bin pairing_by_results
//! ```
//!
//! The figures are in `docs/sequential-tests.md`.

use research::by_results::{Hold, Strengths, tournaments};

/// How many tournaments each cell is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 1000;

const STRENGTHS: [Strengths; 5] = [
    Strengths::Normal(0.0),
    Strengths::Normal(30.0),
    Strengths::Normal(104.0),
    Strengths::Normal(250.0),
    Strengths::Groups(80.0),
];

fn main() {
    let count = research::count(TOURNAMENTS);
    println!(
        "| players | format | strengths | ratings hold | differences hold | corrected ratings hold | superiority is right |"
    );
    println!("|---:|---|---|---:|---:|---:|---:|");
    for tournament in tournaments() {
        for strengths in STRENGTHS {
            let mut hold = Hold::default();
            for seed in 0..count {
                tournament.play(strengths, seed, &mut hold);
            }
            let held = [hold.ratings, hold.differences, hold.corrected];
            let [ratings, differences, corrected] = held.map(|held| held.percent());
            let (players, name) = (tournament.players, tournament.name);
            let named = match hold.named.of {
                0 => "-".to_owned(),
                _ => format!("{:.1}", hold.named.percent()),
            };
            println!(
                "| {players} | {name} | {strengths:?} | {ratings:.1} | {differences:.1} | {corrected:.1} | {named} |"
            );
        }
    }
}
