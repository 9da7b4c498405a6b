//! The interval of a share of points.

use super::super::pentanomial::Interval;
use super::super::wilson;
use super::{Count, TestGames};

/// What both sums of the effect of pairs are raised by: the variance of four even games. So few pairs, or
/// games that nearly all end alike, cannot decide it.
const RAISED: f64 = 1.0;

/// The share of the points between the ends of its 95 % interval, or `None` without games.
///
/// Each opponent has a Wilson interval (see [`wilson::interval`]) of as many independent games as vary like
/// its pairs: their number divided by the *design effect* (L. Kish, *Survey Sampling*, 1965), which is one
/// for all opponents. The distances to the ends are added as squares, weighed by games (G. Zou and A. Donner,
/// Statistics in Medicine 27, 2008).
pub(super) fn share(games: &TestGames) -> Option<Interval> {
    let all = games.count();
    if all.games == 0.0 {
        return None;
    }
    let effect = design_effect(games);
    let mut squares = [0.0; 2];
    for count in counts(games) {
        let weight = count.games / all.games;
        let [low, share, high] = wilson::interval(count.share(), count.games / effect);
        squares[0] += (weight * (share - low)).powi(2);
        squares[1] += (weight * (high - share)).powi(2);
    }
    let share = all.share();
    let [below, above] = squares.map(f64::sqrt);
    Some([(share - below).max(0.0), share, (share + above).min(1.0)])
}

/// The count of each opponent who has games.
fn counts(games: &TestGames) -> impl Iterator<Item = Count> {
    let counts = games.opponents.iter().map(|pairs| {
        let mut count = Count::default();
        pairs.iter().for_each(|pair| count.add(pair));
        count
    });
    counts.filter(|count| count.games > 0.0)
}

/// How much more the points vary than those of independent games that are won or lost: less with draws and
/// where a start favours a seat, more where the games of a pair are alike.
fn design_effect(games: &TestGames) -> f64 {
    let (mut found, mut expected) = (RAISED, RAISED);
    for pairs in games.opponents.iter().filter(|pairs| pairs.len() > 1) {
        let mut count = Count::default();
        pairs.iter().for_each(|pair| count.add(pair));
        let share = count.share();
        let squares = pairs
            .iter()
            .map(|pair| (pair.points - f64::from(pair.games) * share).powi(2));
        let number = pairs.len() as f64;
        found += squares.sum::<f64>() * number / (number - 1.0);
        expected += count.games * share * (1.0 - share);
    }
    found / expected
}
