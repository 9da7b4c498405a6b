//! From games to a share of the marks.

use super::games::{TestGames, within};
use super::interval;
use super::reach::SequentialTest;
use super::rule::{MarkRule, SchemeTest};
use crate::rating::Interval;

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
pub(super) fn reached(verdict: bool) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::scheme::games::{MarkedBlock, MarkedGame};
    use crate::grade::scheme::rule::Doubt;

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
