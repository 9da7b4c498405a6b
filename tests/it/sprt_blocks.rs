//! A sequential test in blocks makes no more errors than asked for, at any number of seats.

use crate::support::block_worlds::{WORLDS, rates};
use referee::rating::{EloModel, Sprt};

const TEST: Sprt = Sprt {
    elo0: 0.0,
    elo1: 40.0,
    alpha: 0.05,
    beta: 0.05,
    model: EloModel::Logistic,
};

const TESTS: u64 = 1_000;

#[test]
#[ignore = "slow"]
fn errors_in_a_thousand_tests_are_as_rare_as_asked_for() {
    // As rare as asked for, within three standard errors.
    let most = 0.05 + 3.0 * (0.05_f64 * 0.95 / TESTS as f64).sqrt();
    for seats in [3, 4, 8] {
        for world in &WORLDS {
            let rates = rates(world, seats, TEST, TESTS);
            println!("{seats} seats, {}: {rates:?}", world.name);
            for errors in [rates.false_alarms, rates.misses] {
                assert!(errors <= most, "{seats} seats, {}: {rates:?}", world.name);
                // A test that makes no errors would play too many games. Tests of about thirty blocks do.
                let is_long = rates.blocks > 60.0;
                assert!(
                    !is_long || errors > 0.02,
                    "{seats} seats, {}: {rates:?}",
                    world.name
                );
            }
        }
    }
}
