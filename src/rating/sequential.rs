//! Ratings that are updated after each game. Only here does the order of the games matter.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

use super::score::Score;

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

/// The Glicko-2 rating of a player who has not played: 1500, deviation 350, volatility 0.06.
pub const START_GLICKO: (f64, f64) = (1500.0, 350.0);

/// Glicko-2, each game a rating period of its own, by the crate `skillratings`.
/// (M. Glickman, "Example of the Glicko-2 system", 2022; τ is 0.5.)
#[derive(Debug, Clone, Default)]
pub struct Glicko {
    ratings: Vec<Glicko2Rating>,
}

impl Glicko {
    /// The current rating and deviation of a player.
    pub fn rating(&self, player: usize) -> (f64, f64) {
        self.ratings
            .get(player)
            .map_or(START_GLICKO, |rating| (rating.rating, rating.deviation))
    }

    /// Adds a game of two players, with the score of the first.
    pub fn add_game(&mut self, players: [usize; 2], score: Score) {
        let [a, b] = players;
        if self.ratings.len() <= a.max(b) {
            self.ratings.resize(a.max(b) + 1, Glicko2Rating::new());
        }
        let outcome = match score {
            Score::Win => Outcomes::WIN,
            Score::Draw => Outcomes::DRAW,
            Score::Loss => Outcomes::LOSS,
        };
        let config = Glicko2Config::new();
        let (one, two) = glicko2(&self.ratings[a], &self.ratings[b], &outcome, &config);
        self.ratings[a] = one;
        self.ratings[b] = two;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillratings::elo::{EloConfig, EloRating, elo};

    #[test]
    fn elo_agrees_with_another_implementation() {
        let mut ours = Elo::new(24.0);
        let mut theirs = [EloRating { rating: 0.0 }; 4];
        let config = EloConfig { k: 24.0 };
        for game in 0..500_usize {
            let players = [game % 4, (game + 1 + game / 7 % 3) % 4];
            let score = Score::ALL[game * game % 11 % 3];
            let outcome = [Outcomes::LOSS, Outcomes::DRAW, Outcomes::WIN][score as usize];
            let [a, b] = players;
            (theirs[a], theirs[b]) = elo(&theirs[a], &theirs[b], &outcome, &config);
            ours.add_game(players, score);
        }
        for (player, theirs) in theirs.iter().enumerate() {
            assert!((ours.rating(player) - theirs.rating).abs() < 1e-6);
        }
        let sum: f64 = (0..4).map(|player| ours.rating(player)).sum();
        assert!(sum.abs() < 1e-6, "one player gains what the other loses");
    }

    #[test]
    fn glicko_raises_the_winner_and_lowers_the_deviation() {
        let mut glicko = Glicko::default();
        assert_eq!(glicko.rating(7), START_GLICKO);
        glicko.add_game([0, 1], Score::Win);
        let ((up, deviation), (down, _)) = (glicko.rating(0), glicko.rating(1));
        assert!(up > 1500.0 && down < 1500.0 && deviation < 350.0);
        assert!((up + down - 3000.0).abs() < 1e-6);
    }
}
