//! From the games of a test to marks, with their intervals and the probability that a repetition changes them.
//! `docs/marks.md` has the formulas, their sources and their measured errors.

mod reach;
mod repetition;
mod urn;

use reach::SequentialTest;
pub use repetition::{Change, Reliability, SIMULATIONS, Scheme};

use serde::Deserialize;

use crate::game::PerSeat;
use crate::rating::{Interval, wilson_interval};

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
    let Some(shares) = share(games, test.points) else {
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

/// Added to both sums of the design effect: the variance of four even games. So neither a few blocks nor foregone games
/// determine it.
const RAISED: f64 = 1.0;

/// The share of the points with its 95 % interval, or `None` without games: Wilson's, for the number of independent
/// games with the variance of these. It is cut to the worth of a game.
pub fn share(games: &TestGames, [least, most]: [f64; 2]) -> Option<Interval> {
    let all = games.count();
    let effective = all.games / design_effect(games, all);
    (all.games > 0.0).then(|| {
        let [low, share, high] = wilson_interval(all.share(), effective);
        [low.max(least).min(share), share, high.min(most).max(share)]
    })
}

/// Design effect: the variance of the points, relative to independent games that are won or lost, with equal shares
/// against all opponents. It is less with draws, where a start favours a seat, and where opponents differ; more where
/// the games of a block are alike. (L. Kish, *Survey Sampling*, 1965; the seatings of opponents are its strata.)
fn design_effect(games: &TestGames, all: Count) -> f64 {
    let mut found = RAISED;
    for blocks in games.opponents.iter().filter(|blocks| blocks.len() > 1) {
        let mut count = Count::default();
        blocks.iter().for_each(|block| count.add(block));
        let share = count.share();
        let distance = |block: &MarkedBlock| block.points() - block.games() as f64 * share;
        let squares: f64 = blocks.iter().map(|block| distance(block).powi(2)).sum();
        let number = blocks.len() as f64;
        found += squares * number / (number - 1.0);
    }
    let share = all.share();
    found / (all.games * share * (1.0 - share) + RAISED)
}

/// How a test's games become a share of its marks.
#[derive(Debug, Clone, PartialEq)]
pub enum MarkRule {
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

impl MarkRule {
    /// Whether the test goes on until it has a verdict.
    pub fn is_sequential(&self) -> bool {
        matches!(self, Self::Reach { .. })
    }
}

/// Who gets the marks of a sequential test that has no verdict at its cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    Student,
    Half,
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

#[derive(Debug, Clone, PartialEq)]
pub struct SchemeTest {
    pub marks: f64,
    pub rule: MarkRule,
    /// The most games that a sequential test plays. Other rules have no use for it.
    pub cap: u32,
    /// The least and the most points that a game can be worth.
    pub points: [f64; 2],
    pub seats: usize,
}

impl SchemeTest {
    /// Whether there are as many games as a sequential test plays at most.
    fn is_at_cap(&self, games: &TestGames) -> bool {
        games.count().games >= f64::from(self.cap).max(1.0)
    }
}

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
    fn each(&self) -> &[MarkedGame] {
        self.0.as_slice()
    }

    pub fn points(&self) -> f64 {
        self.each().iter().map(|game| game.points).sum()
    }

    pub fn games(&self) -> usize {
        self.0.count()
    }

    /// How many of its games the student's own agent forfeited.
    pub fn forfeits(&self) -> usize {
        self.each().iter().filter(|game| game.forfeited).count()
    }

    fn share(&self) -> f64 {
        self.points() / self.games().max(1) as f64
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct TestGames {
    /// The blocks against each seating of opponents, in the order of their numbers. In a game of two a seating is one opponent.
    pub opponents: Vec<Vec<MarkedBlock>>,
}

impl TestGames {
    fn count(&self) -> Count {
        let mut count = Count::default();
        self.opponents
            .iter()
            .flatten()
            .for_each(|block| count.add(block));
        count
    }

    /// The share of the points of each *round*: a block against every seating. A round is whole or does not
    /// count, so that all rounds have the same mean.
    fn rounds(&self) -> impl Iterator<Item = f64> {
        let whole = self.opponents.iter().map(Vec::len).min().unwrap_or(0);
        (0..whole).map(|round| {
            let blocks = self.opponents.iter().map(|blocks| blocks[round].share());
            blocks.sum::<f64>() / self.opponents.len() as f64
        })
    }
}

/// Points, games and forfeits of any number of blocks.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    points: f64,
    games: f64,
    forfeits: f64,
}

impl Count {
    fn add(&mut self, block: &MarkedBlock) {
        self.points += block.points();
        self.games += block.games() as f64;
        self.forfeits += block.forfeits() as f64;
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

/// A number limited to two bounds. NaN becomes the lower one.
fn within(number: f64, low: f64, high: f64) -> f64 {
    if number > low { number.min(high) } else { low }
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
        let pairs = pairs.map(|pair| MarkedBlock::new(pair.iter().map(game)));
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
            seats: 2,
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
