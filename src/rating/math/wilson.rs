//! Wilson's interval of a share.

use crate::rating::{Interval, Z95};

/// The 95 % interval of a share of `games` independent successes and failures: Wilson's (Journal of the American
/// Statistical Association 22, 1927). It ends at 0 or 1 only where the share does.
pub fn wilson_interval(share: f64, games: f64) -> Interval {
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
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ] {
            let [found_low, share, found_high] = wilson_interval(wins / games, games);
            assert!((found_low - low).abs() < 6e-5, "{found_low} {low}");
            assert!((found_high - high).abs() < 6e-5, "{found_high} {high}");
            assert_eq!(share, wins / games);
        }
    }
}
