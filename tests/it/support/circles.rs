//! Simulated round robins with and without a circle of three players who beat each other.

use referee::rating::{Diagnostics, Model, Ratings};

use super::simulated::{Chance, World, play};

#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub players: usize,
    /// Games per pairing, an even number.
    pub games: usize,
    /// The log odds by which each of the first three players, who are equally strong, beats the next.
    pub circle: f64,
}

/// How many tournaments were found not to have one order of strength, of how many.
#[derive(Debug, Clone, Copy, Default)]
pub struct Found {
    pub misfit: u64,
    pub cycle: u64,
    /// By a cycle of the three, and by another.
    pub right: u64,
    pub wrong: u64,
    pub any: u64,
}

/// Plays and rates so many tournaments.
pub fn study(world: &World, field: Field, tournaments: u64) -> Found {
    let names: Vec<String> = (0..field.players).map(|at| format!("p{at:02}")).collect();
    let mut found = Found::default();
    for tournament in 0..tournaments {
        let mut chance = Chance::new(7, tournament);
        let mut strengths: Vec<f64> = names
            .iter()
            .map(|_| world.spread * chance.normal())
            .collect();
        if field.circle > 0.0 {
            strengths[1] = strengths[0];
            strengths[2] = strengths[0];
        }
        let odds = |a: usize, b: usize| {
            let around = match (a, b) {
                (0, 1) | (1, 2) | (2, 0) => field.circle,
                (1, 0) | (2, 1) | (0, 2) => -field.circle,
                _ => 0.0,
            };
            strengths[a] - strengths[b] + around
        };
        let standings = play(world, &names, &odds, field.games, &mut chance).standings();
        let ratings = Ratings::new(&standings, Model::default());
        let diagnostics = Diagnostics::new(&standings, &ratings);
        found.misfit += u64::from(diagnostics.misfit.is_some());
        found.cycle += u64::from(diagnostics.cycle_count > 0);
        found.any += u64::from(diagnostics.misfit.is_some() || diagnostics.cycle_count > 0);
        let right = diagnostics.cycles.iter().any(|cycle| cycle.0 == [0, 1, 2]);
        found.right += u64::from(right);
        found.wrong += u64::from(diagnostics.cycle_count > u64::from(right));
    }
    found
}
