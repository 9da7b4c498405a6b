//! From the games of a test to marks, with their intervals and the probability that a repetition changes them.
//! `docs/marks.md` has the formulas with their sources, and measures how far they hold.

mod interval;
mod reach;
mod repetition;
mod urn;

use crate::rating::Interval;
use reach::SequentialTest;

pub use repetition::{Change, Reliability, SIMULATIONS, Scheme, SchemeTest};

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
    first: MarkedGame,
    second: Option<MarkedGame>,
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
    fn each(&self) -> impl Iterator<Item = &MarkedGame> {
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
    fn share(&self) -> f64 {
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
    fn count(&self) -> Count {
        let mut count = Count::default();
        self.opponents
            .iter()
            .flatten()
            .for_each(|pair| count.add(pair));
        count
    }

    /// The share of the points of each *round*: a pair against every opponent. A round is whole or does not
    /// count, so that all rounds have the same mean.
    fn rounds(&self) -> impl Iterator<Item = f64> {
        let whole = self.opponents.iter().map(Vec::len).min().unwrap_or(0);
        (0..whole).map(|round| {
            let pairs = self.opponents.iter().map(|pairs| pairs[round].share());
            pairs.sum::<f64>() / self.opponents.len() as f64
        })
    }
}

/// Points, games and forfeits of any number of pairs.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    points: f64,
    games: f64,
    forfeits: f64,
}

impl Count {
    fn add(&mut self, pair: &MarkedPair) {
        self.points += pair.points();
        self.games += f64::from(pair.games());
        self.forfeits += f64::from(pair.forfeits());
    }

    fn plus(self, other: Self) -> Self {
        Self {
            points: self.points + other.points,
            games: self.games + other.games,
            forfeits: self.forfeits + other.forfeits,
        }
    }

    /// The share of the points; 0 without games.
    fn share(&self) -> f64 {
        self.points / self.games.max(1.0)
    }
}

/// How a test's games become a share of its marks.
#[derive(Debug, Clone, PartialEq)]
pub enum MarkRule {
    /// The share of the points.
    Share,
    /// A line from point to point, each from a share of the points to a share of the marks, in rising
    /// order; flat before the first and after the last.
    Curve(Vec<[f64; 2]>),
    /// All marks for a true share of at least `share`, none for less: a sequential test.
    Reach {
        /// The share of the points to reach.
        share: f64,
        /// The test errs at most as often as `error` says for a true share of at most `share - margin`, or at
        /// least `share + margin`. Between them either verdict is right.
        margin: f64,
        /// The greatest probability of a wrong verdict, for each of the two.
        error: f64,
        /// Who gets the marks if the test has no verdict at its cap.
        doubt: Doubt,
    },
}

/// Who gets the marks of a sequential test that has no verdict at its cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// The student gets all.
    Student,
    /// The student gets half.
    Half,
    /// The student gets none.
    Nobody,
}

impl Doubt {
    fn fraction(self) -> f64 {
        match self {
            Self::Student => 1.0,
            Self::Half => 0.5,
            Self::Nobody => 0.0,
        }
    }
}

/// A share of the marks of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fraction {
    /// From 0 to 1.
    pub value: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
    /// There are games, and a sequential test has its verdict.
    pub decided: bool,
}

/// The share of a test's marks for these games, with the 95 % interval for the true share of the points. Without a
/// verdict or games, the interval is from 0 to 1.
///
/// The doubt of a sequential test without a verdict counts at its cap alone. Below the cap it would reward slow agents:
/// there the likelier side counts, and no games give nothing.
pub fn fraction(test: &SchemeTest, games: &TestGames) -> Fraction {
    if let MarkRule::Reach {
        share,
        margin,
        error,
        doubt,
    } = &test.rule
    {
        let mut sequential = SequentialTest::new(*share, *margin, *error);
        let verdict = games.rounds().find_map(|share| sequential.add(share));
        let value = match verdict {
            Some(verdict) => reached(verdict),
            None if test.is_at_cap(games) => doubt.fraction(),
            None => reached(sequential.likelier()),
        };
        return Fraction {
            value,
            low: verdict.map_or(0.0, reached),
            high: verdict.map_or(1.0, reached),
            decided: verdict.is_some(),
        };
    }
    let Some(shares) = interval::share(games, test.points) else {
        return Fraction {
            value: 0.0,
            low: 0.0,
            high: 1.0,
            decided: false,
        };
    };
    let [low, value, high] = match &test.rule {
        MarkRule::Curve(points) => along(points, shares),
        _ => shares,
    };
    Fraction {
        value,
        low,
        high,
        decided: true,
    }
}

/// The share of the marks for a verdict.
fn reached(verdict: bool) -> f64 {
    f64::from(u8::from(verdict))
}

/// A number limited to two bounds. NaN becomes the lower one.
fn within(number: f64, low: f64, high: f64) -> f64 {
    if number > low { number.min(high) } else { low }
}

