//! Times of a rules program, ply by ply, in memory of a fixed size.

use std::time::Duration;

/// Buckets for each factor of ten. A bucket holds times that differ by 15 % at most.
const PER_DECADE: usize = 16;

/// Number of buckets: up to 1,000 s, beyond any deadline that is useful.
const BUCKETS: usize = 9 * PER_DECADE + 1;

/// First bucket of times that are worth a warning, from 10 ms. A busy machine lets a process wait for some milliseconds.
const NOTABLE: usize = 4 * PER_DECADE;

/// Times of the rules program of one game.
#[derive(Debug, Clone)]
pub struct RulesTimes {
    /// Number of plies by time. Bucket `i` begins at `10^(i / 16)` microseconds.
    counts: [u64; BUCKETS],
    longest: Option<RulesPly>,
}

/// A ply, and the time that the rules took for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RulesPly {
    /// Number of the game.
    pub game: u64,
    /// Number of the ply, from 1.
    pub ply: u32,
    /// The time.
    pub took: Duration,
}

/// Plies for which the rules took more than ten times their median.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlowRules {
    /// Number of such plies.
    pub slow: u64,
    /// Number of all plies.
    pub plies: u64,
    /// The median, within 8 %.
    pub median: Duration,
    /// The longest.
    pub longest: RulesPly,
}

impl Default for RulesTimes {
    fn default() -> Self {
        Self {
            counts: [0; BUCKETS],
            longest: None,
        }
    }
}

impl RulesTimes {
    /// Adds the times of a game, ply by ply, in microseconds.
    pub fn add(&mut self, game: u64, rules_us: &[u64]) {
        for (us, ply) in rules_us.iter().zip(1..) {
            self.counts[bucket(*us)] += 1;
            let took = Duration::from_micros(*us);
            if self.longest.is_none_or(|longest| took > longest.took) {
                self.longest = Some(RulesPly { game, ply, took });
            }
        }
    }

    /// The plies that took more than ten times the median, and 10 ms at least; `None` if there are none.
    pub fn slow(&self) -> Option<SlowRules> {
        let plies: u64 = self.counts.iter().sum();
        let mut below = 0;
        let median = self.counts.iter().position(|count| {
            below += count;
            2 * below >= plies
        })?;
        // Every time in this bucket is more than ten times every time in the median's.
        let first = NOTABLE.max(median + PER_DECADE + 1);
        let slow: u64 = self.counts.iter().skip(first).sum();
        let middle = 10_f64.powf((median as f64 + 0.5) / PER_DECADE as f64);
        let longest = self.longest.filter(|_| slow > 0)?;
        Some(SlowRules {
            slow,
            plies,
            median: Duration::from_micros(middle.round() as u64),
            longest,
        })
    }
}

/// The bucket of a time in microseconds.
fn bucket(us: u64) -> usize {
    let place = (us.max(1) as f64).log10() * PER_DECADE as f64;
    (place as usize).min(BUCKETS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(games: &[&[u64]]) -> Option<(u64, u64, u32)> {
        let mut times = RulesTimes::default();
        for (game, rules_us) in games.iter().enumerate() {
            times.add(game as u64, rules_us);
        }
        let slow = times.slow()?;
        Some((slow.slow, slow.longest.game, slow.longest.ply))
    }

    #[test]
    fn plies_beyond_ten_times_the_median_are_counted_and_the_longest_is_named() {
        let usual = [40; 100];
        assert_eq!(slow(&[]), None);
        assert_eq!(slow(&[&usual, &[39, 41]]), None);
        assert_eq!(
            slow(&[&usual, &[40, 20_000, 40], &usual, &[12_000, 300_000, 9]]),
            Some((3, 3, 2))
        );
        // A few milliseconds may be the machine's.
        assert_eq!(slow(&[&usual, &[9_000]]), None);
        // Rules that are always slow have no outlier.
        assert_eq!(slow(&[&[50_000; 9], &[400_000]]), None);
        assert_eq!(slow(&[&[50_000; 9], &[600_000]]), Some((1, 1, 1)));
    }

    #[test]
    fn the_median_is_near_the_true_one() {
        for median in [1, 7, 43, 999, 123_456, 9_000_000] {
            let mut times = RulesTimes::default();
            times.add(0, &[median, median, median, u64::MAX]);
            let found = times.slow().expect("an outlier").median.as_micros() as f64;
            assert!(
                (found / median as f64 - 1.0).abs() < 0.08,
                "{median}: {found}"
            );
        }
    }
}
