//! Who is stronger than whom, and how surely.

use std::ops::{Range, RangeInclusive};

use super::ratings::PlaceRatings;
use crate::rating::order::bands;

impl PlaceRatings {
    /// The probability that `a` is stronger than `b`, given the games and the spread of all strengths, as in games with
    /// two seats.
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        let apart = self.strengths_apart(a, b);
        if a == b || apart.error <= 0.0 {
            return 0.5;
        }
        self.prior
            .positive(apart.elo / apart.error, apart.error.powi(2))
    }

    /// All players, strongest first. Of equal players, the lower index comes first.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.problem.players).collect();
        // The last digits of equal strengths are rounding errors. Adding zero gives both zeros one sign.
        let strength = |player: &usize| (self.at[*player] * 1e7).round() + 0.0;
        order.sort_by(|a, b| strength(b).total_cmp(&strength(a)).then(a.cmp(b)));
        order
    }

    /// The bands of an order: ranges of places whose players are not told apart with this confidence.
    pub fn bands(&self, order: &[usize], confidence: f64) -> Vec<Range<usize>> {
        bands(order, confidence, |a, b| self.superiority(a, b))
    }

    /// The ranks that a player can have, from 1: after all players who are stronger with this confidence, and before all
    /// who are weaker.
    pub fn ranks(&self, player: usize, confidence: f64) -> RangeInclusive<usize> {
        let players = self.problem.players;
        let others = (0..players).filter(|other| *other != player);
        let (mut stronger, mut weaker) = (0, 0);
        for superiority in others.map(|other| self.superiority(player, other)) {
            stronger += usize::from(1.0 - superiority >= confidence);
            weaker += usize::from(superiority >= confidence);
        }
        stronger + 1..=players - weaker
    }
}

#[cfg(test)]
mod tests {
    use crate::rating::{Ending, Model, PlaceRatings, PlacedGame};

    /// Three players, all rotations in each block. Player 0 wins each game; the other two take turns.
    fn ratings(blocks: u64) -> PlaceRatings {
        let games = (0..blocks).flat_map(|block| {
            (0..3).map(move |first| {
                let of = |player: usize| match player {
                    0 => 2.0,
                    1 => 0.5,
                    _ => f64::from(u8::from((block + first as u64).is_multiple_of(2))),
                };
                let players = [0, 1, 2].map(|seat| (seat + first) % 3);
                PlacedGame::new(&players.map(|it| (it, Ending::Points(of(it)))), block)
            })
        });
        PlaceRatings::new(3, &games.collect::<Vec<_>>(), Model::default()).expect("games")
    }

    #[test]
    fn the_best_has_one_rank_and_equal_players_share_a_band() {
        let ratings = ratings(20);
        assert_eq!(ratings.order(), [0, 1, 2]);
        assert!(ratings.superiority(0, 1) > 0.95);
        assert!((ratings.superiority(1, 2) - 0.5).abs() < 0.01);
        let sum = ratings.superiority(0, 2) + ratings.superiority(2, 0);
        assert!((sum - 1.0).abs() < 1e-12);
        let order = ratings.order();
        assert_eq!(ratings.bands(&order, 0.95), vec![1..3]);
        assert_eq!(
            [0, 1, 2].map(|it| ratings.ranks(it, 0.95)),
            [1..=1, 2..=3, 2..=3]
        );
    }

    #[test]
    fn copies_of_a_player_at_one_table_are_one_player() {
        // Player 0 against two copies of player 1: it is first in two of three games.
        let games = (0..24_u64).flat_map(|block| {
            (0..3).map(move |own| {
                let best = (block + own as u64).is_multiple_of(3);
                let of = |seat: usize| match seat == own {
                    true => (0, Ending::Points(if best { 0.5 } else { 2.0 })),
                    false => (1, Ending::Points(if seat > own { 1.0 } else { 0.0 })),
                };
                PlacedGame::new(&[0, 1, 2].map(of), block)
            })
        });
        let games: Vec<PlacedGame> = games.collect();
        let ratings = PlaceRatings::new(2, &games, Model::default()).expect("games");
        assert!(ratings.difference(0, 1).elo > 50.0);
        assert!(ratings.superiority(0, 1) > 0.95);
        let shares = crate::rating::BlockMean::of_beaten(2, &games);
        let [first, copies] = [0, 1].map(|it| shares[it].expect("games"));
        assert_eq!((first.games, copies.games), (72, 144));
        assert!((first.mean + copies.mean - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_player_who_won_all_is_far_ahead_and_finite() {
        let rating = ratings(4).rating(0);
        assert!(rating.elo > 200.0 && rating.elo < 2000.0 && rating.error.is_finite());
        let sum: f64 = (0..3).map(|player| ratings(4).rating(player).elo).sum();
        assert!(sum.abs() < 1e-6, "{sum}");
    }
}
