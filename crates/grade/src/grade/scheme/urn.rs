//! The posterior predictive distribution of blocks, given the played ones.

use super::{MarkedBlock, MarkedGame, SchemeTest, TestGames};
use crate::game::Chance;

/// Weight of the prior of a single test, in pairs of a game won and a game lost: halfway between T. Bayes's uniform prior
/// of the share of the points, which has a weight of 1, and H. Jeffreys's with ½.
const PRIOR: f64 = 0.75;

/// Weight of the guess that the games of a block are independent, in blocks.
const INDEPENDENT: f64 = 2.0;

/// Each of `n` played blocks weighs `n / (n + NARROW)`, and a drawn one 1, because blocks vary less around their own mean
/// than around the true one: `docs/marks.md` derives it.
const NARROW: f64 = 4.0;

/// The posterior of the blocks against one seating, as Pólya's urn: each drawn block goes back with another one like it.
/// Its draws are distributed like draws from a distribution that was drawn from the posterior. (D. Blackwell and J. MacQueen, Annals of Statistics 1, 1973.)
pub(super) struct Urn {
    blocks: Vec<MarkedBlock>,
    played: usize,
    prior: f64,
    /// Weight of a played block; a drawn one weighs 1.
    weight: f64,
    /// Probability that a block is made of the games of others.
    mixed: f64,
    points: [f64; 2],
    games: usize,
}

impl Urn {
    /// The urns of a test's seatings, which share its prior. With more `tests` each prior weighs less: its errors add up
    /// over the tests, and chance grows only with the root of their number. A game of
    /// the prior has the least or the most of the possible points.
    pub(super) fn of(test: &SchemeTest, games: &TestGames, tests: usize) -> Vec<Self> {
        let whole = PRIOR / (tests.max(1) as f64).sqrt();
        // The weight is in pairs, and a block of more seats has more games.
        let in_blocks = whole * 2.0 / test.seats as f64;
        let prior = in_blocks / games.opponents.len() as f64;
        let urns = games.opponents.iter().map(|blocks| {
            let number = blocks.len().max(1) as f64;
            let most_games = blocks.iter().map(MarkedBlock::games).max();
            Self {
                blocks: blocks.clone(),
                played: blocks.len(),
                prior,
                weight: number / (number + NARROW),
                mixed: INDEPENDENT / (number + INDEPENDENT),
                points: test.points,
                games: most_games.unwrap_or(test.seats),
            }
        });
        urns.collect()
    }

    pub(super) fn played(&self) -> usize {
        self.played
    }

    pub(super) fn refill(&mut self) {
        self.blocks.truncate(self.played);
    }

    pub(super) fn draw(&mut self, chance: &mut dyn Chance) -> MarkedBlock {
        let mut block = self.one(chance);
        if uniform(chance) < self.mixed {
            block = MarkedBlock::new((0..block.games()).map(|_| self.game(chance)));
        }
        self.blocks.push(block.clone());
        block
    }

    fn one(&self, chance: &mut dyn Chance) -> MarkedBlock {
        let before = self.weight * (self.prior + self.played as f64);
        let drawn = (self.blocks.len() - self.played) as f64;
        let at = uniform(chance) * (before + drawn);
        let index = if at < before {
            at / self.weight - self.prior
        } else {
            at - before + self.played as f64
        };
        let known = if index >= 0.0 {
            self.blocks.get(index as usize).cloned()
        } else {
            None
        };
        known.unwrap_or_else(|| self.even(chance))
    }

    /// A block of the prior: games won and games lost in turn.
    fn even(&self, chance: &mut dyn Chance) -> MarkedBlock {
        let first = usize::from(chance.below(2) == 1);
        MarkedBlock::new((first..first + self.games).map(|at| MarkedGame {
            points: self.points[at % 2],
            forfeited: false,
        }))
    }

    fn game(&self, chance: &mut dyn Chance) -> MarkedGame {
        let block = self.one(chance);
        let games = block.each();
        match games {
            [game] => *game,
            // A block has a game.
            _ => games[games.len() - 1 - chance.below(games.len() as u32) as usize],
        }
    }
}

fn uniform(chance: &mut dyn Chance) -> f64 {
    // A bound this far below 2³² hardly ever has `below` divide or draw again.
    f64::from(chance.below(1 << 24)) / f64::from(1_u32 << 24)
}
