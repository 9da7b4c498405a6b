//! How likely each rank of each player is.

use super::covariance::Ratings;
use super::posterior::Posterior;
use super::ranks::EXACT;
use crate::random::Stream;

/// How many times the strengths of all players are drawn. The standard error of a probability is at most half a
/// percentage point.
const SAMPLES: usize = 10_000;

/// The samples' seed. The same games have the same probabilities.
const SEED: u64 = 0x4f72_6465;

impl Ratings {
    /// How likely each rank is: a row per player of the standings, a column per rank from 1 for the strongest. Each row
    /// and each column adds up to 1. `None` where there are too many players.
    ///
    /// The strengths are drawn as [`Ratings::superiority`] takes them: normal in a field whose deviation is learned
    /// from all players. Each deviation has as many samples as it is likely.
    pub fn rank_probabilities(&self) -> Option<Vec<Vec<f64>>> {
        let players = self.place.len();
        let exact = self.covariance_of_few()?;
        let covariance = self.covariance_of_distances(exact, &self.sureness);
        let distances = self.distances();
        let mut random = Stream::new(SEED, 0);
        let mut counts = vec![vec![0.0; players]; players];
        for (variance, samples) in self.field.split(SAMPLES) {
            if samples == 0 {
                continue;
            }
            let posterior = Posterior::new(&covariance, &distances, variance)?;
            let factor = posterior.covariance.factor(players);
            for _ in 0..samples {
                let mut strengths = factor.times_random(&mut random);
                let means = strengths.iter_mut().zip(&posterior.means);
                means.for_each(|(strength, mean)| *strength += mean);
                count_ranks(&strengths, &mut counts);
            }
        }
        let share = |at: &usize| counts[*at].iter().map(|count| count / SAMPLES as f64);
        Some(self.place.iter().map(|at| share(at).collect()).collect())
    }
}

