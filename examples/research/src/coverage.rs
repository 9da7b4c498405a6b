//! How often intervals contain the true value, over simulated tournaments.

use referee::rating::{Anchor, Model, Ratings};

use super::simulated::{Chance, Held, World, play};

/// The coverage of ratings, of differences, and of the advantage.
#[derive(Debug, Clone, Copy, Default)]
pub struct Coverage {
    pub ratings: Held,
    pub differences: Held,
    pub advantage: Held,
}

/// Plays and rates so many tournaments.
pub fn study(world: &World, players: usize, games: usize, tournaments: u64) -> Coverage {
    let mut coverage = Coverage::default();
    let names: Vec<String> = (0..players).map(|player| format!("p{player:02}")).collect();
    for tournament in 0..tournaments {
        let mut chance = Chance::new(2026, tournament);
        let strengths: Vec<f64> = (0..players)
            .map(|_| world.spread * chance.normal())
            .collect();
        let odds = |a: usize, b: usize| strengths[a] - strengths[b];
        let standings = play(world, &names, &odds, games, &mut chance).standings();
        let ratings = Ratings::new(&standings, Model::default());
        let elo = 400.0 / 10_f64.ln() * (1.0 - world.draw_rate);
        let mean = strengths.iter().sum::<f64>() / players as f64;
        for a in 0..players {
            let rating = ratings.rating(a, Anchor::default());
            let truth = elo * (strengths[a] - mean);
            coverage.ratings.count(rating.low(), truth, rating.high());
            for b in 0..a {
                let difference = ratings.difference(a, b);
                let truth = elo * (strengths[a] - strengths[b]);
                let (low, high) = (difference.low(), difference.high());
                coverage.differences.count(low, truth, high);
            }
        }
        if let Some(advantage) = ratings.advantage() {
            let (low, high) = (advantage.low(), advantage.high());
            coverage.advantage.count(low, elo * world.advantage, high);
        }
    }
    coverage
}

const PLAIN: World = World {
    name: "decisive games",
    spread: 0.8,
    advantage: 0.0,
    draw_rate: 0.0,
    pairs: false,
    correlation: 0.0,
};

pub const WORLDS: [World; 6] = [
    PLAIN,
    World {
        name: "draws",
        draw_rate: 0.4,
        ..PLAIN
    },
    World {
        name: "first-mover advantage",
        advantage: 0.5,
        ..PLAIN
    },
    World {
        name: "draws, advantage, independent pairs",
        advantage: 0.3,
        draw_rate: 0.3,
        pairs: true,
        ..PLAIN
    },
    World {
        name: "the same, pairs opposed",
        advantage: 0.3,
        draw_rate: 0.3,
        pairs: true,
        correlation: -0.5,
        ..PLAIN
    },
    World {
        name: "the same, pairs alike",
        advantage: 0.3,
        draw_rate: 0.3,
        pairs: true,
        correlation: 0.5,
        ..PLAIN
    },
];

#[cfg(test)]
mod tests {
    use super::{WORLDS, study};
    use crate::simulated::SIZES;

    /// Differences between few players are correlated within a tournament, so the tolerance is based on
    /// the number of tournaments: three standard deviations of a binomial, and half a percent for the method.
    #[test]
    #[ignore = "slow"]
    fn intervals_contain_the_true_value_about_as_often_as_they_say() {
        for ((players, games), tournaments) in SIZES.into_iter().zip([400_u64, 200, 20]) {
            for world in &WORLDS {
                let coverage = study(world, players, games, tournaments);
                let all = [coverage.ratings, coverage.differences, coverage.advantage];
                for (kind, held) in ["ratings", "differences", "advantage"].iter().zip(all) {
                    // In the study of 2 000 tournaments each is within 1.5 % of 95 %.
                    let deviation = (0.95 * 0.05 / tournaments as f64).sqrt();
                    let off = (held.percent() / 100.0 - 0.95).abs();
                    assert!(
                        off < 3.0 * deviation + 0.005,
                        "{players} players, {}: {kind} {:.1} %",
                        world.name,
                        held.percent()
                    );
                }
            }
        }
    }
}
