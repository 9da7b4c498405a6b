//! What games are worth in marks. `examples/research/src/classes.rs` simulates classes.

use proptest::prelude::*;
use referee::grade::{
    Change, MarkedBlock, MarkedGame, Scheme, SchemeTest, TestGames, curve, fraction,
};
use referee::random::Stream;

use crate::support::{course, one_test, test};

fn pair(points: [f64; 2]) -> MarkedBlock {
    let game = |points| MarkedGame {
        points,
        forfeited: points == 0.0,
    };
    MarkedBlock::new(points.map(game))
}

fn test_of(pairs: Vec<MarkedBlock>) -> TestGames {
    TestGames {
        opponents: vec![pairs],
    }
}

fn change_of(scheme: &Scheme, games: &[TestGames], other: f64) -> Change {
    scheme.change(games, other, 500, &mut Stream::new(7, 0))
}

#[test]
fn sure_marks_do_not_change_and_unsure_ones_do() {
    let won = [test_of(vec![pair([1.0, 1.0]); 200])];
    let even = [test_of(
        (0..20).map(|at| pair([f64::from(1 - at % 2); 2])).collect(),
    )];
    let [sure, unsure] = [&won, &even].map(|games| change_of(&one_test(), games, 0.0));
    assert!(sure.probability < 0.05, "{sure:?}");
    assert!(unsure.probability > 0.7, "{unsure:?}");
    assert!(unsure.low < 4.0 && unsure.high > 6.0, "{unsure:?}");
    // Below 0 and above the most, no luck matters.
    for other in [-20.0, 20.0] {
        let change = change_of(&one_test(), &even, other);
        assert_eq!(change.probability, 0.0, "{change:?}");
        assert_eq!(change.low, change.high);
    }
}

#[test]
fn a_reliable_student_and_one_who_forfeits() {
    let clean: Vec<TestGames> = (0..4)
        .map(|_| test_of(vec![pair([1.0, 1.0]); 20]))
        .collect();
    assert_eq!(course().total(&clean, 0.0), 22.0);
    assert_eq!(course().total(&clean, -2.0), 20.0);
    // 40 of 160 games are forfeited: no marks for reliability, and half the points of two tests.
    let mut torn = clean;
    for test in [0, 3] {
        torn[test] = test_of(vec![pair([0.0, 1.0]); 20]);
    }
    assert_eq!(course().total(&torn, 0.0), 2.5 + 5.0 + 4.0 + 2.0);
    assert_eq!(course().total(&[], 3.2), 3.0);
}

#[test]
fn without_games_nothing_is_known() {
    for games in [TestGames::default(), test_of(Vec::new())] {
        assert_eq!(fraction(&test(1.0), &games), [0.0, 0.0, 1.0]);
    }
    let change = change_of(&course(), &[TestGames::default()], 0.0);
    assert_eq!([change.probability, change.low, change.high], [0.0; 3]);
}

#[test]
fn no_repetition_has_points_that_nobody_can_have() {
    let mut scheme = one_test();
    scheme.tests[0].points = [0.5, 1.0];
    let lost = [test_of(vec![pair([0.5, 0.5]); 5])];
    let change = change_of(&scheme, &lost, 0.0);
    assert_eq!(change.low, 5.0, "{change:?}");
    assert!(change.high > 5.0 && change.probability < 0.9, "{change:?}");
}

fn pairs() -> impl Strategy<Value = Vec<MarkedBlock>> {
    let points = prop_oneof![Just(0.0), Just(0.4), Just(0.5), Just(1.0)];
    prop::collection::vec([points.clone(), points].prop_map(pair), 1..40)
}

fn tests() -> impl Strategy<Value = SchemeTest> {
    let curves = [None, Some(vec![[0.1, 0.0], [0.5, 0.7], [0.9, 1.0]])];
    prop::sample::select(curves.to_vec()).prop_map(|curve| SchemeTest { curve, ..test(1.0) })
}

proptest! {
    #![proptest_config(crate::support::properties::cases(200))]

    #[test]
    fn values_are_shares_within_their_interval(test in tests(), opponents in prop::collection::vec(pairs(), 0..4)) {
        let [low, value, high] = fraction(&test, &TestGames { opponents });
        prop_assert!([0.0, low, value, high, 1.0].is_sorted(), "{low} {value} {high}");
    }

    #[test]
    fn the_order_of_pairs_does_not_matter_to_shares(pairs in pairs()) {
        let reversed: Vec<MarkedBlock> = pairs.iter().rev().cloned().collect();
        let [one, other] = [pairs, reversed].map(|pairs| fraction(&test(1.0), &test_of(pairs)));
        for (one, other) in one.into_iter().zip(other) {
            prop_assert!((one - other).abs() < 1e-12);
        }
    }

    #[test]
    fn a_better_game_is_no_loss(test in tests(), pairs in pairs(), at in 0..40_usize) {
        let before = fraction(&test, &test_of(pairs.clone()));
        let mut better = pairs;
        let at = at % better.len();
        better[at] = pair([1.0, 1.0]);
        let after = fraction(&test, &test_of(better));
        prop_assert!(after[1] >= before[1] - 1e-12);
    }

    #[test]
    fn totals_are_steps(pairs in pairs(), other in -3.0..3.0_f64, rounding in prop_oneof![Just(0.1), Just(0.5), Just(1.0)]) {
        let scheme = Scheme { rounding, ..one_test() };
        let games = [test_of(pairs)];
        let total = scheme.total(&games, other);
        let exact = (10.0 * fraction(&test(1.0), &games[0])[1] + other).clamp(0.0, 10.0);
        prop_assert!((total - exact).abs() <= rounding / 2.0 + 1e-8, "{total} {exact}");
        prop_assert!((total / rounding - (total / rounding).round()).abs() < 1e-9);
    }

    #[test]
    fn curves_of_rising_points_rise(one in 0.0..=1.0, other in 0.0..=1.0) {
        let points = [[0.1, 0.0], [0.5, 0.7], [0.9, 1.0]];
        let (low, high) = if one < other { (one, other) } else { (other, one) };
        prop_assert!(curve(&points, low) <= curve(&points, high));
    }
}
