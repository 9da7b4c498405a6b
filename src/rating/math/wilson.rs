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
