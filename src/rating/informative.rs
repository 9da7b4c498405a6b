//! Which game pairs are the most informative about the order of the players.
//!
//! An order is unclear where it is not known which of two neighbours is the stronger. The value of a game
//! pair is the information that it is expected to give about all unclear neighbours (D. Lindley, "On a
//! measure of the information provided by an experiment", Annals of Mathematical Statistics 27, 1956).

use std::ops::Range;

use super::covariance::Ratings;
use super::fit::Expected;
use super::normal;

/// Only players at most this many places apart are considered for a game pair. Players further apart say
/// less about any two neighbours than a game between these neighbours.
const MAX_DISTANCE: usize = 4;

/// Values this close count as equal, so that rounding errors decide nothing.
const TOLERANCE: f64 = 1e-9;

impl Ratings {
    /// All players, strongest first. Of equal players, the lower index comes first.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.place.len()).collect();
        let strength = |player: &usize| rounded(self.at[self.place[*player]]);
        order.sort_by(|a, b| strength(b).total_cmp(&strength(a)).then(a.cmp(b)));
        order
    }

    /// The neighbours in [`Self::order`] for whom it is not known with this confidence which one is the
    /// stronger. The stronger one by rating comes first.
    pub fn unclear(&self, confidence: f64) -> Vec<[usize; 2]> {
        let order = self.order();
        let neighbours = order.windows(2).map(|two| [two[0], two[1]]);
        neighbours
            .filter(|[a, b]| rounded(self.los(*a, *b)) < confidence)
            .collect()
    }

    /// The players of up to `count` game pairs that are the most informative about neighbours who are
    /// [unclear](Self::unclear). Each is chosen as if the ones before had been played. There are fewer
    /// than `count` if these are expected to make the order clear.
    pub fn most_informative_pairs(&self, confidence: f64, count: usize) -> Vec<[usize; 2]> {
        let mut selection = PairSelection::new(self, confidence);
        let order = self.order();
        (0..count)
            .map_while(|_| selection.choose())
            .map(|[a, b]| [order[a], order[b]])
            .collect()
    }
}

fn rounded(value: f64) -> f64 {
    (value / TOLERANCE).round() * TOLERANCE
}

/// What will be known about the order after the game pairs chosen so far, if they leave the strengths as
/// they are. Players are given by their place in the order.
struct PairSelection {
    strengths: Vec<f64>,
    /// The covariance of the strengths, row by row.
    covariance: Vec<f64>,
    advantage: f64,
    nu: f64,
    confidence: f64,
}

impl PairSelection {
    fn new(ratings: &Ratings, confidence: f64) -> Self {
        let places: Vec<usize> = ratings
            .order()
            .into_iter()
            .map(|player| ratings.place[player])
            .collect();
        let row = |row: &usize| {
            let cells = ratings.covariance.row(*row);
            places.iter().map(|column| cells[*column])
        };
        Self {
            strengths: places.iter().map(|place| ratings.at[*place]).collect(),
            covariance: places.iter().flat_map(row).collect(),
            advantage: ratings.at[places.len()],
            nu: ratings.nu,
            confidence,
        }
    }

    fn players(&self) -> usize {
        self.strengths.len()
    }

    fn covariance(&self, a: usize, b: usize) -> f64 {
        self.covariance[a * self.players() + b]
    }

    /// The variance of the difference of two strengths.
    fn variance(&self, a: usize, b: usize) -> f64 {
        self.covariance(a, a) + self.covariance(b, b) - 2.0 * self.covariance(a, b)
    }

    /// By place: the information about who of this player and the next one is the stronger, per share of
    /// the variance of their difference that is removed. Exact for small shares; 0 where it is clear.
    fn values_of_certainty(&self) -> Vec<f64> {
        let value = |place: usize| {
            let deviation = self.variance(place, place + 1).sqrt();
            let z = (self.strengths[place] - self.strengths[place + 1]) / deviation;
            let superiority = normal::cdf(z);
            if rounded(superiority) >= self.confidence {
                return 0.0;
            }
            // The information of a yes or no, to second order in the change of its probability.
            normal::density(z).powi(2) / (2.0 * superiority * (1.0 - superiority))
        };
        (0..self.players().saturating_sub(1)).map(value).collect()
    }

    /// The information of a game pair of two players about their difference.
    fn information(&self, a: usize, b: usize) -> f64 {
        let difference = self.strengths[a] - self.strengths[b];
        [self.advantage, -self.advantage]
            .map(|side| Expected::new(difference + side, self.nu).weights().points)
            .iter()
            .sum()
    }

