//! How often intervals of games with places hold the truth.

use std::ops::Range;

use referee::rating::{Anchor, Estimate, Model};

use crate::simulated::Held;
use crate::simulated_places::{ELO, Luck, World, play, rate};

/// How often intervals held the truth.
#[derive(Debug, Clone, Copy, Default)]
pub struct Coverage {
    pub ratings: Held,
    pub differences: Held,
    pub seats: Held,
}

/// Plays tournaments with the numbers from `from` to `to`, and counts.
pub fn study(world: &World, tournaments: Range<u64>) -> Coverage {
    let mut coverage = Coverage::default();
    for tournament in tournaments {
        let (truth, games) = play(world, tournament);
        let ratings = rate(world.players, &games, Model::default());
        let scale = ELO * (1.0 - world.ties / (2.0 + world.ties));
        let count = |held: &mut Held, estimate: Estimate, truth: f64| {
            held.count(estimate.low(), scale * truth, estimate.high());
        };
        let mean = truth.iter().sum::<f64>() / truth.len() as f64;
        for a in 0..world.players {
            let rating = ratings.rating(a, Anchor::default());
            count(&mut coverage.ratings, rating, truth[a] - mean);
            for b in 0..a {
                let difference = ratings.difference(a, b);
                count(&mut coverage.differences, difference, truth[a] - truth[b]);
            }
        }
        for seat in 0..world.seats {
            let estimate = ratings.seat(world.seats, seat).expect("fitted");
            count(&mut coverage.seats, estimate, world.worth(seat));
        }
    }
    coverage
}

/// The words of the tables.
pub fn luck(world: &World) -> &'static str {
    match world.luck {
        Luck::None => "none",
        Luck::OfPlayers => "of players",
        Luck::OfSeats => "of seats",
    }
}

pub fn all_blocks(world: &World) -> usize {
    let tuples = (0..world.seats).fold(1, |all, at| all * (world.players - at) / (at + 1));
    tuples * world.blocks
}

#[cfg(test)]
mod tests {
    use super::{all_blocks, luck, study};
    use crate::simulated_places::WORLDS;

    #[test]
    #[ignore = "slow"]
    fn intervals_hold_about_as_often_as_they_say() {
        for world in [&WORLDS[4], &WORLDS[8]] {
            let coverage = study(world, 0..300);
            println!("{} blocks, luck {}:", all_blocks(world), luck(world));
            for held in [coverage.ratings, coverage.differences, coverage.seats] {
                let percent = held.percent();
                println!("{percent:.1} % of {} intervals hold", held.of);
                assert!((92.0..98.0).contains(&percent), "{percent}");
            }
        }
    }
}
