//! Elo's sequential ratings. They depend on the order of the games.

use crate::rating::games::Score;

/// Elo's own method: after each game the winner takes from the loser
/// `K × (points - expected points)`. (A. Elo, *The Rating of Chessplayers*, 1978, section 1.6.)
#[derive(Debug, Clone, PartialEq)]
pub struct Elo {
    k: f64,
    ratings: Vec<f64>,
}

impl Elo {
    /// All players begin at zero.
    pub fn new(k: f64) -> Self {
        Self {
            k,
            ratings: Vec::new(),
        }
    }

    /// The current rating of a player.
    pub fn rating(&self, player: usize) -> f64 {
        self.ratings.get(player).copied().unwrap_or(0.0)
    }

    /// Adds a game of two players, with the score of the first.
    pub fn add_game(&mut self, players: [usize; 2], score: Score) {
        let [a, b] = players;
        if self.ratings.len() <= a.max(b) {
            self.ratings.resize(a.max(b) + 1, 0.0);
        }
        let expected = 1.0 / (1.0 + 10_f64.powf((self.ratings[b] - self.ratings[a]) / 400.0));
        let moved = self.k * (score.points() - expected);
        self.ratings[a] += moved;
        self.ratings[b] -= moved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_winner_takes_from_the_loser_by_the_expected_points() {
        let mut elo = Elo::new(24.0);
        elo.add_game([0, 1], Score::Win);
        assert_eq!(
            [0, 1, 7].map(|player| elo.rating(player)),
            [12.0, -12.0, 0.0]
        );
        // 1 / (1 + 10^(24/400)) points are expected of the weaker one.
        elo.add_game([1, 0], Score::Draw);
        assert!(
            (elo.rating(0) - 11.172_385).abs() < 1e-6,
            "{}",
            elo.rating(0)
        );
        assert_eq!(elo.rating(0), -elo.rating(1));
    }
}
