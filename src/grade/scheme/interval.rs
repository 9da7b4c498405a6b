//! The interval of a share of the points.

use super::games::{Count, MarkedPair, TestGames};
use crate::rating::{Interval, wilson_interval};

/// Added to both sums of the design effect: the variance of four even games. So neither a few pairs nor foregone games
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
/// the games of a pair are alike. (L. Kish, *Survey Sampling*, 1965; the opponents are its strata.)
fn design_effect(games: &TestGames, all: Count) -> f64 {
    let mut found = RAISED;
    for pairs in games.opponents.iter().filter(|pairs| pairs.len() > 1) {
        let mut count = Count::default();
        pairs.iter().for_each(|pair| count.add(pair));
        let share = count.share();
        let distance = |pair: &MarkedPair| pair.points() - f64::from(pair.games()) * share;
        let squares: f64 = pairs.iter().map(|pair| distance(pair).powi(2)).sum();
        let number = pairs.len() as f64;
        found += squares * number / (number - 1.0);
    }
    let share = all.share();
    found / (all.games * share * (1.0 - share) + RAISED)
}
