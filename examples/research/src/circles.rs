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

/// Plays and rates so many tournaments. Returns how many of them were found not to have one order of strength.
pub fn study(world: &World, field: Field, tournaments: u64) -> u64 {
    let names: Vec<String> = (0..field.players).map(|at| format!("p{at:02}")).collect();
    let mut found = 0;
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
        found += u64::from(diagnostics.misfit.is_some());
    }
    found
}

#[cfg(test)]
mod tests {
    use referee::rating::{Diagnostics, Model, RatedGame, Ratings, WinDrawLoss};

    use super::{Field, study};
    use crate::simulated::{Chance, Held, World, play};

    #[test]
    fn a_circle_is_found_and_one_order_of_strength_is_left_alone() {
        let tournaments = 150;
        for correlation in [0.0, 0.8, -0.8] {
            let world = World {
                name: "pairs",
                spread: 0.8,
                advantage: 0.3,
                draw_rate: 0.3,
                pairs: true,
                correlation,
            };
            let field = |circle| Field {
                players: 5,
                games: 60,
                circle,
            };
            let order = study(&world, field(0.0), tournaments) as f64 / tournaments as f64;
            // Three deviations above what is promised.
            assert!(
                order < 0.025 + 3.0 * (0.025 * 0.975 / tournaments as f64).sqrt(),
                "{correlation}: {order}"
            );
            let found = study(&world, field(1.2), tournaments) as f64 / tournaments as f64;
            assert!(found > 0.7, "{correlation}: {found}");
        }
    }

    /// Two of five players run one program, and win one game of each of their many pairs.
    #[test]
    fn equal_programs_make_nobody_else_look_surer() {
        let world = World {
            name: "decisive",
            spread: 0.8,
            advantage: 0.3,
            draw_rate: 0.0,
            pairs: true,
            correlation: 0.0,
        };
        let names: Vec<String> = (0..5).map(|at| format!("p{at}")).collect();
        let (mut held, mut told) = (Held::default(), 0);
        for tournament in 0..200 {
            let mut chance = Chance::new(3, tournament);
            let mut strengths: Vec<f64> = names
                .iter()
                .map(|_| world.spread * chance.normal())
                .collect();
            strengths[4] = strengths[3];
            let odds = |a: usize, b: usize| strengths[a] - strengths[b];
            let mut games = play(&world, &names, &odds, 20, &mut chance);
            for pair in 1000..1080 {
                // The seat that wins is the same in both games.
                let first_wins = chance.uniform() < 1.0 / (1.0 + (-world.advantage).exp());
                let score = if first_wins {
                    WinDrawLoss::Win
                } else {
                    WinDrawLoss::Loss
                };
                for names in [["p3", "p4"], ["p4", "p3"]] {
                    games.add(&RatedGame {
                        block: Some(pair),
                        ..RatedGame::new(names.into(), score.as_result())
                    });
                }
            }
            let standings = games.standings();
            let ratings = Ratings::new(&standings, Model::default());
            for [a, b] in [[0, 1], [0, 2], [1, 2]] {
                let found = ratings.difference(a, b);
                let truth = 400.0 / 10_f64.ln() * odds(a, b);
                held.count(found.low(), truth, found.high());
            }
            let diagnostics = Diagnostics::new(&standings, &ratings);
            told += u64::from(diagnostics.misfit.is_some());
        }
        println!(
            "beside equal programs {:.1} % of intervals hold, and {:.1} % of fields are told to have no one order",
            held.percent(),
            told as f64 / 2.0
        );
        assert!(held.percent() > 91.0, "{held:?}");
        assert!(told < 20, "{told}");
    }
}
