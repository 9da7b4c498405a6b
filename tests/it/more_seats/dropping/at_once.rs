//! Three and all of four that act at once leave.

use super::{TRON, bot, by_player, honest, is, left, mute, played};

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
fn all_that_are_left_fail_and_nobody_wins() {
    let players = [
        mute("mute"),
        bot("cheat", 2, "exit 3"),
        bot("crash", 2, "exit 3"),
        bot("flood", 2, "head -c 9999 /dev/zero | tr '\\0' x; echo"),
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
