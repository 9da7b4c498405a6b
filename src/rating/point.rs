//! Ratings without their uncertainty, which are much faster for many players.

use super::covariance::{Anchor, elo_scale};
use super::fit::{Model, Problem};
use super::standings::Standings;

/// The Elo of all players of `standings`, in their order: what [`Ratings::rating`](super::Ratings::rating) has of a fit
/// without anchors, without the interval.
pub fn elo_without_intervals(standings: &Standings, model: Model, anchor: Anchor) -> Vec<f64> {
    let problem = Problem::new(standings, model);
    let (at, _) = problem.solve();
    let scale = elo_scale(problem.nu(&at));
    let strength = |player: usize| at[problem.place[player]];
    let mean = at[..problem.players].iter().sum::<f64>() / problem.players.max(1) as f64;
    let (zero, elo) = match anchor {
        Anchor::Player(player, elo) => (strength(player), elo),
        Anchor::Mean(elo) => (mean, elo),
        Anchor::Fitted => (mean, 0.0),
    };
    let players = 0..problem.players;
    players
        .map(|player| scale * (strength(player) - zero) + elo)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Ratings, Score};
    use super::*;

    #[test]
    fn the_ratings_are_those_with_intervals() {
        let mut standings = Standings::default();
        for game in 0..200_usize {
            let names = ["d", "b", "a", "c"];
            let (first, second) = (game % 4, (game + 1 + game / 4 % 3) % 4);
            standings.add_score(
                [names[first], names[second]],
                Score::ALL[game * game % 7 % 3],
            );
        }
        for anchor in [
            Anchor::Mean(0.0),
            Anchor::Mean(1500.0),
            Anchor::Player(2, 7.0),
            Anchor::Fitted,
        ] {
            for model in [Model::default(), Model { first_mover: false }] {
                let ratings = Ratings::new(&standings, model);
                let found = elo_without_intervals(&standings, model, anchor);
                assert_eq!(found.len(), 4);
                for (player, elo) in found.into_iter().enumerate() {
                    let expected = ratings.rating(player, anchor).elo;
                    assert!((elo - expected).abs() < 1e-9, "{elo} {expected}");
                }
            }
        }
    }
}
