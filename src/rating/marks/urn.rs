//! What pairs a repetition may bring, judged by those that were played.

use crate::game::Chance;

use super::{MarkedGame, MarkedPair, TestGames};

/// How many pairs of a game won and a game lost the prior of the only test is worth: halfway between T. Bayes's
/// prior, that all shares of the points are equally likely, which is worth 1, and H. Jeffreys's, which is worth ½.
const PRIOR: f64 = 0.75;

/// How many pairs the guess is worth that the games of a pair have nothing to do with each other.
const INDEPENDENT: f64 = 2.0;

/// Of `n` played pairs each weighs as much as `n / (n + NARROW)` drawn ones, because pairs vary less around their
/// own mean than around the true one: `docs/marks.md` derives it.
const NARROW: f64 = 4.0;

/// The posterior of the pairs against one opponent, as an urn: whatever is drawn goes back with another one
/// like it. Draws from it are distributed as draws from a distribution that was itself drawn from the
/// posterior. (D. Blackwell and J. MacQueen, Annals of Statistics 1, 1973.)
pub(super) struct Urn {
    /// The pairs that were played, then those that were drawn.
    pairs: Vec<MarkedPair>,
    /// How many were played.
    played: usize,
    /// How many pairs the prior is worth.
    prior: f64,
    /// What a pair weighs that was played; one that was drawn weighs 1.
    weight: f64,
    /// How often a pair is made of the games of others.
    mixed: f64,
    /// What a game is worth that is lost, and one that is won.
    points: [f64; 2],
    /// A pair has a second game.
    has_second: bool,
}

impl Urn {
    /// The urns of a test's opponents, which share its prior. With more tests each prior is worth less: what it
    /// is wrong by adds up over the tests, and chance only grows with the root of their number. `trust` times that
    /// is what it is worth here. A game of the prior has the least or the most of the `points` that there can be.
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

    /// How many pairs were played.
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
        let index = match at < before {
            true => at / self.weight - self.prior,
            false => at - before + self.played as f64,
        };
        let known = match index >= 0.0 {
            true => self.pairs.get(index as usize).copied(),
            false => None,
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
