//! Means by player and by seat with the errors of blocks.

use std::collections::BTreeMap;

use super::game::{PlacedGame, PlacedSeat};
use crate::rating::Interval;
use crate::rating::math::normal;

/// A mean over a player's games, and its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockMean {
    /// The games that count.
    pub games: u64,
    /// The blocks of these games.
    pub blocks: u64,
    /// The mean of a game.
    pub mean: f64,
    /// Its standard error by how unlike the blocks are; infinite with one block.
    pub error: f64,
}

impl BlockMean {
    /// The mean points by the rules of each player, over its games with points. `None` for a player without any.
    pub fn of_points(players: usize, games: &[PlacedGame]) -> Vec<Option<Self>> {
        Self::of(players, games, |_, (_, seat)| {
            Some((seat.player, seat.points?))
        })
    }

    /// The mean share of opponents beaten of each player: (beaten + tied / 2) / opponents, 1 for a winner and 0 for the
    /// last. Players who forfeited together beat and tie nobody among themselves.
    pub fn of_beaten(players: usize, games: &[PlacedGame]) -> Vec<Option<Self>> {
        Self::of(players, games, |game, (_, seat)| {
            Some((seat.player, beaten(game, seat)))
        })
    }

    /// The mean share of opponents beaten of each seat, over the games with this number of seats.
    pub fn of_seats(seats: usize, games: &[PlacedGame]) -> Vec<Option<Self>> {
        Self::of(seats, games, |game, (at, seat)| {
            (game.seats.len() == seats).then(|| (at, beaten(game, seat)))
        })
    }

    /// The mean of each of a number of players or seats. `value` has the one that a seat of a game counts for, and what it adds.
    ///
    /// The mean is the ratio of the sums over blocks. Its error is the one of a ratio (W. Cochran, *Sampling Techniques*, 1977,
    /// chapter 6): the residuals of the blocks' sums.
    fn of(
        count: usize,
        games: &[PlacedGame],
        value: impl Fn(&PlacedGame, (usize, &PlacedSeat)) -> Option<(usize, f64)>,
    ) -> Vec<Option<Self>> {
        let mut sums: BTreeMap<(usize, u64), [f64; 2]> = BTreeMap::new();
        for game in games {
            for seat in game.seats.iter().enumerate() {
                if let Some((of, value)) = value(game, seat) {
                    let [sum, count] = sums.entry((of, game.block)).or_default();
                    *sum += value;
                    *count += 1.0;
                }
            }
        }
        let of_one = |of: usize| {
            let blocks = || sums.range((of, 0)..=(of, u64::MAX)).map(|(_, it)| it);
            let number = blocks().count();
            let total = blocks().fold([0.0; 2], |[sum, count], it| [sum + it[0], count + it[1]]);
            if number == 0 {
                return None;
            }
            let mean = total[0] / total[1];
            let squares: f64 = blocks().map(|it| (it[0] - mean * it[1]).powi(2)).sum();
            let error = match number {
                1 => f64::INFINITY,
                number => {
                    let freedom = (number - 1) as f64;
                    (number as f64 / freedom * squares).sqrt() / total[1]
                }
            };
            Some(Self {
                games: total[1] as u64,
                blocks: number as u64,
                mean,
                error,
            })
        };
        (0..count).map(of_one).collect()
    }

    /// The 95 % interval with the mean in the middle, by Student's quantile.
    pub fn interval(&self) -> Interval {
        let freedom = self.blocks.saturating_sub(1) as f64;
        let margin = normal::student_quantile(freedom) * self.error;
        [self.mean - margin, self.mean, self.mean + margin]
    }
}

fn beaten(game: &PlacedGame, own: &PlacedSeat) -> f64 {
    let share = |other: &PlacedSeat| match own.place.cmp(&other.place) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal if own.forfeited && other.forfeited => 0.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    };
    // A player can have several seats, and is no opponent of itself.
    let others = || game.seats.iter().filter(|it| it.player != own.player);
    others().map(share).sum::<f64>() / others().count().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::Ending::{Forfeit, Points};

    #[test]
    fn the_error_of_a_mean_is_the_one_of_its_blocks() {
        let game = |points: [f64; 3], block| {
            let endings: Vec<_> = points.into_iter().map(Points).enumerate().collect();
            PlacedGame::new(&endings, block)
        };
        let games: Vec<PlacedGame> = [
            ([1.0, 0.0, -1.0], 1),
            ([3.0, 0.0, 9.0], 1),
            ([5.0, 0.0, 0.0], 2),
            ([5.0, 5.0, 0.0], 2),
        ]
        .map(|(points, block)| game(points, block))
        .into();
        let means = BlockMean::of_points(4, &games);
        assert_eq!(means[3], None);
        // Block means of 2 and 5, each of two games.
        let first = means[0].expect("games");
        assert_eq!((first.games, first.blocks, first.mean), (4, 2, 3.5));
        assert!((first.error - 1.5).abs() < 1e-12);
        let [low, _, high] = first.interval();
        assert!((high - low - 2.0 * 12.706 * 1.5).abs() < 0.01);
        let shares = BlockMean::of_beaten(3, &games);
        let shares: Vec<f64> = shares.iter().map(|it| it.expect("games").mean).collect();
        let expected = [
            (1.0 + 0.5 + 1.0 + 0.75) / 4.0,
            (0.5 + 0.25 + 0.75) / 4.0,
            1.25 / 4.0,
        ];
        for (found, expected) in shares.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{shares:?}");
        }
        let seats = BlockMean::of_seats(3, &games);
        let seats: Vec<f64> = seats.iter().map(|it| it.expect("games").mean).collect();
        // Everybody keeps one seat here.
        assert_eq!(seats, shares);
        assert!(BlockMean::of_seats(4, &games).iter().all(Option::is_none));
        let one = BlockMean::of_points(1, &games[..2])[0].expect("games");
        assert_eq!(one.error, f64::INFINITY);
    }

    #[test]
    fn a_forfeit_has_no_points_and_beats_nobody_who_forfeited_with_it() {
        let games = [PlacedGame::new(
            &[(0, Forfeit(3)), (1, Points(4.0)), (2, Forfeit(3))],
            7,
        )];
        assert_eq!(BlockMean::of_points(3, &games)[0], None);
        let shares = BlockMean::of_beaten(3, &games);
        let shares: Vec<f64> = shares.iter().map(|it| it.expect("games").mean).collect();
        assert_eq!(shares, [0.0, 1.0, 0.0]);
    }
}
