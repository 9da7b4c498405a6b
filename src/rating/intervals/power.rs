//! Power analysis: the games that are needed to tell two players apart.

use super::ratings::Ratings;
use crate::rating::Z95;
use crate::rating::fit::Expected;
use crate::rating::math::normal;

/// Probability of finding a true difference of that size.
pub const POWER: f64 = 0.8;

/// Games that two players need against each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GamesNeeded {
    /// Games in pairs, with the correlation of these results.
    pub in_pairs: f64,
    /// Independent games.
    pub single: f64,
}

/// Information of a game in each seat: the smaller one of the information between equals and at this distance. Before
/// the games nobody knows which applies. Decided games inform less far apart, drawn ones less between equals.
fn least_information(apart: f64, advantage: f64, nu: f64) -> [f64; 2] {
    [advantage, -advantage].map(|side| {
        let information = |odds: f64| Expected::new(odds, nu).weights().points;
        information(side).min(information(apart + side))
    })
}

impl GamesNeeded {
    /// Games with `goal` information in total, given the information of a game in each seat and the correlation within
    /// pairs.
    fn new(goal: f64, [one, two]: [f64; 2], correlation: f64) -> Self {
        let shared = 2.0 * correlation * (one * two).sqrt();
        // The share of a pair's information that the correlation of its games leaves.
        let left = (one + two) / (one + two + shared).max(f64::MIN_POSITIVE);
        let single = goal * 2.0 / (one + two);
        Self {
            in_pairs: single / left,
            single,
        }
    }
}

impl Ratings {
    /// The probability of a draw between equals, with the advantage of the first seat.
    /// [`draw_rate`](Self::draw_rate) leaves the advantage out.
    pub fn draws_of_equals(&self) -> f64 {
        Expected::new(self.parameters[self.parameter_of.len()], self.nu).draw
    }

    /// The games after which a true difference of `elo` is more than 1.96 standard errors from 0 in 80 of 100
    /// matches: `(1.96 + 0.84)²` times the variance of a game, over the squared difference (J. Cohen, *Statistical
    /// Power Analysis for the Behavioral Sciences*, 1988). With `players`, the further games of these two, at their
    /// difference in strength; without, the games of two players who differ by `elo`.
    pub fn games_needed(&self, elo: f64, players: Option<[usize; 2]>) -> GamesNeeded {
        let deviations = Z95 + normal::upper_quantile(1.0 - POWER);
        let goal = (deviations / (elo / self.scale())).powi(2);
        let (difference, known) = match players.map(|both| both.map(|it| self.parameter_of[it])) {
            None => (elo / self.scale(), 0.0),
            Some([a, b]) => (
                self.parameters[a] - self.parameters[b],
                1.0 / self.covariance.difference(a, b),
            ),
        };
        let advantage = self.parameters[self.parameter_of.len()];
        GamesNeeded::new(
            (goal - known).max(0.0),
            least_information(difference, advantage, self.nu),
            self.pair_correlation(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{Anchor, Model, Score, Standings};

    /// Ratings of two players after 400 games, with this number of wins for the first.
    fn ratings(wins: usize) -> Ratings {
        let mut standings = Standings::default();
        for game in 0..400 {
            let names = if game % 2 == 0 {
                ["a", "b"]
            } else {
                ["b", "a"]
            };
            let first_wins = (game / 2 % 4 < wins / 100) == (game % 2 == 0);
            standings.add_score(names, if first_wins { Score::Win } else { Score::Loss });
        }
        Ratings::new(&standings, Model::default())
    }

    #[test]
    fn players_without_draws_need_the_games_of_the_textbook() {
        // A difference of 20 Elo is a score of 0.5288, and a game has a variance of almost a quarter.
        let needed = ratings(200).games_needed(20.0, None);
        let textbook = (2.8016_f64 * 0.5 / (20.0 * 10_f64.ln() / 1600.0)).powi(2);
        assert!(
            (needed.single / textbook - 1.0).abs() < 0.01,
            "{needed:?} {textbook}"
        );
        assert_eq!(needed.in_pairs, needed.single);
        let half = ratings(200).games_needed(10.0, None);
        assert!((half.single / needed.single - 4.0).abs() < 0.02);
    }

    #[test]
    fn games_that_were_played_count_and_unequal_players_need_more() {
        let (even, uneven) = (ratings(200), ratings(300));
        let all = even.games_needed(20.0, None).single;
        let more = even.games_needed(20.0, Some([0, 1])).single;
        // Of players who are 20 Elo apart a game tells a little less than of these, who are equal.
        assert!((all - more - 400.0).abs() < 10.0, "{all} {more}");
        assert!(uneven.games_needed(20.0, Some([0, 1])).single > 1.2 * more);
        let margin = even.rating(0, Anchor::Player(1, 0.0)).margin();
        assert_eq!(even.games_needed(2.0 * margin, Some([0, 1])).single, 0.0);
    }
}
