//! Simulated tournaments in which results decide who meets whom.

use std::num::NonZeroU32;

use referee::rating::{Anchor, GameCounter, Model, Posterior, RatedGame, Ratings};
use referee::schedule::{Format, NextGame};

use super::simulated::{Chance, Held, outcome};

/// Elo per unit of the log odds. All games are decided.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The superiority from which on a player is named as the stronger one.
const NAMED: f64 = 0.95;

#[derive(Debug, Clone, Copy)]
pub enum Strengths {
    /// Normal, with this standard deviation in Elo.
    Normal(f64),
    /// Half of the players are so many Elo above the mean, and half below it.
    Groups(f64),
}

#[derive(Debug, Clone)]
pub struct Tournament {
    pub name: &'static str,
    pub players: usize,
    pub format: Format,
}

/// How many intervals hold the truth.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hold {
    pub ratings: Held,
    pub differences: Held,
    pub corrected: Held,
    /// Of two players of whom `superiority` names one with 0.95 or more: whether it is the stronger one. Of players
    /// who are equal, none.
    pub named: Held,
}

/// A round robin, and one of each format in which results decide who meets whom.
pub fn tournaments() -> [Tournament; 5] {
    let number = |count| NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
    let swiss = |rounds, pairs: u32| Format::Swiss {
        rounds,
        games: number(2 * pairs),
    };
    let knockout = Format::Knockout { games: number(10) };
    let all = [
        ("Swiss, 5 rounds of 5 game pairs", 16, swiss(5, 5)),
        ("Swiss, 5 rounds of 1 game pair", 16, swiss(5, 1)),
        ("Swiss, 7 rounds of 2 game pairs", 64, swiss(7, 2)),
        ("knockout, 5 game pairs", 16, knockout),
        (
            "round robin, 10 games per pairing",
            16,
            Format::RoundRobin(number(10)),
        ),
    ];
    all.map(|(name, players, format)| Tournament {
        name,
        players,
        format,
    })
}

impl Tournament {
    /// Plays it, and counts which intervals hold.
    pub fn play(&self, strengths: Strengths, seed: u64, hold: &mut Hold) {
        let mut chance = Chance::new(seed, 0);
        let truth: Vec<f64> = (0..self.players)
            .map(|player| match strengths {
                Strengths::Normal(deviation) => deviation * chance.normal(),
                Strengths::Groups(apart) if player % 2 == 0 => apart,
                Strengths::Groups(apart) => -apart,
            })
            .collect();
        let names: Vec<String> = (0..self.players).map(|at| format!("{at:03}")).collect();
        let mut games = GameCounter::default();
        for name in &names {
            games.add_player(name);
        }
        let mut schedule = self.format.schedule(self.players, 2);
        while let NextGame::Issue(ticket) = schedule.next() {
            let [a, b] = ticket
                .players
                .clone()
                .map(|player| truth[player])
                .pair()
                .expect("two seats");
            let score = outcome((a - b) / SCALE, 0.0, chance.uniform());
            schedule.record(ticket.id, score.as_result());
            let names = ticket.players.map(|player| names[player].as_str());
            games.add(&RatedGame {
                block: Some(ticket.block),
                ..RatedGame::new(names, score.as_result())
            });
        }
        let ratings = Ratings::new(&games.standings(), Model::default());
        let corrected = Posterior::new(&ratings).expect("few players").ratings;
        let mean = truth.iter().sum::<f64>() / self.players as f64;
        for (player, strength) in truth.iter().enumerate() {
            let rating = ratings.rating(player, Anchor::Mean(0.0));
            let distance = strength - mean;
            hold.ratings.count(rating.low(), distance, rating.high());
            let [low, _, high] = corrected[player];
            hold.corrected.count(low, distance, high);
            for (other, strength_of_other) in truth.iter().enumerate().take(player) {
                let difference = ratings.difference(player, other);
                let apart = strength - strength_of_other;
                let (low, high) = (difference.low(), difference.high());
                hold.differences.count(low, apart, high);
                let superiority = ratings.superiority(player, other);
                if superiority.max(1.0 - superiority) >= NAMED && apart != 0.0 {
                    let is_right = (superiority > 0.5) == (apart > 0.0);
                    hold.named.count(0.5, f64::from(is_right), 1.5);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Hold, Strengths, tournaments};

    /// Players of a tournament are not independent; the standard error of a share is about 1.5 points.
    #[test]
    #[ignore = "slow"]
    fn where_results_decide_who_meets_corrected_ratings_hold_and_plain_ones_often_do_not() {
        let by_results = tournaments().into_iter().filter(|it| it.players < 20);
        for tournament in by_results.filter(|it| !it.name.starts_with("round robin")) {
            for strengths in [Strengths::Normal(0.0), Strengths::Groups(80.0)] {
                let mut hold = Hold::default();
                for seed in 0..40 {
                    tournament.play(strengths, seed, &mut hold);
                }
                let found = format!("{}, {strengths:?}: {hold:?}", tournament.name);
                assert!(hold.corrected.percent() > 91.0, "{found}");
                assert!(hold.corrected.held > hold.ratings.held, "{found}");
            }
        }
    }
}
