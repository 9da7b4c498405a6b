//! The posterior predictive distribution of game pairs, given the played ones.

use crate::game::Chance;

use super::games::{MarkedGame, MarkedPair, TestGames};

/// Weight of the prior of a single test, in pairs of a game won and a game lost: halfway between T. Bayes's uniform prior
/// of the share of the points, which has a weight of 1, and H. Jeffreys's with ½.
const PRIOR: f64 = 0.75;

/// Weight of the guess that the games of a pair are independent, in pairs.
const INDEPENDENT: f64 = 2.0;

/// Each of `n` played pairs weighs `n / (n + NARROW)`, and a drawn one 1, because pairs vary less around their own mean
/// than around the true one: `docs/marks.md` derives it.
const NARROW: f64 = 4.0;

/// The posterior of the pairs against one opponent, as Pólya's urn: each drawn pair goes back with another one like it.
/// Its draws are distributed like draws from a distribution that was drawn from the posterior. (D. Blackwell and J. MacQueen, Annals of Statistics 1, 1973.)
pub(super) struct Urn {
    /// The played pairs, then the drawn ones.
    pairs: Vec<MarkedPair>,
    /// Number of played pairs.
    played: usize,
    /// Weight of the prior, in pairs.
    prior: f64,
    /// Weight of a played pair; a drawn one weighs 1.
    weight: f64,
    /// Probability that a pair is made of the games of others.
    mixed: f64,
    /// Points of a lost game, and of a won one.
    points: [f64; 2],
    /// A pair has a second game.
    has_second: bool,
}

impl Urn {
    /// The urns of a test's opponents, which share its prior. With more tests each prior weighs less: its errors add up
    /// over the tests, and chance grows only with the root of their number. `trust` multiplies this weight. A game of
    /// the prior has the least or the most of the possible `points`.
    pub(super) fn of(games: &TestGames, points: [f64; 2], tests: usize, trust: f64) -> Vec<Self> {
        let whole = trust * PRIOR / (tests.max(1) as f64).sqrt();
        let prior = whole / games.opponents.len() as f64;
        let urns = games.opponents.iter().map(|pairs| {
            let number = pairs.len().max(1) as f64;
            Self {
                pairs: pairs.clone(),
                played: pairs.len(),
                prior,
                weight: number / (number + NARROW),
                mixed: INDEPENDENT / (number + INDEPENDENT),
                points,
                has_second: pairs.is_empty() || pairs.iter().any(|pair| pair.second.is_some()),
            }
        });
        urns.collect()
    }

    /// Number of played pairs.
    pub(super) fn played(&self) -> usize {
        self.played
    }

    /// Takes the drawn pairs out.
    pub(super) fn refill(&mut self) {
        self.pairs.truncate(self.played);
    }

    /// Draws a pair.
    pub(super) fn draw(&mut self, chance: &mut dyn Chance) -> MarkedPair {
        let mut pair = self.one(chance);
        if uniform(chance) < self.mixed {
            let first = self.game(chance);
            let second = pair.second.map(|_| self.game(chance));
            pair = MarkedPair { first, second };
        }
        self.pairs.push(pair);
        pair
    }

    /// A pair by weight.
    fn one(&self, chance: &mut dyn Chance) -> MarkedPair {
        let before = self.weight * (self.prior + self.played as f64);
        let drawn = (self.pairs.len() - self.played) as f64;
        let at = uniform(chance) * (before + drawn);
        let index = if at < before {
            at / self.weight - self.prior
        } else {
            at - before + self.played as f64
        };
        let known = if index >= 0.0 {
            self.pairs.get(index as usize).copied()
        } else {
            None
        };
        known.unwrap_or_else(|| self.even(chance))
    }

    /// A pair of the prior.
    fn even(&self, chance: &mut dyn Chance) -> MarkedPair {
        let game = |won: usize| MarkedGame {
            points: self.points[won],
            forfeited: false,
        };
        let won = usize::from(chance.below(2) == 1);
        MarkedPair {
            first: game(won),
            second: self.has_second.then(|| game(1 - won)),
        }
    }

    /// A game of any pair.
    fn game(&self, chance: &mut dyn Chance) -> MarkedGame {
        let pair = self.one(chance);
        match pair.second {
            Some(second) if chance.below(2) == 0 => second,
            _ => pair.first,
        }
    }
}

/// A number from 0 to 1, without 1.
fn uniform(chance: &mut dyn Chance) -> f64 {
    // A bound this far below 2³² hardly ever has `below` divide or draw again.
    f64::from(chance.below(1 << 24)) / f64::from(1_u32 << 24)
}
