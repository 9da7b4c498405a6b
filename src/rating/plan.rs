//! How many games it takes to tell two players apart.

use super::covariance::{Ratings, elo_scale};
use super::fit::Expected;
use super::{Z95, normal};

/// How often a true difference of that size is found, and how often equal players are not told apart.
const POWER: f64 = 0.8;
const CONFIDENCE: f64 = 0.95;

/// How many games two players need against each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GamesNeeded {
    /// In game pairs, with the correlation of these results.
    pub in_pairs: f64,
    /// Each on its own.
    pub single: f64,
}

/// What is expected of a round robin before anything is played: its players are about equally strong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assumed {
    /// How many players there are: at least two.
    pub players: u32,
    /// The share of drawn games between equals if both seats were worth the same, below 1.
    pub draws: f64,
    /// What the first seat is worth, in Elo.
    pub advantage: f64,
    /// The correlation of a player's results in the two games of a pair, above -1.
    pub correlation: f64,
    /// How often two equal players are told apart, in one direction or the other.
    pub error: f64,
    /// How often a true difference is found.
    pub power: f64,
}

impl Default for Assumed {
    fn default() -> Self {
        Self {
            players: 2,
            draws: 0.0,
            advantage: 0.0,
            correlation: 0.0,
            error: 1.0 - CONFIDENCE,
            power: POWER,
        }
    }
}

impl Assumed {
    /// The games of each pairing after which a true difference of `elo` between two players is found as often as
    /// [`power`](Self::power) says. In a round robin of `n` players with `g` games per pairing, which inform by `w` between
    /// the two and by `w'` between one of them and a player halfway, the variance of the difference is
    /// `1 / (g (w + (n - 2) w' / 2))`.
    pub fn games_needed(&self, elo: f64) -> GamesNeeded {
        let nu = 2.0 * self.draws / (1.0 - self.draws);
        let scale = elo_scale(nu);
        let deviations =
            normal::upper_quantile(self.error / 2.0) + normal::upper_quantile(1.0 - self.power);
        let goal = (deviations / (elo / scale)).powi(2);
        let (difference, advantage) = (elo / scale, self.advantage / scale);
        let information = |apart: f64| least_information(apart, advantage, nu);
        // Each of the others is as good as half a game of the two, and lies halfway between them.
        let others = f64::from(self.players.max(2) - 2) / 2.0;
        let (direct, by_others) = (information(difference), information(difference / 2.0));
        let all = [0, 1].map(|seat| direct[seat] + others * by_others[seat]);
        GamesNeeded::new(goal, all, self.correlation)
    }
}

/// What a game in each seat informs by, between equals or at this distance, whichever is less: before the games nobody
/// knows which of both it is. Among decided games it is less far apart, among drawn ones between equals.
fn least_information(apart: f64, advantage: f64, nu: f64) -> [f64; 2] {
    [advantage, -advantage].map(|side| {
        let information = |odds: f64| Expected::new(odds, nu).weights().points;
        information(side).min(information(apart + side))
    })
}

impl GamesNeeded {
    /// The games that inform by so much, where those of a player in each seat inform by `information` and the results of
    /// a pair have this correlation.
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
    /// The probability of a draw between equals, of whom one has the first seat. [`draw_rate`](Self::draw_rate) is
    /// that of seats that are worth the same.
    pub fn draws_of_equals(&self) -> f64 {
        Expected::new(self.at[self.place.len()], self.nu).draw
    }

    /// The games after which a true difference of `elo` is more than 1.96 standard errors from 0 in 80 of 100
    /// matches: `(1.96 + 0.84)²` times the variance of a game, over the squared difference (J. Cohen, *Statistical
    /// Power Analysis for the Behavioral Sciences*, 1988). With `players`, it is as many games more as these two
    /// need, who play at their difference in strength; without, as many as two players need who differ by so much.
    pub fn games_needed(&self, elo: f64, players: Option<[usize; 2]>) -> GamesNeeded {
        let deviations = Z95 + normal::upper_quantile(1.0 - POWER);
        let goal = (deviations / (elo / self.scale())).powi(2);
        let (difference, known) = match players.map(|both| both.map(|it| self.place[it])) {
            None => (elo / self.scale(), 0.0),
            Some([a, b]) => (
                self.at[a] - self.at[b],
                1.0 / self.covariance.difference(a, b),
            ),
        };
        let advantage = self.at[self.place.len()];
        GamesNeeded::new(
            (goal - known).max(0.0),
            least_information(difference, advantage, self.nu),
            self.pair_correlation(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Anchor, Model, RatedGame, Score, Standings};
    use super::*;
    use crate::game::Blame;

    /// Ratings of two players of whom the first won so many of 400 games.
    fn ratings(wins: usize) -> Ratings {
        let mut standings = Standings::default();
        for game in 0..400 {
            let names = if game % 2 == 0 {
                ["a", "b"]
            } else {
                ["b", "a"]
            };
            let first_wins = (game / 2 % 4 < wins / 100) == (game % 2 == 0);
            standings.add(&RatedGame {
                names,
                result: if first_wins { Score::Win } else { Score::Loss }.as_result(),
                blame: Blame::Nobody,
                pair: None,
                digest: None,
            });
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

    #[test]
    fn a_plan_without_results_is_that_of_results_like_it() {
        let ratings = ratings(200);
        let assumed = Assumed::default();
        let (planned, found) = (assumed.games_needed(20.0), ratings.games_needed(20.0, None));
        assert!((planned.single / found.single - 1.0).abs() < 1e-9);
        // In a round robin of four, games with the others count half as much as those of the two.
        let four = Assumed {
            players: 4,
            ..assumed
        };
        let ratio = planned.single / four.games_needed(20.0).single;
        assert!((ratio - 2.0).abs() < 0.01, "{ratio}");
    }

    #[test]
    fn draws_opposed_pairs_and_lower_demands_need_fewer_games_and_an_advantage_more() {
        let plain = Assumed {
            draws: 0.3,
            ..Assumed::default()
        };
        let games = |assumed: Assumed| assumed.games_needed(20.0).in_pairs;
        let all = games(plain);
        assert!(all < games(Assumed::default()));
        assert!(
            games(Assumed {
                correlation: -0.3,
                ..plain
            }) < all
        );
        assert!(
            games(Assumed {
                error: 0.1,
                ..plain
            }) < all
        );
        assert!(
            games(Assumed {
                power: 0.7,
                ..plain
            }) < all
        );
        assert!(
            games(Assumed {
                advantage: 200.0,
                ..plain
            }) > all
        );
        // 1.64 and 1.28 standard errors instead of 1.96 and 0.84.
        let others = games(Assumed {
            error: 0.1,
            power: 0.9,
            ..plain
        });
        assert!((others / all - (2.9264_f64 / 2.8016).powi(2)).abs() < 1e-3);
    }
}
