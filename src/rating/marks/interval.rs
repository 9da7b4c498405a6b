//! The interval of a share of points.

use super::{Count, TestGames};
use crate::rating::Interval;
use crate::rating::math::wilson;

/// What both sums of the design effect are raised by: the variance of four even games. So few pairs, or games
/// that nearly all end alike, cannot decide it.
const RAISED: f64 = 1.0;

/// The share of the points between the ends of its 95 % interval, or `None` without games: Wilson's, for as many
/// independent games as vary like these do, without the shares that lie outside of what a game can be worth.
pub(super) fn share(games: &TestGames, [least, most]: [f64; 2]) -> Option<Interval> {
    let all = games.count();
    let effective = all.games / design_effect(games, all);
    (all.games > 0.0).then(|| {
        let [low, share, high] = wilson::interval(all.share(), effective);
        [low.max(least).min(share), share, high.min(most).max(share)]
    })
}

/// How much more the points vary than those of independent games that are won or lost, with the same share
/// against every opponent. It is less with draws, where a start favours a seat, and where opponents differ; more
/// where the games of a pair are alike. (L. Kish, *Survey Sampling*, 1965; the opponents are its strata.)
fn design_effect(games: &TestGames, all: Count) -> f64 {
    let mut found = RAISED;
    for pairs in games.opponents.iter().filter(|pairs| pairs.len() > 1) {
        let mut count = Count::default();
        pairs.iter().for_each(|pair| count.add(pair));
        let share = count.share();
        let distance = |pair: &super::MarkedPair| pair.points() - f64::from(pair.games()) * share;
        let squares: f64 = pairs.iter().map(|pair| distance(pair).powi(2)).sum();
        let number = pairs.len() as f64;
        found += squares * number / (number - 1.0);
    }
    let share = all.share();
    found / (all.games * share * (1.0 - share) + RAISED)
}
