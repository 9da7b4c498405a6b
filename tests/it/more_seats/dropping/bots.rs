//! Seats leave in turn and by resignation; answers are asked for again; and a bot that left is ended.

use super::{
    CHEXERS, TRON, bot, bot_of, by_player, honest, is, left, played, tournament, verified,
};

#[test]
#[ignore = "slow"]
fn in_turn_one_leaves_and_one_resigns() {
    for (players, places, order) in [
        (
            [
                honest("a"),
                bot("b", 3, "echo resign"),
                bot("bad", 2, "exit 3"),
            ],
            [("a", "1"), ("b", "2"), ("bad", "3")],
            ["bad", "b"],
        ),
        (
            [
                honest("a"),
                bot("b", 2, "echo resign"),
                bot("bad", 3, "echo move:0,0:0,1"),
            ],
            [("a", "1"), ("b", "3"), ("bad", "2")],
            ["b", "bad"],
        ),
    ] {
        let run = needed!(played(CHEXERS, &players));
        let rows = run.rows();
        assert_eq!(rows.len(), 3);
        for row in &rows {
            let expected = ("rules", "bad");
            assert_eq!((&*row["termination"], &*row["forfeited_by"]), expected);
            assert_eq!(by_player(row, "place"), is(&places), "{row:?}");
            assert_eq!(left(&run, row), order.map(|name| [name]));
        }
        run.referee("rate out/games.csv").done();
    }
}

#[test]
fn answers_that_the_rules_do_not_take_are_given_back_and_asked_for_again() {
    let players = [honest("one"), honest("two"), bot("bad", 2, "exit 3")];
    let run = needed!(tournament(["duet", ""], &players));
    let config = run.read("config.toml");
    run.configure(&config.replace("wall-cap", "per-game = \"60s\"\nwall-cap"));
    run.play(&["-j", "1"]);
    let rows = run.rows();
    assert_eq!(rows.len(), 3);
    for row in &rows {
        let log = run.plies(row["id"].parse().expect("a number"));
        let acted: Vec<(&str, bool)> = log
            .iter()
            .map(|ply| (&*ply["ply"], ply["action"].is_empty()))
            .collect();
        let expected = [
            ("1", false),
            ("1", false),
            ("1", false),
            ("2", true),
            ("3", false),
            ("4", false),
            ("4", false),
            ("5", false),
            ("5", false),
        ];
        assert_eq!(acted, expected, "{row:?}");
        assert_eq!(by_player(row, "place")["bad"], "3");
    }
    verified(&run);
}

/// A bot that computes on after its drop is ended before anybody else is asked.
#[test]
#[ignore = "slow"]
fn a_bot_that_left_is_ended_before_the_next_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let pid = folder.path().join("pid");
    let seen = folder.path().join("seen");
    let hostile = format!(
        "(while :; do :; done) & echo $! >> {0}; echo $$ >> {0}; trap '' TERM HUP INT; echo up; while :; do :; done",
        pid.display()
    );
    let watches = format!(
        "[ $n -lt 3 ] || for it in $(cat {}); do if kill -0 $it 2>/dev/null; then echo alive >> {1}; else echo gone >> {1}; fi; done; echo $first",
        pid.display(),
        seen.display()
    );
    let players = [
        bot_of("a", "echo bot 1 it", &watches),
        honest("b"),
        honest("c"),
        bot("bad", 2, &hostile),
    ];
    let run = needed!(played(TRON, &players));
    for row in &run.rows() {
        assert_eq!(row["forfeited_by"], "bad");
    }
    let seen = std::fs::read_to_string(&seen).expect("a looked");
    assert!(seen.contains("gone") && !seen.contains("alive"), "{seen}");
}
