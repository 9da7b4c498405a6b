//! A league's matchmaking beside round robin and random pairing, with simulated results.

use referee::game::{Chance as _, GameResult, Seat};
use referee::matchmaking::{Field, NEVER, Role, choose};
use referee::random::Stream;
use referee::rating::{Anchor, GameCounter, Model, RatedGame, Ratings};

/// The deviation of strengths in Elo, as elsewhere.
const DEVIATION: f64 = 139.0;

/// Blocks of a batch, and its least share of those before.
const BLOCKS: usize = 16;
const SHARE: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    League,
    RoundRobin,
    Random,
}

/// Bots with results.
pub struct World {
    strengths: Vec<f64>,
    games: GameCounter,
    /// The batch of each bot's last game.
    last: Vec<Option<usize>>,
    batches: usize,
    blocks: usize,
    seed: u64,
    chance: Stream,
}

impl World {
    pub fn new(bots: usize, seed: u64) -> Self {
        let mut world = Self {
            strengths: Vec::new(),
            games: GameCounter::default(),
            last: Vec::new(),
            batches: 0,
            blocks: 0,
            seed,
            chance: Stream::new(seed, 1),
        };
        (0..bots).for_each(|_| world.enter());
        world
    }

    /// A new bot of any strength.
    pub fn enter(&mut self) {
        let normal: f64 = (0..12).map(|_| self.share()).sum::<f64>() - 6.0;
        self.games.add_player(&name(self.strengths.len()));
        self.strengths.push(DEVIATION * normal);
        self.last.push(None);
    }

    fn share(&mut self) -> f64 {
        f64::from(self.chance.below(1 << 24)) / f64::from(1 << 24)
    }

    pub fn games(&self) -> usize {
        2 * self.blocks
    }

    fn ratings(&self) -> Ratings {
        Ratings::new(&self.games.clone().standings(), Model::default())
    }

    /// The half-width of the interval of each rating.
    pub fn margins(&self) -> Vec<f64> {
        let ratings = self.ratings();
        let margin = |bot| ratings.rating(bot, Anchor::default()).margin();
        (0..self.strengths.len()).map(margin).collect()
    }

    /// The mean error of ratings in Elo.
    pub fn error(&self) -> f64 {
        let (ratings, bots) = (self.ratings(), self.strengths.len());
        let mean = self.strengths.iter().sum::<f64>() / bots as f64;
        let error = |bot: usize| {
            let elo = ratings.rating(bot, Anchor::default()).elo;
            (elo - (self.strengths[bot] - mean)).abs()
        };
        (0..bots).map(error).sum::<f64>() / bots as f64
    }

    /// Plays a batch between active bots.
    pub fn batch(&mut self, pairing: Pairing) {
        let bots = self.strengths.len();
        let size = BLOCKS.max(bots / 2).max(self.blocks / SHARE);
        let blocks = match pairing {
            Pairing::League => {
                let field = self.field();
                choose(&field, 2, size, self.seed ^ (self.batches as u64) << 8)
            }
            Pairing::RoundRobin => {
                let pairs = (0..bots).flat_map(|one| (0..one).map(move |other| vec![one, other]));
                let pairs: Vec<Vec<usize>> = pairs.collect();
                let next = |at: usize| pairs[(self.blocks + at) % pairs.len()].clone();
                (0..size).map(next).collect()
            }
            Pairing::Random => (0..size).map(|_| self.two(bots)).collect(),
        };
        for block in blocks {
            self.play(block[0], block[1]);
        }
        self.batches += 1;
    }

    fn two(&mut self, bots: usize) -> Vec<usize> {
        let one = self.chance.below(bots as u32) as usize;
        let other = self.chance.below(bots as u32 - 1) as usize;
        vec![one, other + usize::from(other >= one)]
    }

    fn field(&self) -> Field {
        let (ratings, bots) = (self.ratings(), self.strengths.len());
        let idle = |last: &Option<usize>| last.map_or(NEVER, |at| (self.batches - 1 - at) as u32);
        Field {
            roles: vec![Role::Active; bots],
            elo: (0..bots)
                .map(|bot| ratings.rating(bot, Anchor::default()).elo)
                .collect(),
            covariance: ratings.covariance_by_model().unwrap_or_default(),
            draws: ratings.draw_rate(),
            rounds: 1.0,
            idle: self.last.iter().map(idle).collect(),
        }
    }

    fn play(&mut self, one: usize, other: usize) {
        let names = [one, other].map(name);
        let apart = self.strengths[one] - self.strengths[other];
        let wins = 1.0 / (1.0 + 10_f64.powf(-apart / 400.0));
        for seat in 0..2 {
            let won = self.share() < wins;
            let [first, second] = [&names[seat], &names[1 - seat]];
            let winner = if won == (seat == 0) {
                Seat::FIRST
            } else {
                Seat::SECOND
            };
            let players = [first.as_str(), second.as_str()].into();
            self.games.add(&RatedGame {
                block: Some(self.blocks as u64),
                ..RatedGame::new(players, GameResult::Won(winner))
            });
        }
        for bot in [one, other] {
            self.last[bot] = Some(self.batches);
        }
        self.blocks += 1;
    }
}

fn name(bot: usize) -> String {
    format!("{bot:04}")
}

/// Games until all of `bots` are known to `margin`, and the mean error then.
pub fn all_at_once(pairing: Pairing, bots: usize, margin: f64, seed: u64) -> [f64; 2] {
    let mut world = World::new(bots, seed);
    loop {
        world.batch(pairing);
        if world.margins().iter().all(|it| *it <= margin) {
            return [world.games() as f64, world.error()];
        }
    }
}

/// Games until one more bot is known to `margin`, where all others are.
pub fn one_more(pairing: Pairing, bots: usize, margin: f64, seed: u64) -> f64 {
    let mut world = World::new(bots, seed);
    while world.margins().iter().any(|it| *it > margin) {
        world.batch(Pairing::League);
    }
    let before = world.games();
    world.enter();
    loop {
        world.batch(pairing);
        if world.margins()[bots] <= margin {
            return (world.games() - before) as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matchmaking_needs_fewer_games_than_round_robin() {
        let games = |pairing| -> f64 {
            (0..4)
                .map(|seed| all_at_once(pairing, 16, 60.0, seed)[0])
                .sum()
        };
        let [league, others] = [Pairing::League, Pairing::RoundRobin].map(games);
        assert!(league < others, "{league} {others}");
        let games = |pairing| -> f64 { (0..4).map(|seed| one_more(pairing, 8, 60.0, seed)).sum() };
        let [league, others] = [Pairing::League, Pairing::RoundRobin].map(games);
        assert!(2.0 * league < others, "{league} {others}");
    }
}
