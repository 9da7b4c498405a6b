//! The games of a student as marks see them.

use crate::game::PerSeat;

/// One game as a mark sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarkedGame {
    /// The student's points, from 0 to 1.
    pub points: f64,
    /// The student's own agent forfeited it.
    pub forfeited: bool,
}

/// A block as a mark sees it: the games with one start, one for each rotation of the seats, or the part of them that was
/// played. In a game of two that is a game pair.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkedBlock(PerSeat<MarkedGame>);

impl MarkedBlock {
    /// A block of these games, in the order of play. Points are limited to 0 to 1; NaN is 0.
    pub fn new(games: impl IntoIterator<Item = MarkedGame>) -> Self {
        let limited = |game: MarkedGame| MarkedGame {
            points: within(game.points, 0.0, 1.0),
            ..game
        };
        Self(games.into_iter().map(limited).collect())
    }

    /// Its games, in the order of play.
    pub(super) fn each(&self) -> &[MarkedGame] {
        self.0.as_slice()
    }

    /// The points of its games together.
    pub fn points(&self) -> f64 {
        self.each().iter().map(|game| game.points).sum()
    }

    /// How many games it has.
    pub fn games(&self) -> usize {
        self.0.count()
    }

    /// How many of its games the student's own agent forfeited.
    pub fn forfeits(&self) -> usize {
        self.each().iter().filter(|game| game.forfeited).count()
    }

    /// Its share of the points.
    pub(super) fn share(&self) -> f64 {
        self.points() / self.games().max(1) as f64
    }
}

/// The games of one student in one test.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TestGames {
    /// The blocks against each seating of opponents, in the order of their numbers. In a game of two a seating is one opponent.
    pub opponents: Vec<Vec<MarkedBlock>>,
}

impl TestGames {
    /// All points, games and forfeits.
    pub(super) fn count(&self) -> Count {
        let mut count = Count::default();
        self.opponents
            .iter()
            .flatten()
            .for_each(|block| count.add(block));
        count
    }

    /// The share of the points of each *round*: a block against every seating. A round is whole or does not
    /// count, so that all rounds have the same mean.
    pub(super) fn rounds(&self) -> impl Iterator<Item = f64> {
        let whole = self.opponents.iter().map(Vec::len).min().unwrap_or(0);
        (0..whole).map(|round| {
            let blocks = self.opponents.iter().map(|blocks| blocks[round].share());
            blocks.sum::<f64>() / self.opponents.len() as f64
        })
    }
}

/// Points, games and forfeits of any number of blocks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) points: f64,
    pub(super) games: f64,
    pub(super) forfeits: f64,
}

impl Count {
    pub(super) fn add(&mut self, block: &MarkedBlock) {
        self.points += block.points();
        self.games += block.games() as f64;
        self.forfeits += block.forfeits() as f64;
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            points: self.points + other.points,
            games: self.games + other.games,
            forfeits: self.forfeits + other.forfeits,
        }
    }

    /// The share of the points; 0 without games.
    pub(super) fn share(&self) -> f64 {
        self.points / self.games.max(1.0)
    }
}

/// A number limited to two bounds. NaN becomes the lower one.
pub(super) fn within(number: f64, low: f64, high: f64) -> f64 {
    if number > low { number.min(high) } else { low }
}
