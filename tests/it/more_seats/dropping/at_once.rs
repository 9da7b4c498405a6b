//! One, two, three and all of four that act at once leave.

use super::{TRON, bot, by_player, honest, is, left, mute, played};
use crate::more_seats::FLOOD;

#[test]
#[ignore = "slow"]
fn one_of_four_at_once_leaves() {
    for (instead, fault, termination) in [
        ("exit 3", "exited", "crash"),
        ("sleep 60", "late", "stall"),
        ("echo up", "illegal", "illegal_action"),
        (FLOOD, "line_too_long", "protocol_error"),
    ] {
        let players = [
            honest("a"),
            honest("b"),
            honest("c"),
            bot("bad", 2, instead),
        ];
        let Some(run) = played(TRON, &players) else {
            return;
        };
        let rows = run.rows();
        assert_eq!(rows.len(), 4);
        for row in &rows {
            assert_eq!(
                (&*row["termination"], &*row["forfeited_by"]),
                ("rules", "bad")
            );
            assert_eq!(
                by_player(row, "fault"),
                is(&[("a", ""), ("b", ""), ("c", ""), ("bad", fault)])
            );
            assert_eq!(by_player(row, "termination")["bad"], termination);
            assert_eq!(by_player(row, "place")["bad"], "4");
            assert_eq!(by_player(row, "points")["bad"], "0.0");
            assert_eq!(left(&run, row), [["bad"]]);
            // The others have the places of the points that the rules gave.
            let score = by_player(row, "rules_points");
            let score = |name: &str| score[name].parse::<f64>().expect("points");
            for name in ["a", "b", "c"] {
                let better = ["a", "b", "c"]
                    .iter()
                    .filter(|other| score(other) > score(name));
                assert_eq!(
                    by_player(row, "place")[name],
                    (better.count() + 1).to_string()
                );
            }
        }
    }
}

#[test]
#[ignore = "slow"]
fn several_of_four_leave_in_their_order() {
    let players = [
        honest("a"),
        bot("cheat", 2, "echo up"),
        bot("hang", 3, "sleep 60"),
        mute("mute"),
    ];
    let Some(run) = played(TRON, &players) else {
        return;
    };
    for row in &run.rows() {
        assert_eq!(
            (&*row["termination"], &*row["reason"]),
            ("rules", "last_one")
        );
        let places = [("a", "1"), ("hang", "2"), ("cheat", "3"), ("mute", "4")];
        assert_eq!(by_player(row, "place"), is(&places));
        let faults = [
            ("a", ""),
            ("hang", "late"),
            ("cheat", "illegal"),
            ("mute", "exited"),
        ];
        assert_eq!(by_player(row, "fault"), is(&faults));
        let ends = [
            ("a", ""),
            ("hang", "stall"),
            ("cheat", "illegal_action"),
            ("mute", "handshake"),
        ];
        assert_eq!(by_player(row, "termination"), is(&ends));
        assert_eq!(left(&run, row), [["mute"], ["cheat"], ["hang"]]);
    }
}

#[test]
#[ignore = "slow"]
fn those_that_fail_together_share_a_place_and_one_that_is_refused_beside_them_is_above() {
    let players = [
        honest("a"),
        bot("cheat", 2, "echo up"),
        bot("crash", 2, "exit 3"),
        bot("flood", 2, FLOOD),
    ];
    let Some(run) = played(TRON, &players) else {
        return;
    };
    for row in &run.rows() {
        let places = [("a", "1"), ("cheat", "2"), ("crash", "4"), ("flood", "4")];
        assert_eq!(by_player(row, "place"), is(&places));
        let together = vec!["crash".to_owned(), "flood".to_owned()];
        assert_eq!(left(&run, row), [together, vec!["cheat".to_owned()]]);
    }
}

#[test]
#[ignore = "slow"]
fn all_that_are_left_fail_and_nobody_wins() {
    let players = [
        mute("mute"),
        bot("cheat", 2, "exit 3"),
        bot("crash", 2, "exit 3"),
        bot("flood", 2, FLOOD),
    ];
    let Some(run) = played(TRON, &players) else {
        return;
    };
    for row in &run.rows() {
        assert_eq!(row["winner"], "none");
        let places = [
            ("mute", "4"),
            ("cheat", "3"),
            ("crash", "3"),
            ("flood", "3"),
        ];
        assert_eq!(by_player(row, "place"), is(&places));
        assert!(
            ["crash", "protocol_error"].contains(&&*row["termination"]),
            "{row:?}"
        );
        // The rules are not asked about the last ones.
        assert_eq!(left(&run, row), [["mute"]]);
        assert_eq!(row["plies"], "2");
    }
}
