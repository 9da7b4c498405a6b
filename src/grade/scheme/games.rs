//! The games of a student as marks see them.

/// One game as a mark sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarkedGame {
    /// The student's points, from 0 to 1.
    pub points: f64,
    /// The student's own agent forfeited it.
    pub forfeited: bool,
}

/// A game pair as a mark sees it: two games with the same start and swapped seats, or one game alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarkedPair {
    pub(super) first: MarkedGame,
    pub(super) second: Option<MarkedGame>,
}

impl MarkedPair {
    /// A pair of its first game and, if it was played, its second. Points are limited to 0 to 1; NaN is 0.
    pub fn new(first: MarkedGame, second: Option<MarkedGame>) -> Self {
        let limited = |game: MarkedGame| MarkedGame {
            points: within(game.points, 0.0, 1.0),
            ..game
        };
        Self {
            first: limited(first),
            second: second.map(limited),
        }
    }

    /// Its games, in the order of play.
    pub(super) fn each(&self) -> impl Iterator<Item = &MarkedGame> {
        std::iter::once(&self.first).chain(&self.second)
    }

    /// The points of its games together.
    pub fn points(&self) -> f64 {
        self.each().map(|game| game.points).sum()
    }

    /// How many games it has: one or two.
    pub fn games(&self) -> u8 {
        1 + u8::from(self.second.is_some())
    }

    /// How many of its games the student's own agent forfeited.
    pub fn forfeits(&self) -> u8 {
        self.each().map(|game| u8::from(game.forfeited)).sum()
    }

    /// Its share of the points.
    pub(super) fn share(&self) -> f64 {
        self.points() / f64::from(self.games())
    }
}

/// The games of one student in one test.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TestGames {
    /// The pairs against each opponent, in the order of their numbers.
    pub opponents: Vec<Vec<MarkedPair>>,
}

impl TestGames {
    /// All points, games and forfeits.
    pub(super) fn count(&self) -> Count {
        let mut count = Count::default();
        self.opponents
            .iter()
            .flatten()
            .for_each(|pair| count.add(pair));
        count
    }

    /// The share of the points of each *round*: a pair against every opponent. A round is whole or does not
    /// count, so that all rounds have the same mean.
    pub(super) fn rounds(&self) -> impl Iterator<Item = f64> {
        let whole = self.opponents.iter().map(Vec::len).min().unwrap_or(0);
        (0..whole).map(|round| {
            let pairs = self.opponents.iter().map(|pairs| pairs[round].share());
            pairs.sum::<f64>() / self.opponents.len() as f64
        })
    }
}

/// Points, games and forfeits of any number of pairs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) points: f64,
    pub(super) games: f64,
    pub(super) forfeits: f64,
}

impl Count {
    pub(super) fn add(&mut self, pair: &MarkedPair) {
        self.points += pair.points();
        self.games += f64::from(pair.games());
        self.forfeits += f64::from(pair.forfeits());
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
