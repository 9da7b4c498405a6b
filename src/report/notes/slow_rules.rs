//! Plies for which a rules program took long, in words.

use std::time::Duration;

use crate::runs::{RulesPly, SlowRules};
use crate::text::{counted, visible};

/// Warning about the plies of a game for which its rules were slow.
pub fn slow_rules(game: &str, slow: &SlowRules) -> String {
    let RulesPly {
        game: id,
        ply,
        took,
    } = slow.longest;
    format!(
        "{}: for {} of {} since the last start of the run, the rules took more than ten times their median of {}. The \
         longest: {} for ply {ply} of game {id}. `rules_us` in its log, games/…/{id:06}.csv, has the time of each \
         ply; on a busy machine, waiting for a processor counts too",
        visible(game),
        slow.slow,
        counted(slow.plies, "ply", "plies"),
        in_words(slow.median),
        in_words(took),
    )
}

/// A time of two digits at least.
fn in_words(time: Duration) -> String {
    match time.as_micros() {
        micros @ 0..10_000 => format!("{micros} µs"),
        micros @ 10_000..10_000_000 => format!("{} ms", micros / 1_000),
        micros => format!("{} s", micros / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_is_named_with_its_log() {
        let slow = SlowRules {
            slow: 3,
            plies: 1280,
            median: Duration::from_micros(42),
            longest: RulesPly {
                game: 7,
                ply: 14,
                took: Duration::from_micros(1_234_567),
            },
        };
        assert_eq!(
            slow_rules("connect-four", &slow),
            "connect-four: for 3 of 1280 plies since the last start of the run, the rules took more than ten times their \
             median of 42 µs. The longest: 1234 ms for ply 14 of game 7. `rules_us` in its log, games/…/000007.csv, has the time of \
             each ply; on a busy machine, waiting for a processor counts too"
        );
    }
}
