//! From the games of a test to marks, with their intervals and the probability that a repetition changes them.
//! `docs/marks.md` has the formulas, their sources and their measured errors.

mod repetition;
mod urn;

pub use repetition::{Change, Reliability, SIMULATIONS, Scheme};

use crate::game::PerSeat;
use crate::rating::{Interval, wilson_interval};

/// The share of a test's marks for these games, within the 95 % interval for the true share of the points. Without
/// games the interval is from 0 to 1.
pub fn fraction(test: &SchemeTest, games: &TestGames) -> Interval {
    match (share(games, test.points), &test.curve) {
        (None, _) => [0.0, 0.0, 1.0],
        (Some(shares), None) => shares,
        (Some(shares), Some(points)) => along(points, shares),
    }
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

#[derive(Debug, Clone, PartialEq)]
pub struct SchemeTest {
    pub marks: f64,
    /// From the share of the points to the share of the marks, where these differ: see [`curve`].
    pub curve: Option<Vec<[f64; 2]>>,
    /// The least and the most points that a game can be worth.
    pub points: [f64; 2],
    pub seats: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarkedGame {
    pub points: f64,
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

    fn each(&self) -> &[MarkedGame] {
        self.0.as_slice()
    }

    pub fn points(&self) -> f64 {
        self.each().iter().map(|game| game.points).sum()
    }

    pub fn games(&self) -> usize {
        self.0.count()
    }

    pub fn forfeits(&self) -> usize {
        self.each().iter().filter(|game| game.forfeited).count()
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
}

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

    fn add_all(&mut self, other: Self) {
        self.points += other.points;
        self.games += other.games;
        self.forfeits += other.forfeits;
    }

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

    fn shared(games: &TestGames, points: [f64; 2]) -> Interval {
        let test = SchemeTest {
            marks: 1.0,
            curve: None,
            points,
            seats: 2,
        };
        fraction(&test, games)
    }

    const ALL: [f64; 2] = [0.0, 1.0];

    #[test]
    fn an_interval_holds_no_points_that_nobody_can_have() {
        for share in [0.5, 0.75] {
            let found = shared(&games(&[share; 2]), [0.5, 0.75]);
            assert_eq!(found, [0.5, share, 0.75]);
        }
    }

    #[test]
    fn intervals_follow_the_variance_of_pairs() {
        let width = |points: &[f64]| {
            let [low, value, high] = shared(&games(points), ALL);
            assert_eq!(value, 0.5);
            high - low
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
        let [low, _, high] = shared(&games(&[0.0; 20]), ALL);
        assert!(low == 0.0 && (high - 0.1611).abs() < 6e-5, "{high}");
    }

    #[test]
    fn opponents_who_differ_are_no_luck() {
        let mut both = games(&[1.0; 20]);
        both.opponents.extend(games(&[0.0; 20]).opponents);
        let found = shared(&both, ALL);
        let mixed = shared(&games(&[1.0, 1.0, 0.0, 0.0].repeat(10)), ALL);
        assert!(found[2] - found[0] < (mixed[2] - mixed[0]) / 3.0);
    }
}
