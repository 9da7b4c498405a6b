//! What a run shows at its end: what everybody wants to know, on one screen.

use crate::support::TestRun;
use crate::support::config::{greedy, shell, small_cachex};

#[test]
fn the_end_of_a_run_is_one_screen_with_forfeits_first_and_the_rest_is_verbose() {
    let players = [greedy(&[("a", 1), ("b", 5)]), shell("gone", "exit 3")];
    let run = TestRun::new(&small_cachex(6, &[&players.concat()]));
    let short = run.play(&["-j", "2"]);
    let lines: Vec<&str> = short.lines().collect();
    assert!(lines.len() <= 24, "{short}");
    let words = "! gone forfeited 12 games by handshake, first game ";
    assert_starts!(lines[0], words);
    for said in [
        "\nended by: 12 handshake, 6 rules\n",
        " of them warnings: referee rate out\n",
    ] {
        assert!(short.contains(said), "no {said:?}: {short}");
    }
    let rest = [
        "won-drawn-lost",
        "Reference: ",
        "The first seat is worth",
        "half the width",
    ];
    for said in rest {
        assert!(!short.contains(said), "{said:?}: {short}");
    }
    // The run is complete, so nothing is played again.
    let verbose = run.play(&["--resume", "--verbose"]);
    let rated = run.referee("rate out").ok();
    for said in rest {
        assert!(verbose.contains(said), "no {said:?}: {verbose}");
        assert!(rated.contains(said), "no {said:?}: {rated}");
    }
    assert!(verbose.contains("! gone forfeited 12 games"), "{verbose}");
}

#[test]
fn where_every_game_was_forfeited_no_seat_is_worth_anything() {
    let players = [shell("gone", "exit 3"), shell("lost", "exit 4")];
    let run = TestRun::played(&small_cachex(4, &[&players.concat()]));
    let rated = run.referee("rate out").ok();
    assert!(!rated.contains("The first seat"), "{rated}");
    let json = run.referee("rate out --format json").ok();
    assert!(json.contains("\"first_seat_advantage\": null"), "{json}");
    let index = run.read("out/report/index.html");
    assert_has!(index, "Nothing is known about strength: ");
    assert!(!index.contains("Elo over the games"), "{index}");
}

#[test]
fn a_check_says_how_long_games_take_at_most_and_likely_where_some_were_played() {
    let clock = "[clock]\nper-game = \"30s\"\n";
    let players = greedy(&[("a", 1), ("b", 5)]);
    let run = TestRun::new(&small_cachex(60, &[clock, &players]));
    let most = "take at most 1h at -j 1, for 60 games, if every bot uses all of its clock\n";
    let check = || run.play(&["--check", "-j", "1"]);
    let before = check();
    assert!(before.contains("\nthey likely take about "), "{before}");
    assert!(before.contains(" in a sample took "), "{before}");
    assert!(before.ends_with(&format!("; they {most}")), "{before}");
    run.play(&["-j", "2"]);
    let after = check();
    assert!(after.contains("\nthey likely take about "), "{after}");
    assert!(after.contains(": 60 games in out took "), "{after}");
    assert!(after.ends_with(most), "{after}");
}
