//! The score of a set of games with its interval.

use super::Z95;
use super::pentanomial::Interval;
use super::score::Tally;

impl Tally {
    /// The score from 0 to 1 between the ends of its 95 % interval, or `None` without games: Wilson's, with
    /// the points as successes. With draws it is wider than necessary.
    pub fn score_interval(&self) -> Option<Interval> {
        match self.games() {
            0 => None,
            games => Some(interval(self.points() / games as f64, games as f64)),
        }
    }
}

/// The 95 % interval of a share of `games` independent successes and failures: Wilson's (Journal of the American
/// Statistical Association 22, 1927). It ends at 0 or 1 only where the share does.
pub(super) fn interval(share: f64, games: f64) -> Interval {
    let spread = Z95 * Z95 / games;
    let middle = (share + spread / 2.0) / (1.0 + spread);
    let variance = share * (1.0 - share) / games + spread / games / 4.0;
    let margin = Z95 * variance.sqrt() / (1.0 + spread);
    let low = if share > 0.0 { middle - margin } else { 0.0 };
    let high = if share < 1.0 { middle + margin } else { 1.0 };
    [low, share, high]
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
