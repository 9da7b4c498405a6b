//! How many games it takes until a ranking is clear: an adaptive tournament beside a round robin.
//!
//! ```text
//! cargo run --release --example adaptive
//! ```
//!
//! The figures are in `docs/ratings.md`.

#[path = "../tests/it/support/ranking.rs"]
mod ranking;

use ranking::{FIELDS, Went, adaptive, round_robin};

/// How many tournaments each figure is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 10;

const CONFIDENCE: f64 = 0.95;

fn main() {
    let tournaments = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(TOURNAMENTS);
    println!(
        "| players | field | adaptive, games | round robin, games | share | adaptive, wrong | round robin, wrong |"
    );
    println!("|---:|---|---:|---:|---:|---:|---:|");
    for field in &FIELDS {
        let study = |play: fn(&_, f64, u64) -> Went| {
            let all: Vec<Went> = (0..tournaments)
                .map(|seed| play(field, CONFIDENCE, seed))
                .collect();
            let mean =
                |of: fn(&Went) -> u64| all.iter().map(of).sum::<u64>() as f64 / tournaments as f64;
            let neighbours = field.players as f64 - 1.0;
            (
                mean(|went| went.games),
                100.0 * mean(|went| went.wrong) / neighbours,
            )
        };
        let (ours, ours_wrong) = study(adaptive);
        let (theirs, theirs_wrong) = study(round_robin);
        println!(
            "| {} | {} | {ours:.0} | {theirs:.0} | {:.0} % | {ours_wrong:.1} % | {theirs_wrong:.1} % |",
            field.players,
            field.name,
            100.0 * ours / theirs,
        );
    }
}
