//! How near a tuning comes to the best values, and how often its intervals hold, over simulated bots.
//!
//! ```text
//! cargo run --release -p research --bin tuning
//! ```
//!
//! The figures are in `docs/tuning.md`.

use research::tuning::{WORLDS, study};

/// How many tunings each line of the table is made of, unless an argument says otherwise.
const TUNINGS: u64 = 200;

fn main() {
    let tunings = research::count(TUNINGS);
    println!(
        "| shape | gain | parameters | draws | games | lost: fit | last center | random search | design | gain held | with a design | too high by | ± | best values held | left held | misfits |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for world in WORLDS {
        for games in [1_000, 10_000, 100_000] {
            let study = study(&world, games, tunings);
            let [fit, center, random, design] = study.lost.map(|sum| study.mean(sum));
            println!(
                "| {:?} | {} | {} | {} % | {games} | {fit:.1} | {center:.1} | {random:.1} | {design:.1} | {:.1} % | {:.1} % | {:.1} | {:.1} | {:.1} % | {:.1} % | {:.1} % |",
                world.shape,
                world.height,
                world.parameters,
                100.0 * world.draw_rate,
                study.gain.percent(),
                study.design_gain.percent(),
                study.mean(study.bias),
                study.mean(study.margin),
                study.values.percent(),
                study.left.percent(),
                100.0 * study.mean(study.misfits as f64),
            );
        }
    }
}
