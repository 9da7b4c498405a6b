//! Simulated tournaments whose openings favour a seat, or suit players.

use referee::rating::{GameCounter, Model, RatedGame, Ratings};

use super::simulated::{Chance, Held, outcome};

/// How a round robin uses its openings.
#[derive(Debug, Clone, Copy)]
pub enum Reuse {
    /// All pairings play the same so many openings, as often as it takes.
    Same(usize),
    /// Each game pair has an opening of its own.
    Never,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Found {
    /// The first seat's advantage.
    pub advantage: Held,
    /// The same, with openings that are not given.
    pub without_openings: Held,
    pub differences: Held,
    /// The sum of half the widths of the advantage's intervals, in Elo.
    pub margins: f64,
}

/// The strengths' deviation and the advantage in units of the log odds, and the share of draws between equals.
const SPREAD: f64 = 0.8;
const ADVANTAGE: f64 = 0.2;
const DRAW_RATE: f64 = 0.3;

#[derive(Debug, Clone, Copy)]
pub struct World {
    pub reuse: Reuse,
    /// Standard deviation of what openings are worth to the first seat, in Elo.
    pub of_seats: f64,
    /// Standard deviation of what each opening is worth to each player, in Elo. Where openings suit players, all are equally
    /// strong.
    pub of_players: f64,
    pub players: usize,
    /// Number of game pairs per pairing.
    pub pairs: usize,
}

/// Plays and rates so many round robins.
pub fn study(world: World, tournaments: u64) -> Found {
    let World {
        reuse,
        of_seats,
        of_players,
        players,
        pairs,
    } = world;
    let elo = 400.0 / 10_f64.ln() * (1.0 - DRAW_RATE);
    let names: Vec<String> = (0..players).map(|player| format!("p{player:02}")).collect();
    let mut found = Found::default();
    for tournament in 0..tournaments {
        let mut chance = Chance::new(15, tournament);
        let spread = if of_players > 0.0 { 0.0 } else { SPREAD };
        let strengths: Vec<f64> = names.iter().map(|_| spread * chance.normal()).collect();
        let count = match reuse {
            Reuse::Same(openings) => openings,
            Reuse::Never => players * (players - 1) / 2 * pairs,
        };
        let effects: Vec<f64> = (0..count)
            .map(|_| of_seats / elo * chance.normal())
            .collect();
        let suits: Vec<f64> = (0..count * players)
            .map(|_| of_players / elo * chance.normal())
            .collect();
        let mut known = GameCounter::default();
        let mut unknown = GameCounter::default();
        let mut number = 0;
        for a in 0..players {
            for b in 0..a {
                for pair in 0..pairs {
                    let opening = match reuse {
                        Reuse::Same(openings) => pair % openings,
                        Reuse::Never => number,
                    };
                    for [first, second] in [[a, b], [b, a]] {
                        let strength =
                            |player: usize| strengths[player] + suits[opening * players + player];
                        let odds =
                            strength(first) - strength(second) + ADVANTAGE + effects[opening];
                        let names = [first, second].map(|player| names[player].as_str());
                        let score = outcome(odds, DRAW_RATE, chance.uniform());
                        let game = RatedGame {
                            block: Some(number as u64),
                            ..RatedGame::new(names.into(), score.as_result())
                        };
                        known.add(&RatedGame {
                            opening: &opening.to_string(),
                            ..game.clone()
                        });
                        unknown.add(&game);
                    }
                    number += 1;
                }
            }
        }
        let truth = elo * ADVANTAGE;
        let known = known.standings();
        let ratings = Ratings::new(&known, Model::default());
        if let Some(worth) = ratings.advantage() {
            found.advantage.count(worth.low(), truth, worth.high());
            found.margins += worth.margin();
        }
        if let Some(worth) = Ratings::new(&unknown.standings(), Model::default()).advantage() {
            found
                .without_openings
                .count(worth.low(), truth, worth.high());
        }
        for a in 0..players {
            for b in 0..a {
                let [a_at, b_at] =
                    [a, b].map(|player| known.find(&names[player]).expect("a player"));
                let difference = ratings.difference(a_at, b_at);
                let truth = elo * (strengths[a] - strengths[b]);
                found
                    .differences
                    .count(difference.low(), truth, difference.high());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Reuse, World, study};

    #[test]
    #[ignore = "slow"]
    fn the_worth_of_the_first_seat_is_as_certain_as_so_many_openings_make_it() {
        let tournaments = 200;
        let three_deviations = 300.0 * (0.95 * 0.05 / tournaments as f64).sqrt();
        for (reuse, deviation) in [
            (Reuse::Same(4), 0.0),
            (Reuse::Same(8), 100.0),
            (Reuse::Never, 50.0),
        ] {
            let world = World {
                reuse,
                of_seats: deviation,
                of_players: 0.0,
                players: 4,
                pairs: 16,
            };
            let found = study(world, tournaments);
            let held = found.advantage.percent();
            assert!(
                (held - 95.0).abs() < three_deviations,
                "{reuse:?} {deviation}: {held} %"
            );
            if let (Reuse::Same(_), 100.0) = (reuse, deviation) {
                let without = found.without_openings.percent();
                assert!(without < 85.0, "{without} % without the openings");
            }
        }
    }

    #[test]
    fn openings_that_suit_players_make_equal_players_no_stronger() {
        let tournaments = 100;
        for (openings, of_players) in [(4, 50.0), (4, 100.0), (20, 50.0), (20, 100.0)] {
            let world = World {
                reuse: Reuse::Same(openings),
                of_seats: 0.0,
                of_players,
                players: 4,
                pairs: 20,
            };
            let held = study(world, tournaments).differences.percent();
            // Six differences of a tournament are not independent: three deviations of four.
            let least = 95.0 - 300.0 * (0.95 * 0.05 / (4 * tournaments) as f64).sqrt();
            assert!(held > least, "{world:?}: {held} %");
        }
    }
}
