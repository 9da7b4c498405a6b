//! The result of a game for one player, and sums of them.

use crate::game::{GameResult, Seat};
use crate::rating::Interval;
use crate::rating::math::wilson_interval;

/// The result of one game for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Score {
    /// No point.
    Loss = 0,
    /// Half a point.
    Draw = 1,
    /// One point.
    Win = 2,
}

impl Score {
    /// All scores, worst first.
    pub const ALL: [Score; 3] = [Score::Loss, Score::Draw, Score::Win];

    /// The score of the first seat; `None` if both players forfeited.
    pub fn of_first(result: GameResult) -> Option<Self> {
        match result {
            GameResult::Won(Seat::FIRST) => Some(Score::Win),
            GameResult::Won(_) => Some(Score::Loss),
            GameResult::Drawn => Some(Score::Draw),
            // Games of more than two have places, and no score of the first seat.
            GameResult::Nobody | GameResult::Placed(_) => None,
        }
    }

    /// The result of a game where the first seat has this score.
    pub fn as_result(self) -> GameResult {
        match self {
            Score::Win => GameResult::Won(Seat::FIRST),
            Score::Draw => GameResult::Drawn,
            Score::Loss => GameResult::Won(Seat::SECOND),
        }
    }

    /// Its points: 0, ½ or 1.
    pub fn points(self) -> f64 {
        f64::from(self as u8) / 2.0
    }

    /// The opponent's score of the same game.
    pub fn reversed(self) -> Self {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }
}

/// Results of one player against another, or against all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost, including those that both players forfeited.
    pub losses: u64,
}

impl Tally {
    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for a win, half a point for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Adds this number of games.
    pub fn add(&mut self, score: Score, count: u64) {
        match score {
            Score::Win => self.wins += count,
            Score::Draw => self.draws += count,
            Score::Loss => self.losses += count,
        }
    }

    /// The sum of two tallies.
    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// The score from 0 to 1 with its 95 % interval, or `None` without games: Wilson's, with the points as successes.
    /// With draws it is wider than necessary.
    pub fn score_interval(&self) -> Option<Interval> {
        match self.games() {
            0 => None,
            games => Some(wilson_interval(self.points() / games as f64, games as f64)),
        }
    }

    /// The opponent's tally of the same games.
    pub fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

/// The difference in Elo at which the classical curve expects this score; infinite at 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_a_publication() {
        // R. Newcombe, Statistics in Medicine 17, 1998, table I, method 3.
        for (wins, games, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let tally = Tally {
                wins,
                draws: 0,
                losses: games - wins,
            };
            let [found_low, score, found_high] = tally.score_interval().expect("games");
            assert!((found_low - low).abs() < 6e-5, "{found_low} {low}");
            assert!((found_high - high).abs() < 6e-5, "{found_high} {high}");
            assert_eq!(score, wins as f64 / games as f64);
        }
        assert_eq!(Tally::default().score_interval(), None);
    }
}
