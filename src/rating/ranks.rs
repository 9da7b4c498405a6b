//! Between which ranks a player is.

use super::covariance::Ratings;
use super::uncertainty::{Exact, Uncertainty};
use crate::random::Stream;

/// The greatest number of players whose ranks are computed. For more, it would cost more than the fit.
pub const MAX_RANKED_PLAYERS: usize = 300;

/// How many errors of all ratings are simulated.
const SIMULATIONS: usize = 2000;

/// The simulation's seed. The same games have the same intervals.
const SEED: u64 = 0x5261_6e6b;

/// A difference of strengths with a smaller standard error is exact, as that of two fixed anchors; what is computed of
/// it is rounding errors.
const EXACT: f64 = 1e-6;

/// The probability that an interval holds the true rank.
const CONFIDENCE: f64 = 0.95;

impl Ratings {
    /// The lowest and the highest rank, from 1 for the strongest, that each player may have: they hold the true rank of
    /// a player with a probability of 95 %. `None` where there are too many players.
    ///
    /// A player is above another one if their difference is further from 0 than the largest error among all of
    /// its differences in 95 of 100 simulations. So intervals keep their promise also for equal players (M. Mogstad, J. Romano, A. Shaikh, D. Wilhelm,
    /// "Inference for ranks", Review of Economic Studies 91, 2024).
    pub fn rank_intervals(&self) -> Option<Vec<[usize; 2]>> {
        let players = self.place.len();
        let exact = self.covariance_of_few()?;
        let deviations: Vec<f64> = (0..players * players)
            .map(|cell| self.rank_variance(cell / players, cell % players))
            .map(|variance| variance.max(0.0).sqrt().max(EXACT))
            .collect();
        let factor = match self.is_anchored() {
            true => exact.factor_of_all(),
            false => exact.factor(),
        };
        let mut random = Stream::new(SEED, 0);
        let mut largest = vec![Vec::with_capacity(SIMULATIONS); players];
        for _ in 0..SIMULATIONS {
            let mut errors = factor.times_random(&mut random);
            if let Some(of_draws) = errors.get(players + 1).copied() {
                for (at, error) in errors[..players].iter_mut().enumerate() {
                    *error -= self.anchored_slope(at) * of_draws;
                }
            }
            let mut most = vec![0.0_f64; players];
            for a in 0..players {
                for b in 0..a {
                    let deviation = deviations[a * players + b];
                    if deviation > EXACT {
                        let error = (errors[a] - errors[b]).abs() / deviation;
                        most[a] = most[a].max(error);
                        most[b] = most[b].max(error);
                    }
                }
            }
            for (largest, most) in largest.iter_mut().zip(most) {
                largest.push(most);
            }
        }
        let limits: Vec<f64> = largest.iter_mut().map(|it| quantile(it)).collect();
        let interval = |at: &usize| {
            let clear = |other: usize, sign: f64| {
                let difference = sign * (self.at[other] - self.at[*at]);
                let deviation = deviations[at * players + other];
                let sure = self
                    .order_variance(*at, other, deviation * deviation)
                    .sqrt();
                difference > limits[*at] * sure
            };
            let above = (0..players).filter(|other| clear(*other, 1.0)).count();
            let below = (0..players).filter(|other| clear(*other, -1.0)).count();
            [above + 1, players - below]
        };
        Some(self.place.iter().map(interval).collect())
    }

    /// The covariance, unless there are too many players for what costs as much as ranks.
    pub(super) fn covariance_of_few(&self) -> Option<&Exact> {
        match &self.covariance {
            Uncertainty::Exact(exact) if self.place.len() <= MAX_RANKED_PLAYERS => Some(exact),
            Uncertainty::Exact(_) | Uncertainty::Sampled(_) => None,
        }
    }

    /// The variance of the difference of two parameters for ranks: of strengths, or with anchors of Elo in units of
    /// strength. Two players whose Elo is given have a known order, whatever a unit is worth.
    fn rank_variance(&self, a: usize, b: usize) -> f64 {
        let variance = self.covariance.difference(a, b);
        let slope = self.anchored_slope(a) - self.anchored_slope(b);
        if slope == 0.0 {
            return variance;
        }
        let [[_, with_a], [_, with_b]] = [a, b].map(|at| self.covariance.shared(at));
        let [_, of_draws] = self.covariance.shared(self.place.len() + 1);
        variance - 2.0 * slope * (with_a - with_b) + slope * slope * of_draws
    }

    /// By how much the strength that an Elo stands for grows with `δ`; 0 without anchors.
    pub(super) fn anchored_slope(&self, at: usize) -> f64 {
        match self.is_anchored() {
            true => self.draw_rate() * self.at[at],
            false => 0.0,
        }
    }
}

/// The value that is not exceeded with the confidence of the intervals.
fn quantile(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (CONFIDENCE * values.len() as f64).ceil() as usize;
    values.get(at).copied().unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::super::{Model, RatedGame, Score, Standings};
    use super::*;
    use crate::game::Blame;

    /// Everybody plays so many pairs of games with everybody else, and the first one of two wins all but every
    /// `luck`-th.
    fn ratings(players: usize, pairs: usize, luck: usize) -> Ratings {
        let mut standings = Standings::default();
        let names: Vec<String> = (0..players).map(|player| format!("{player:03}")).collect();
        for name in &names {
            standings.add_player(name);
        }
        for better in 0..players {
            for worse in better + 1..players {
                for game in 0..2 * pairs {
                    let [a, b] = if game % 2 == 0 {
                        [better, worse]
                    } else {
                        [worse, better]
                    };
                    let wins = (game / 2 % luck == luck - 1) != (a == better);
                    standings.add(&RatedGame {
                        names: [&names[a], &names[b]],
                        result: if wins { Score::Win } else { Score::Loss }.as_result(),
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
    fn ranks_are_single_where_all_is_clear_and_the_whole_field_where_nothing_is() {
        let clear = ratings(4, 60, 4).rank_intervals().expect("few players");
        for (rank, interval) in clear.iter().enumerate() {
            assert_eq!(*interval, [rank + 1; 2]);
        }
        let equal = ratings(4, 10, 2).rank_intervals().expect("few players");
        assert_eq!(equal, [[1, 4]; 4]);
    }

    #[test]
    fn intervals_contain_the_rank_of_the_rating() {
        let ratings = ratings(9, 4, 4);
        let intervals = ratings.rank_intervals().expect("few players");
        for (rank, player) in ratings.order().into_iter().enumerate() {
            let [low, high] = intervals[player];
            assert!(low <= rank + 1 && rank < high);
        }
        assert!(intervals.iter().any(|[low, high]| low < high));
    }

    #[test]
    fn so_many_players_have_no_ranks() {
        assert_eq!(ratings(MAX_RANKED_PLAYERS + 1, 0, 2).rank_intervals(), None);
        assert_eq!(ratings(0, 0, 2).rank_intervals(), Some(Vec::new()));
    }
}
