//! What a run with a sequential test says at its end, however it ended.

use crate::support::{TestRun, greedy, shell};

#[test]
fn the_note_after_a_test_says_what_it_did() {
    let played = |limits: &str, players: &[(&str, u32)]| {
        let players = greedy(players).replace("\"greedy\"", "\"search\"");
        let run = TestRun::new(&format!(
            "seed = 1\n[game]\nname = \"cachex\"\nsize = 4\n[format]\nkind = \"sprt\"\n\
             challengers = [\"a\"]\nopening-plies = 2\n{limits}\n{players}"
        ));
        let text = run.play(&["-j", "2", "--verbose"]).replace("\n  ", " ");
        (run, text)
    };
    let corrected = "where the results are enough for it: `elo` in verdict.csv and";
    let near = "elo0 = 0\nelo1 = 5\nmax-games = 60";
    let (run, two) = played(near, &[("a", 60), ("b", 40)]);
    assert_has!(two, "! The run has a test, which could end the games");
    assert!(two.contains(corrected), "{two}");
    // `rate` has the match of the whole run as the run has it.
    assert!(!run.table("match.csv")[0]["corrected_elo"].is_empty());
    let printed = run.referee("rate out --table match --format csv");
    assert_eq!(printed.stdout, run.read("out/match.csv"));
    let other = run.referee("rate out --table match --format csv --sprt b,0,20");
    let of_match = &run.table("match.csv")[0];
    let turned = format!("{},", of_match["corrected_elo"].replace('-', ""));
    assert!(other.stdout.contains(&turned), "{other:?}");
    let part = run.referee("rate out --table match --format csv --once");
    assert!(part.stdout.ends_with(",,,\n"), "{part:?}");

    // The index has what verdict.csv has, and its note says so.
    let index = run.read("out/report/index.html");
    let index = index.replace(" · ", "</td><td>");
    let verdict = &run.table("verdict.csv")[0];
    for column in "llr llr_low llr_high pairs_1 elo_low elo elo_high normalized_elo".split(' ') {
        let cell = format!(">{}</td>", verdict[column]);
        assert!(index.contains(&cell), "{column}: {cell}");
    }
    assert_has!(index, "the test of a: not decided; LLR ");
    assert!(index.contains("enough for it: corrected Elo, in the test above."));

    let normalized = format!("{near}\nmodel = \"normalized\"");
    let (run, words) = played(&normalized, &[("a", 60), ("b", 40)]);
    let elo: f64 = run.table("verdict.csv")[0]["normalized_elo"]
        .parse()
        .expect("a number");
    let said = format!("Corrected normalized Elo: {elo:+.0}, 95 % interval ");
    assert!(words.replace('\n', " ").contains(&said), "{words}");

    let (_, equal) = played("elo0 = -100\nelo1 = 100", &[("a", 60), ("b", 60)]);
    assert!(equal.contains("All pairs were 1-1"), "{equal}");
}

#[test]
fn players_who_both_forfeit_all_games_leave_a_test_undecided() {
    let (ada, eve) = (shell("ada", "exit"), shell("eve", "exit"));
    let config = format!(
        "[game]\nname = \"cachex\"\nsize = 4\n[format]\nkind = \"sprt\"\nchallengers = [\"ada\"]\n\
         elo0 = 0\nelo1 = 50\n{ada}{eve}"
    );
    let run = TestRun::new(&config);
    let text = run.play(&["-j", "2"]).replace('\n', " ");
    let said = "not decided; LLR 0.00, bounds -2.86 and 2.86, after 0 game pairs: 0, 0, 0, 0, 0 with 0, ½, 1, 1½ \
                and 2 points. 50 more pairs do not count, because both players forfeited a game of each.";
    assert!(text.contains(said), "{text}");
    let verdict = &run.table("verdict.csv")[0];
    assert_eq!(verdict["ended_by"], "forfeits");
    assert_eq!([&verdict["llr"], &verdict["llr_all"]], ["0.0000"; 2]);
    run.referee("verify out").ok();
}
