//! The interval of a share of the points.

use super::games::{Count, MarkedBlock, TestGames};
use crate::rating::{Interval, wilson_interval};

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