/// The height of a piecewise linear curve, flat before its first point and after its last. 0 without points.
pub fn curve(points: &[[f64; 2]], at: f64) -> f64 {
    let after = points.partition_point(|[from, _]| *from <= at);
    let before = after.checked_sub(1).and_then(|last| points.get(last));
    let height = match (before, points.get(after)) {
        (Some([x0, y0]), Some([x1, y1])) => y0 + (at - x0) / (x1 - x0) * (y1 - y0),
        (Some([_, end]), None) | (None, Some([_, end])) => *end,
        (None, None) => 0.0,
    };
    within(height, 0.0, 1.0)
}

/// The least, the actual and the greatest height of a curve for an interval of shares.
fn along(points: &[[f64; 2]], [low, value, high]: Interval) -> Interval {
    let within = points.iter().map(|[from, _]| *from);
    let shares = within.filter(|from| (low..=high).contains(from));
    let heights = shares.chain([low, high]).map(|at| curve(points, at));
    let value = curve(points, value);
    heights.fold([value; 3], |[least, value, most], height| {
        [least.min(height), value, most.max(height)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_flat_at_both_ends() {
        let points = [[0.2, 0.1], [0.4, 0.5], [0.4, 0.6], [0.8, 1.0]];
        for (at, height) in [(0.0, 0.1), (0.3, 0.3), (0.4, 0.6), (0.6, 0.8), (0.9, 1.0)] {
            assert!((curve(&points, at) - height).abs() < 1e-12, "{at}");
        }
        assert_eq!(curve(&[], 0.5), 0.0);
        assert_eq!(curve(&[[0.5, 7.0]], 0.1), 1.0);
        assert_eq!(curve(&[[0.5, f64::NAN]], 0.1), 0.0);
    }

    #[test]
    fn the_interval_of_a_curve_has_its_highest_point() {
        let [least, value, most] = along(&[[0.0, 0.0], [0.5, 1.0], [1.0, 0.4]], [0.3, 0.4, 0.9]);
        for (found, expected) in [(least, 0.52), (value, 0.8), (most, 1.0)] {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    fn games(points: &[f64]) -> TestGames {
        let game = |points: &f64| MarkedGame {
            points: *points,
            forfeited: false,
        };
        let pairs = points.chunks(2);
        let pairs = pairs.map(|pair| MarkedPair::new(game(&pair[0]), pair.get(1).map(game)));
        TestGames {
            opponents: vec![pairs.collect()],
        }
    }

    fn of(rule: MarkRule) -> SchemeTest {
        SchemeTest {
            marks: 1.0,
            rule,
            cap: 20,
            points: [0.0, 1.0],
        }
    }

    fn shared(games: &TestGames) -> Fraction {
        fraction(&of(MarkRule::Share), games)
    }

    #[test]
    fn the_doubt_counts_at_the_cap_alone() {
        for doubt in [Doubt::Student, Doubt::Half, Doubt::Nobody] {
            let reach = of(MarkRule::Reach {
                share: 0.5,
                margin: 0.05,
                error: 0.01,
                doubt,
            });
            let value = |points: &[f64]| {
                let found = fraction(&reach, &games(points));
                assert!(!found.decided, "{points:?}");
                found.value
            };
            assert_eq!(value(&[]), 0.0);
            assert_eq!(value(&[0.0; 8]), 0.0);
            assert_eq!(value(&[1.0; 8]), 1.0);
            assert_eq!(value(&[1.0, 0.0].repeat(9)), 0.0);
            assert_eq!(value(&[1.0, 0.0].repeat(10)), doubt.fraction());
        }
    }

    #[test]
    fn an_interval_holds_no_points_that_nobody_can_have() {
        let test = SchemeTest {
            points: [0.5, 0.75],
            ..of(MarkRule::Share)
        };
        for share in [0.5, 0.75] {
            let found = fraction(&test, &games(&[share; 2]));
            assert_eq!([found.low, found.value, found.high], [0.5, share, 0.75]);
        }
    }

    #[test]
    fn intervals_follow_the_variance_of_pairs() {
        let width = |points: &[f64]| {
            let found = shared(&games(points));
            assert_eq!(found.value, 0.5);
            found.high - found.low
        };
        let [opposed, alike, drawn] = [
            [1.0, 0.0, 1.0, 0.0].repeat(10),
            [1.0, 1.0, 0.0, 0.0].repeat(10),
            [0.5; 40].to_vec(),
        ]
        .map(|points| width(&points));
        // Pairs with two equal results count as 20 games in Wilson's formula.
        assert!((0.38..0.42).contains(&alike), "{alike}");
        assert!((0.08..0.1).contains(&opposed), "{opposed}");
        assert!((opposed - drawn).abs() < 1e-12);
        // R. Newcombe, Statistics in Medicine 17, 1998, table I, method 3: 0 of 20.
        let lost = shared(&games(&[0.0; 20]));
        assert!(
            lost.low == 0.0 && (lost.high - 0.1611).abs() < 6e-5,
            "{lost:?}"
        );
    }

    #[test]
    fn opponents_who_differ_are_no_luck() {
        let mut both = games(&[1.0; 20]);
        both.opponents.extend(games(&[0.0; 20]).opponents);
        let found = shared(&both);
        let mixed = shared(&games(&[1.0, 1.0, 0.0, 0.0].repeat(10)));
        assert!(found.high - found.low < (mixed.high - mixed.low) / 3.0);
    }
}
