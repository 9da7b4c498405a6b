//! How often a difference is found after as many games as `referee rate --plan --assume` says, over simulated
//! tournaments.
//!
//! ```text
//! cargo run --release --example plan
//! ```
//!
//! The figures are in `docs/ratings.md`.

#[path = "../tests/it/support/planned.rs"]
mod planned;
#[path = "../tests/it/support/simulated.rs"]
#[expect(dead_code, reason = "another example uses the rest")]
mod simulated;

use planned::found;
use referee::rating::{Assumed, Model, Ratings};
use simulated::{Chance, World, play};

/// How many tournaments each line of the table is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 1000;

/// The difference that is to be found, in Elo.
const ELO: f64 = 40.0;

/// The share of draws between equals, the first seat's advantage in units of the log odds, and the correlation of the
/// luck in the two games of a pair, if games are in pairs.
const WORLDS: [(f64, f64, Option<f64>); 5] = [
    (0.0, 0.0, None),
    (0.3, 0.0, None),
    (0.7, 0.5, None),
    (0.3, 0.3, Some(0.5)),
    (0.3, 0.3, Some(-0.5)),
];

fn main() {
    let tournaments = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(TOURNAMENTS);
    println!("| draws | advantage | correlation | players | games per pairing | found |");
    println!("|---:|---:|---:|---:|---:|---:|");
    for (draw_rate, advantage, luck) in WORLDS {
        let world = World {
            name: "planned",
            spread: 0.0,
            advantage,
            draw_rate,
            pairs: luck.is_some(),
            correlation: luck.unwrap_or(0.0),
        };
        let correlation = luck.map_or(0.0, |_| correlation(&world));
        let elo = 400.0 / 10_f64.ln() * (1.0 - draw_rate) * advantage;
        for players in [2, 4, 8] {
            let assumed = Assumed {
                players,
                draws: draw_rate,
                advantage: elo,
                correlation,
                ..Assumed::default()
            };
            println!(
                "| {:.0} % | {elo:.0} | {correlation:+.2} | {players} | {:.0} | {:.1} % |",
                100.0 * draw_rate,
                2.0 * (assumed.games_needed(ELO).in_pairs / 2.0).ceil(),
                found(&world, &assumed, ELO, tournaments).percent(),
            );
        }
    }
}

/// The correlation of a player's results in the two games of a pair in such a world, from one long match of equals.
fn correlation(world: &World) -> f64 {
    let names = ["a", "b"].map(str::to_owned);
    let mut chance = Chance::new(2029, 0);
    let standings = play(world, &names, &|_, _| 0.0, 40_000, &mut chance);
    Ratings::new(&standings, Model::default()).pair_correlation()
}
