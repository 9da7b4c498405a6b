//! The score of a set of games with its interval.

use super::Z95;
use super::pentanomial::Interval;
use super::standings::Tally;

impl Tally {
    /// The score from 0 to 1 between the ends of its 95 % interval, or `None` without games: Wilson's interval
    /// (Journal of the American Statistical Association 22, 1927), with the points as successes. With draws it
    /// is wider than necessary.
    pub fn score_interval(&self) -> Option<Interval> {
        let games = match self.games() {
            0 => return None,
            games => games as f64,
        };
        let score = self.points() / games;
        let spread = Z95 * Z95 / games;
        let middle = (score + spread / 2.0) / (1.0 + spread);
        let variance = score * (1.0 - score) / games + spread / games / 4.0;
        let margin = Z95 * variance.sqrt() / (1.0 + spread);
        Some([middle - margin, score, middle + margin])
    }
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
