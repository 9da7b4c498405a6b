//! How often the intervals of ratings and of differences hold the truth where results decide who meets whom, over
//! simulated tournaments of each format.
//!
//! ```text
//! cargo run --release --example pairing_by_results
//! ```
//!
//! The figures are in `docs/ratings.md`.

#[path = "../tests/it/support/simulated.rs"]
#[expect(dead_code, reason = "another example uses the rest")]
mod simulated;

use std::num::NonZeroU32;

use referee::game::Blame;
use referee::rating::{Anchor, Model, RatedGame, Ratings, Standings};
use referee::schedule::{Format, NextGame};
use simulated::{Chance, Held, outcome};

/// How many tournaments each cell is made of, unless an argument says otherwise.
const TOURNAMENTS: u64 = 1000;

/// Elo per unit of the log odds. All games are decided.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The standard deviations of strengths, in Elo.
const DEVIATIONS: [f64; 3] = [0.0, 104.0, 250.0];

fn main() {
    let tournaments = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(TOURNAMENTS);
    println!("| format | deviation | ratings hold | differences hold |");
    println!("|---|---:|---:|---:|");
    for (name, players, format) in formats() {
        for deviation in DEVIATIONS {
            let mut held = [Held::default(); 2];
            for seed in 0..tournaments {
                play(players, &format, deviation, seed, &mut held);
            }
            let [ratings, differences] = held.map(|held| held.percent());
            println!("| {name} | {deviation} | {ratings:.1} | {differences:.1} |");
        }
    }
}

/// What they are called, how many play, and the formats.
fn formats() -> [(&'static str, usize, Format); 6] {
    let number = |count| NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
    let swiss = |rounds, pairs| Format::Swiss {
        rounds,
        pairs: number(pairs),
    };
    let ladder = Format::Ladder {
        rounds: 12,
        pairs: number(5),
    };
    let knockout = Format::Knockout { pairs: number(5) };
    [
        ("round robin", 16, Format::RoundRobin(number(10))),
        ("swiss, 5 rounds of 5 pairs", 16, swiss(5, 5)),
        ("swiss, 5 rounds of 1 pair", 16, swiss(5, 1)),
        ("swiss, 7 rounds of 2 pairs", 64, swiss(7, 2)),
        ("ladder, 12 rounds of 5 pairs", 12, ladder),
        ("knockout, 5 pairs", 16, knockout),
    ]
}

/// Plays one tournament, and counts which intervals hold: those of ratings, and of differences.
fn play(players: usize, format: &Format, deviation: f64, seed: u64, held: &mut [Held; 2]) {
    let mut chance = Chance::new(seed, 0);
    let truth: Vec<f64> = (0..players).map(|_| deviation * chance.normal()).collect();
    let names: Vec<String> = (0..players).map(|number| format!("{number:03}")).collect();
    let mut standings = Standings::default();
    for name in &names {
        standings.add_player(name);
    }
    let mut schedule = format.schedule(players);
    while let NextGame::Issue(ticket) = schedule.next() {
        let [a, b] = ticket.players.map(|player| truth[player]);
        let score = outcome((a - b) / SCALE, 0.0, chance.uniform());
        schedule.record(ticket.id, score.as_result());
        standings.add(&RatedGame {
            names: ticket.players.map(|player| names[player].as_str()),
            result: score.as_result(),
            blame: Blame::Nobody,
            pair: Some(ticket.pair),
            digest: None,
        });
    }
    let ratings = Ratings::new(&standings, Model::default());
    let mean = truth.iter().sum::<f64>() / players as f64;
    for (player, strength) in truth.iter().enumerate() {
        let rating = ratings.rating(player, Anchor::Mean(0.0));
        held[0].count(rating.low(), strength - mean, rating.high());
        for (other, strength_of_other) in truth.iter().enumerate().take(player) {
            let difference = ratings.difference(player, other);
            held[1].count(
                difference.low(),
                strength - strength_of_other,
                difference.high(),
            );
        }
    }
}
