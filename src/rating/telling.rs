//! Which game pairs tell most about the order of the players.
//!
//! What is not known about an order is, for every two neighbours in it, who of them is the stronger.
//! A game pair is worth the information that it is expected to give about all of that (D. Lindley,
//! "On a measure of the information provided by an experiment", Annals of Mathematical Statistics
//! 27, 1956).

use super::covariance::Ratings;
use super::fit::Expected;
use super::normal;

/// How many places two players may be apart for their meeting to be considered. Players further
/// apart than this say less about any neighbours than those neighbours' own games would.
const REACH: usize = 4;

/// Values this close count as equal, so that no last bit of a logarithm decides.
const GRAIN: f64 = 1e-9;

impl Ratings {
    /// All players, strongest first; of equal ones the first named.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.place.len()).collect();
        let strength = |player: &usize| rounded(self.at[self.place[*player]]);
        order.sort_by(|a, b| strength(b).total_cmp(&strength(a)).then(a.cmp(b)));
        order
    }

    /// The neighbours in [`Self::order`] of whom it is not known with this confidence who is the
    /// stronger, the stronger first.
    pub fn unclear(&self, confidence: f64) -> Vec<[usize; 2]> {
        let order = self.order();
        let neighbours = order.windows(2).map(|two| [two[0], two[1]]);
        neighbours
            .filter(|[a, b]| rounded(self.superiority(*a, *b)) < confidence)
            .collect()
    }

    /// Up to `count` game pairs, by their players: one after another those from which most is to be
    /// learned about neighbours who are [unclear](Self::unclear), given that the ones before are
    /// played. Fewer where they are expected to be enough.
    pub fn most_telling(&self, confidence: f64, count: usize) -> Vec<[usize; 2]> {
        let mut outlook = Outlook::new(self, confidence);
        let order = self.order();
        (0..count)
            .map_while(|_| outlook.choose())
            .map(|[a, b]| [order[a], order[b]])
            .collect()
    }
}

fn rounded(value: f64) -> f64 {
    (value / GRAIN).round() * GRAIN
}

/// What would be known about the order, had the game pairs that were chosen been played and left
/// the strengths where they are. Players are named by their place in the order.
struct Outlook {
    strengths: Vec<f64>,
    /// Of the strengths, row by row.
    covariance: Vec<f64>,
    advantage: f64,
    nu: f64,
    confidence: f64,
}

impl Outlook {
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

    /// By place: what it is worth to remove all variance of the difference of that player and the
    /// next, for as long as little of it is removed; 0 where it is clear enough who is the stronger.
    fn stakes(&self) -> Vec<f64> {
        let stake = |place: usize| {
            let deviation = self.variance(place, place + 1).sqrt();
            let z = (self.strengths[place] - self.strengths[place + 1]) / deviation;
            let sure = normal::cdf(z);
            if rounded(sure) >= self.confidence {
                return 0.0;
            }
            // Information about which of two is true, to second order in the change of `sure`.
            normal::density(z).powi(2) / (2.0 * sure * (1.0 - sure))
        };
        (0..self.players().saturating_sub(1)).map(stake).collect()
    }

    /// The information of a game pair of two players about their difference.
    fn information(&self, a: usize, b: usize) -> f64 {
        let difference = self.strengths[a] - self.strengths[b];
        [self.advantage, -self.advantage]
            .map(|side| Expected::new(difference + side, self.nu).weights().points)
            .iter()
            .sum()
    }

    /// The most telling game pair, which counts as played from here on; `None` where all is clear.
    fn choose(&mut self) -> Option<[usize; 2]> {
        let stakes = self.stakes();
        let mut best: Option<([usize; 2], f64)> = None;
        for a in 0..self.players() {
            for b in a + 1..self.players().min(a + 1 + REACH) {
                let about = a.saturating_sub(REACH)..(b + REACH).min(stakes.len());
                let value = self.value(a, b, &stakes, about);
                if value > best.map_or(0.0, |(_, value)| value * (1.0 + GRAIN)) {
                    best = Some(([a, b], value));
                }
            }
        }
        let ([a, b], _) = best?;
        self.play(a, b);
        Some([a, b])
    }

    /// What is to be learned from a game pair about some neighbours.
    fn value(&self, a: usize, b: usize, stakes: &[f64], about: std::ops::Range<usize>) -> f64 {
        let share = self.share(a, b);
        about
            .filter(|place| stakes[*place] > 0.0)
            .map(|place| {
                let apart = self.covariance(place, a)
                    - self.covariance(place, b)
                    - self.covariance(place + 1, a)
                    + self.covariance(place + 1, b);
                stakes[place] * share * apart * apart / self.variance(place, place + 1)
            })
            .sum()
    }

    /// By how much a game pair lowers the variance of anything, by its squared covariance with the
    /// difference of the two.
    fn share(&self, a: usize, b: usize) -> f64 {
        let information = self.information(a, b);
        information / (1.0 + information * self.variance(a, b))
    }

    fn play(&mut self, a: usize, b: usize) {
        let players = self.players();
        let share = self.share(a, b);
        let apart: Vec<f64> = (0..players)
            .map(|place| self.covariance(place, a) - self.covariance(place, b))
            .collect();
        for (row, one) in self.covariance.chunks_exact_mut(players).zip(&apart) {
            for (cell, other) in row.iter_mut().zip(&apart) {
                *cell -= share * one * other;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Model, RatedGame, Score, Standings};
    use super::*;
    use crate::game::Blame;

    /// Ratings of three players, of whom the first two met for so many pairs of games, an even number,
    /// and won half of them, and the third lost as many to each of them.
    fn ratings(pairs: u64) -> Ratings {
        let mut standings = Standings::default();
        for name in ["a", "b", "c"] {
            standings.player(name);
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
    fn what_is_clear_is_left_alone() {
        let ratings = ratings(20);
        assert_eq!(ratings.order(), [0, 1, 2]);
        assert_eq!(ratings.unclear(0.95), [[0, 1]]);
        for pair in ratings.most_telling(0.95, 10) {
            assert_eq!(pair, [0, 1]);
        }
    }

    #[test]
    fn without_any_games_everyone_gets_some() {
        let ratings = ratings(0);
        let pairs = ratings.most_telling(0.95, 6);
        assert_eq!(pairs.len(), 6);
        for player in 0..3 {
            assert!(
                pairs.iter().flatten().any(|one| *one == player),
                "{pairs:?}"
            );
        }
    }

    #[test]
    fn no_more_is_asked_for_than_is_expected_to_be_enough() {
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
            let asked = ratings.most_telling(0.9, 1000).len();
            assert_eq!(asked == 0, ratings.unclear(0.9).is_empty(), "{number}");
            assert!(asked < 100, "{asked}");
        }
    }

    #[test]
    fn the_outlook_is_what_a_fit_of_more_of_the_same_would_say() {
        // Twice the games, the same strengths: half the variance, but for the prior.
        let (one, two) = (ratings(50), ratings(100));
        let mut outlook = Outlook::new(&one, 0.95);
        for _ in 0..50 {
            outlook.play(0, 1);
        }
        let expected = Outlook::new(&two, 0.95).variance(0, 1);
        let found = outlook.variance(0, 1);
        assert!((found / expected - 1.0).abs() < 0.05, "{found} {expected}");
    }
}
