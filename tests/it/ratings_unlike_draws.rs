//! Players of whom some draw more than others. A small edition of `examples/unlike_draws.rs`.

use crate::support::unlike_draws::study;

#[test]
fn who_draws_less_than_others_has_wider_intervals() {
    let found = study([0.0, 0.8, 0.8], 6, 60, 200);
    for (class, three_deviations) in [(0, 3.2), (1, 1.8), (2, 3.2)] {
        let held = found[class].intervals.percent();
        assert!((held - 95.0).abs() < three_deviations, "{class}: {held} %");
    }
}

#[test]
fn where_all_draw_alike_chance_makes_no_interval_wider_or_narrower() {
    for found in study([0.4; 3], 6, 60, 200) {
        let held = found.intervals.percent();
        assert!((held - 95.0).abs() < 3.2, "{held} %");
    }
}
