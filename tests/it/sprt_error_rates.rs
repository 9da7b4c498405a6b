//! A sequential test makes no more errors than asked for, for any kind of games.

use crate::support::matches::{WORLDS, rates};
use referee::rating::Sprt;

const TEST: Sprt = Sprt {
    elo0: 0.0,
    elo1: 40.0,
    alpha: 0.05,
    beta: 0.1,
};

const MATCHES: u64 = 10_000;

#[test]
fn errors_in_ten_thousand_matches_are_as_rare_as_asked_for() {
    for world in &WORLDS {
        let rates = rates(world, TEST, MATCHES);
        println!(
            "{}: {:.2} % accepted at {} Elo (asked for: {} %), {:.2} % rejected at {} Elo ({} %), \
             {:.0} game pairs",
            world.name,
            100.0 * rates.false_alarms,
            TEST.elo0,
            100.0 * TEST.alpha,
            100.0 * rates.misses,
            TEST.elo1,
            100.0 * TEST.beta,
            rates.pairs
        );
        assert!(rates.false_alarms <= TEST.alpha, "{}", world.name);
        assert!(rates.misses <= TEST.beta, "{}", world.name);
        // A test that makes no errors would play too many games.
        assert!(rates.false_alarms > TEST.alpha / 3.0, "{}", world.name);
        assert!(rates.misses > TEST.beta / 3.0, "{}", world.name);
    }
}
