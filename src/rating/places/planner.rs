//! How many more blocks an order needs.

use super::ratings::PlaceRatings;
use crate::rating::Z95;
use crate::rating::intervals::POWER;
use crate::rating::math::normal;

impl PlaceRatings {
    /// The further blocks after which a true difference of `elo` between these two is more than 1.96 standard errors from
    /// 0 in 80 of 100 tournaments, if the blocks go on as those before: their variance then falls as their number grows.
    ///
    /// Infinite if `elo` is 0, or without blocks.
    pub fn blocks_needed(&self, players: [usize; 2], elo: f64) -> f64 {
        let deviations = Z95 + normal::upper_quantile(1.0 - POWER);
        let goal = (elo / self.scale() / deviations).powi(2);
        let [a, b] = players;
        let variance = self.variance_apart(a, b);
        let blocks = self.problem.blocks() as f64;
        match blocks > 0.0 && goal > 0.0 {
            true => (blocks * (variance / goal - 1.0)).max(0.0),
            false => f64::INFINITY,
        }
    }

    /// The further blocks until each two neighbours of the order are told apart by [`Self::blocks_needed`], at their
    /// difference now, or at `least` Elo if they are nearer. Neighbours who are told apart with this confidence need none.
    pub fn blocks_until_ordered(&self, confidence: f64, least: f64) -> f64 {
        let order = self.order();
        let open = order
            .windows(2)
            .filter(|two| self.superiority(two[0], two[1]) < confidence);
        open.map(|two| {
            let apart = self.difference(two[0], two[1]).elo;
            self.blocks_needed([two[0], two[1]], apart.max(least))
        })
        .fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use crate::rating::{Ending, Model, PlaceRatings, PlacedGame};

    /// Player 0 wins 7 of 10 first places, in blocks of three games.
    fn ratings(blocks: u64) -> PlaceRatings {
        let games = (0..blocks).flat_map(|block| {
            (0..3).map(move |first: usize| {
                let kind = (3 * block + first as u64) % 10;
                let of = |player: usize| match player {
                    0 => 2.0,
                    1 if kind < 7 => 1.0,
                    1 => 3.0,
                    _ => f64::from(kind as u32 % 5),
                };
                let players = [0, 1, 2].map(|seat| (seat + first) % 3);
                PlacedGame::new(&players.map(|it| (it, Ending::Points(of(it)))), block)
            })
        });
        PlaceRatings::new(3, &games.collect::<Vec<_>>(), Model::default()).expect("games")
    }

    #[test]
    fn after_the_planned_blocks_the_difference_is_as_many_errors_from_zero() {
        let now = ratings(30);
        let apart = 60.0;
        let needed = now.blocks_needed([0, 1], apart);
        assert!(needed > 20.0, "{needed}");
        let then = ratings(30 + needed.round() as u64);
        let errors = apart / then.difference(0, 1).error;
        assert!((errors - 2.8).abs() < 0.2, "{errors}");
        assert!(then.blocks_needed([0, 1], apart) < 0.15 * needed);
        let half = now.blocks_needed([0, 1], apart / 2.0);
        assert!((half - (3.0 * 30.0 + 4.0 * needed)).abs() < 1e-6);
    }

    #[test]
    fn all_orders_are_sure_when_the_least_clear_one_is() {
        let now = ratings(10);
        let order = now.order();
        let each = order.windows(2).map(|two| {
            let apart = now.difference(two[0], two[1]).elo.max(20.0);
            now.blocks_needed([two[0], two[1]], apart)
        });
        let most = each.fold(0.0, f64::max);
        assert_eq!(now.blocks_until_ordered(1.0, 20.0), most);
        assert_eq!(now.blocks_until_ordered(0.0, 20.0), 0.0);
        assert_eq!(now.blocks_needed([0, 1], 0.0), f64::INFINITY);
    }
}