    /// The most informative game pair, which counts as played from now on; `None` if the whole order is
    /// clear.
    fn choose(&mut self) -> Option<[usize; 2]> {
        let values = self.values_of_certainty();
        let mut best: Option<([usize; 2], f64)> = None;
        for a in 0..self.players() {
            for b in a + 1..self.players().min(a + 1 + MAX_DISTANCE) {
                let about = a.saturating_sub(MAX_DISTANCE)..(b + MAX_DISTANCE).min(values.len());
                let value = self.value(a, b, &values, about);
                if value > best.map_or(0.0, |(_, value)| value * (1.0 + TOLERANCE)) {
                    best = Some(([a, b], value));
                }
            }
        }
        let ([a, b], _) = best?;
        self.play(a, b);
        Some([a, b])
    }

    /// The information of a game pair about the neighbours at these places.
    fn value(&self, a: usize, b: usize, values: &[f64], about: Range<usize>) -> f64 {
        let reduction = self.variance_reduction(a, b);
        about
            .filter(|place| values[*place] > 0.0)
            .map(|place| {
                let covariance = self.covariance(place, a)
                    - self.covariance(place, b)
                    - self.covariance(place + 1, a)
                    + self.covariance(place + 1, b);
                values[place] * reduction * covariance * covariance
                    / self.variance(place, place + 1)
            })
            .sum()
    }

    /// How much a game pair of two players reduces the variance of any quantity, per squared covariance of
    /// that quantity with the difference of the two.
    fn variance_reduction(&self, a: usize, b: usize) -> f64 {
        let information = self.information(a, b);
        information / (1.0 + information * self.variance(a, b))
    }

    /// Lowers the covariance as a game pair of these two will.
    fn play(&mut self, a: usize, b: usize) {
        let players = self.players();
        let reduction = self.variance_reduction(a, b);
        let covariances: Vec<f64> = (0..players)
            .map(|place| self.covariance(place, a) - self.covariance(place, b))
            .collect();
        for (row, one) in self.covariance.chunks_exact_mut(players).zip(&covariances) {
            for (cell, other) in row.iter_mut().zip(&covariances) {
                *cell -= reduction * one * other;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Model, RatedGame, Score, Standings};
    use super::*;
    use crate::game::Blame;

    /// Ratings of three players. Each two of them met for this many pairs of games, an even number: the
    /// first two won half of them each, and the third one lost all.
    fn ratings(pairs: u64) -> Ratings {
        let mut standings = Standings::default();
        for name in ["a", "b", "c"] {
            standings.add_player(name);
        }
        for pair in 0..pairs {
            let [better, worse] = if pair % 2 == 0 {
                ["a", "b"]
            } else {
                ["b", "a"]
            };
            for [winner, loser] in [[better, worse], ["a", "c"], ["b", "c"]] {
                for (first, score) in [(winner, Score::Win), (loser, Score::Loss)] {
                    let second = if first == winner { loser } else { winner };
                    standings.add(&RatedGame {
                        names: [first, second],
                        result: score.as_result(),
                        blame: Blame::Nobody,
                        pair: None,
                        digest: None,
                    });
                }
            }
        }
        Ratings::new(&standings, Model::default())
    }

    #[test]
    fn players_whose_order_is_clear_get_no_games() {
        let ratings = ratings(20);
        assert_eq!(ratings.order(), [0, 1, 2]);
        assert_eq!(ratings.unclear(0.95), [[0, 1]]);
        for pair in ratings.most_informative_pairs(0.95, 10) {
            assert_eq!(pair, [0, 1]);
        }
    }

    #[test]
    fn before_the_first_game_all_players_get_some() {
        let ratings = ratings(0);
        let pairs = ratings.most_informative_pairs(0.95, 6);
        assert_eq!(pairs.len(), 6);
        for player in 0..3 {
            assert!(
                pairs.iter().flatten().any(|one| *one == player),
                "{pairs:?}"
            );
        }
    }

    #[test]
    fn no_more_pairs_are_chosen_than_are_expected_to_be_enough() {
        let mut standings = Standings::default();
        for number in 0..9 {
            for score in [Score::Win, Score::Win, Score::Loss] {
                standings.add(&RatedGame {
                    names: ["a", "b"],
                    result: score.as_result(),
                    blame: Blame::Nobody,
                    pair: None,
                    digest: None,
                });
            }
            let ratings = Ratings::new(&standings, Model::default());
            let chosen = ratings.most_informative_pairs(0.9, 1000).len();
            assert_eq!(chosen == 0, ratings.unclear(0.9).is_empty(), "{number}");
            assert!(chosen < 100, "{chosen}");
        }
    }

    #[test]
    fn the_predicted_variance_is_that_of_a_fit_after_more_of_the_same_games() {
        // Twice the games, the same strengths: half the variance, but for the prior.
        let (one, two) = (ratings(50), ratings(100));
        let mut selection = PairSelection::new(&one, 0.95);
        for _ in 0..50 {
            selection.play(0, 1);
        }
        let expected = PairSelection::new(&two, 0.95).variance(0, 1);
        let found = selection.variance(0, 1);
        assert!((found / expected - 1.0).abs() < 0.05, "{found} {expected}");
    }
}
