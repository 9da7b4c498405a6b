//! Properties over many cases.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// A number of cases from a fixed seed: every run tests the same ones.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(2026),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