/// Counts who has which rank. Players whose strengths are known to be equal share their ranks.
fn count_ranks(strengths: &[f64], counts: &mut [Vec<f64>]) {
    let mut order: Vec<usize> = (0..strengths.len()).collect();
    order.sort_unstable_by(|a, b| strengths[*b].total_cmp(&strengths[*a]));
    let mut rank = 0;
    for equal in order.chunk_by(|a, b| strengths[*a] - strengths[*b] < EXACT) {
        for player in equal {
            for count in &mut counts[*player][rank..rank + equal.len()] {
                *count += 1.0 / equal.len() as f64;
            }
        }
        rank += equal.len();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Estimate, MAX_RANKED_PLAYERS, Model, RatedGame, Score, Standings};
    use super::*;
    use crate::game::Blame;
    use std::cmp::Ordering;

    /// The results of each two players in this order: wins and draws of the first one in forty games.
    fn standings(players: usize, results: &[[usize; 2]]) -> Standings {
        let mut standings = Standings::default();
        let names: Vec<String> = (0..players).map(|player| format!("{player:03}")).collect();
        for name in &names {
            standings.add_player(name);
        }
        let pairs = (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b]));
        for ([a, b], [wins, draws]) in pairs.zip(results) {
            for game in 0..40 {
                let score = match game {
                    _ if game < *wins => Score::Win,
                    _ if game < wins + draws => Score::Draw,
                    _ => Score::Loss,
                };
                let (names, score) = match game % 2 {
                    0 => ([&names[a], &names[b]], score),
                    _ => ([&names[b], &names[a]], score.reversed()),
                };
                standings.add(&RatedGame {
                    names: names.map(String::as_str),
                    result: score.as_result(),
                    blame: Blame::Nobody,
                    pair: None,
                    digest: None,
                });
            }
        }
        standings
    }

    fn ratings(players: usize, results: &[[usize; 2]]) -> Ratings {
        Ratings::new(&standings(players, results), Model::default())
    }

    /// Three standard errors of a probability.
    const TOLERANCE: f64 = 0.015;

    #[test]
    fn each_player_has_a_rank_and_each_rank_a_player() {
        let results = [[22, 6], [25, 3], [30, 1], [18, 9], [24, 2], [21, 8]];
        let likely = ratings(4, &results).rank_probabilities().expect("few");
        for at in 0..4 {
            let of_player: f64 = likely[at].iter().sum();
            let of_rank: f64 = likely.iter().map(|row| row[at]).sum();
            assert!((of_player - 1.0).abs() < 1e-9, "{at} {of_player}");
            assert!((of_rank - 1.0).abs() < 1e-9, "{at} {of_rank}");
        }
        assert!(likely[0][0] > likely[1][0] && likely[1][0] > likely[3][0]);
    }

    #[test]
    fn the_first_rank_of_two_players_is_as_likely_as_the_superiority() {
        for results in [[20, 0], [24, 0], [20, 12], [32, 0], [40, 0]] {
            let ratings = ratings(2, &[results]);
            let likely = ratings.rank_probabilities().expect("two");
            let superiority = ratings.superiority(0, 1);
            assert!(
                (likely[0][0] - superiority).abs() < TOLERANCE,
                "{} {superiority}",
                likely[0][0]
            );
        }
    }

    /// The probabilities of the six orders of three players, from the density of their two differences on a grid: that
    /// of the ratings times that of a field, for each deviation that the field may have.
    fn integrated(ratings: &Ratings) -> [[f64; 3]; 3] {
        let at = &ratings.at;
        let place = &ratings.place;
        let found = [at[place[0]] - at[place[1]], at[place[1]] - at[place[2]]];
        let variance = |a, b| ratings.variance_apart(a, b);
        let (u, v) = (variance(0, 1), variance(1, 2));
        let both = (variance(0, 2) - u - v) / 2.0;
        let determinant = u * v - both * both;
        let mut ranks = [[0.0; 3]; 3];
        for (spread, weight) in ratings.field.split(SAMPLES) {
            // Beyond six deviations of the games or of the field there is almost nothing. The points have odd numbers of
            // half steps, so that only the first and the last player are ever equal.
            let of_field = 6.0 * (2.0 * spread).sqrt();
            let ends = [0, 1].map(|at| {
                let of_games = 6.0 * [u, v][at].sqrt();
                let (low, high) = (found[at] - of_games, found[at] + of_games);
                [low.max(-of_field), high.min(of_field)]
            });
            let half = ends
                .map(|[low, high]| high - low)
                .into_iter()
                .fold(0.0, f64::max)
                / 120.0;
            let odd = ends.map(|ends| ends.map(|end| (end / half / 2.0).floor() as i32 * 2 + 1));
            let mut own = [[0.0; 3]; 3];
            let mut sum = 0.0;
            for x in (odd[0][0]..odd[0][1]).step_by(2) {
                for y in (odd[1][0]..odd[1][1]).step_by(2) {
                    let strengths = [x + y, y, 0];
                    let [x, y] = [x, y].map(|steps| half * f64::from(steps));
                    let [dx, dy] = [x - found[0], y - found[1]];
                    let of_games = (v * dx * dx - 2.0 * both * dx * dy + u * dy * dy) / determinant;
                    let of_field = 2.0 * (x * x + x * y + y * y) / (3.0 * spread);
                    let density = (-0.5 * (of_games + of_field)).exp();
                    sum += density;
                    for (player, own) in own.iter_mut().enumerate() {
                        let count = |of| {
                            strengths
                                .iter()
                                .map(|it| it.cmp(&strengths[player]))
                                .filter(|it| *it == of)
                                .count()
                        };
                        let (above, equal) = (count(Ordering::Greater), count(Ordering::Equal));
                        for share in &mut own[above..above + equal] {
                            *share += density / equal as f64;
                        }
                    }
                }
            }
            for (ranks, own) in ranks.iter_mut().flatten().zip(own.iter().flatten()) {
                *ranks += weight as f64 / SAMPLES as f64 * own / sum;
            }
        }
        ranks
    }

    #[test]
    fn the_ranks_of_three_players_are_those_of_the_integrated_density() {
        for results in [
            [[22, 4], [23, 6], [20, 3]],
            [[26, 0], [20, 9], [14, 0]],
            [[12, 16], [14, 14], [13, 15]],
        ] {
            let ratings = ratings(3, &results);
            let likely = ratings.rank_probabilities().expect("three");
            let expected = integrated(&ratings);
            for (found, expected) in likely.iter().flatten().zip(expected.iter().flatten()) {
                assert!(
                    (found - expected).abs() < TOLERANCE,
                    "{likely:?} {expected:?}"
                );
            }
        }
    }

    #[test]
    fn anchors_of_the_same_elo_share_their_ranks_and_others_have_the_order_of_theirs() {
        let standings = standings(4, &[[20, 9], [25, 3], [30, 1], [18, 9], [24, 2], [21, 8]]);
        let exactly = |player, elo| (player, Estimate { elo, error: 0.0 });
        let anchors = [exactly(3, 1000.0), exactly(1, 700.0), exactly(2, 700.0)];
        let ratings = Ratings::anchored(&standings, Model::default(), &anchors);
        let likely = ratings.rank_probabilities().expect("few");
        assert!(likely[3][0] + likely[3][1] > 0.999_999, "{likely:?}");
        for (one, other) in likely[1].iter().zip(&likely[2]) {
            assert!((one - other).abs() < 1e-9, "{likely:?}");
        }
    }

    #[test]
    fn too_many_players_have_none_and_no_players_no_rows() {
        let many = ratings(MAX_RANKED_PLAYERS + 1, &[]);
        assert_eq!(many.rank_probabilities(), None);
        assert_eq!(ratings(0, &[]).rank_probabilities(), Some(Vec::new()));
        assert_eq!(ratings(1, &[]).rank_probabilities(), Some(vec![vec![1.0]]));
    }
}
