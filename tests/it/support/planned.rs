//! How often a difference is found after as many games as a plan says.

use referee::rating::{Assumed, Model, Ratings};

use super::simulated::{Chance, Held, World, play};

/// Plays so many tournaments of players of whom the first two are apart by `elo`, with the others half way between, in a
/// world that has an advantage of the first seat in units of the log odds; counts how often the two are told apart.
pub fn found(world: &World, assumed: &Assumed, elo: f64, tournaments: u64) -> Held {
    let scale = 400.0 / 10_f64.ln() * (1.0 - world.draw_rate);
    let needed = assumed.games_needed(elo);
    let games = 2 * (needed.in_pairs / 2.0).ceil() as usize;
    let names: Vec<String> = (0..assumed.players).map(|at| format!("p{at:02}")).collect();
    let strength = |player: usize| match player {
        0 => elo / scale / 2.0,
        1 => -elo / scale / 2.0,
        _ => 0.0,
    };
    let odds = |a: usize, b: usize| strength(a) - strength(b);
    let mut found = Held::default();
    for tournament in 0..tournaments {
        let mut chance = Chance::new(2028, tournament);
        let standings = play(world, &names, &odds, games, &mut chance);
        let difference = Ratings::new(&standings, Model::default()).difference(0, 1);
        found.count(0.0, difference.low(), f64::INFINITY);
    }
    found
}
