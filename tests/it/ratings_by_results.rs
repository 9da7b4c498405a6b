//! A small edition of `examples/research/src/bin/pairing_by_results.rs`: do corrected ratings hold where results decide who meets whom?

use crate::support::by_results::{Hold, Strengths, tournaments};

/// Players of a tournament are not independent; the standard error of a share is about 1.5 points.
#[test]
#[ignore = "slow"]
fn where_results_decide_who_meets_corrected_ratings_hold_and_plain_ones_often_do_not() {
    let by_results = tournaments().into_iter().filter(|it| it.players < 20);
    for tournament in by_results.filter(|it| !it.name.starts_with("round robin")) {
        for strengths in [Strengths::Normal(0.0), Strengths::Groups(80.0)] {
            let mut hold = Hold::default();
            for seed in 0..40 {
                tournament.play(strengths, seed, &mut hold);
            }
            let found = format!("{}, {strengths:?}: {hold:?}", tournament.name);
            assert!(hold.corrected.percent() > 91.0, "{found}");
            assert!(hold.corrected.held > hold.ratings.held, "{found}");
        }
    }
}
