//! A small edition of `examples/research/src/bin/coverage.rs`: do 95 % intervals contain the true value?

use crate::support::coverage::{WORLDS, study};
use crate::support::simulated::SIZES;

/// Differences between few players are correlated within a tournament, so the tolerance is based on
/// the number of tournaments: three standard deviations of a binomial, and half a percent for the method.
#[test]
#[ignore = "slow"]
fn intervals_contain_the_true_value_about_as_often_as_they_say() {
    for ((players, games), tournaments) in SIZES.into_iter().zip([400_u64, 200, 20]) {
        for world in &WORLDS {
            let coverage = study(world, players, games, tournaments);
            let all = [coverage.ratings, coverage.differences, coverage.advantage];
            for (kind, held) in ["ratings", "differences", "advantage"].iter().zip(all) {
                // In the study of 2 000 tournaments each is within 1.5 % of 95 %.
                let deviation = (0.95 * 0.05 / tournaments as f64).sqrt();
                let off = (held.percent() / 100.0 - 0.95).abs();
                assert!(
                    off < 3.0 * deviation + 0.005,
                    "{players} players, {}: {kind} {:.1} %",
                    world.name,
                    held.percent()
                );
            }
        }
    }
}
