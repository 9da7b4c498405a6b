//! A sequential test makes no more errors than asked for, for any kind of games.

use crate::support::matches::{WORLDS, estimates, rates};
use referee::rating::{EloModel, Sprt};

const TEST: Sprt = Sprt {
    elo0: 0.0,
    elo1: 40.0,
    alpha: 0.05,
    beta: 0.1,
    model: EloModel::Logistic,
};

const MATCHES: u64 = 10_000;

#[test]
#[ignore = "slow"]
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
        // As rare as asked for, within three standard errors.
        let most = |rate: f64| rate + 3.0 * (rate * (1.0 - rate) / MATCHES as f64).sqrt();
        assert!(rates.false_alarms <= most(TEST.alpha), "{}", world.name);
        assert!(rates.misses <= most(TEST.beta), "{}", world.name);
        // A test that makes no errors would play too many games.
        assert!(rates.false_alarms > TEST.alpha / 3.0, "{}", world.name);
        assert!(rates.misses > TEST.beta / 3.0, "{}", world.name);
    }
}

#[test]
fn estimates_are_right_although_the_test_decided_when_the_match_ended() {
    // A test of a difference far outside of both hypotheses is short, and the correction goes a little too far.
    for (elo, most) in [(0.0, 3.0), (20.0, 3.0), (60.0, 6.0)] {
        let [corrected, plain] = estimates(&WORLDS[1], TEST, elo, 1000);
        println!("{elo} Elo: {corrected:?}, not corrected: {plain:?}");
        assert!((corrected.median - elo).abs() < most, "{corrected:?}");
        assert!(corrected.held > 0.93, "{corrected:?}");
        // Without the correction, the ends of the scale are too far out.
        assert!(elo == 20.0 || (plain.median - elo).abs() > 5.0, "{plain:?}");
    }
}
