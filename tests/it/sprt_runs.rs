//! What a run with a sequential test says at its end, however it ended.

use crate::support::config::{greedy, shell};
use crate::support::run::TestRun;

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
    let corrected =
        "Corrected for that: corrected Elo, in the match, in verdict.csv and at the end";
    let near = "elo0 = 0\nelo1 = 5\nmax-games = 60";
    let (run, two) = played(near, &[("a", 60), ("b", 40)]);
    let undecided =
        "! The test accepted neither hypothesis, but could have ended the games earlier.";
    assert!(two.contains(undecided), "{two}");
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
    let verdict = &run.table("verdict.csv")[0];
    for column in [
        "llr",
        "llr_low",
        "llr_high",
        "pairs_1",
        "elo_low",
        "elo",
        "elo_high",
        "normalized_elo",
    ] {
        let cell = format!(">{}</td>", verdict[column]);
        assert!(index.contains(&cell), "{column}: {cell}");
    }
    assert!(
        index.contains("the test of a: not decided; LLR "),
        "{index}"
    );
    assert!(index.contains("Corrected for that: corrected Elo, in the test above."));
    assert!(!index.contains("at the end of the run"));

    let normalized = format!("{near}\nmodel = \"normalized\"");
    let (run, words) = played(&normalized, &[("a", 60), ("b", 40)]);
    let elo: f64 = run.table("verdict.csv")[0]["normalized_elo"]
        .parse()
        .expect("a number");
    let said = format!("Corrected normalized Elo: {elo:+.0}, 95 % interval ");
    assert!(words.replace('\n', " ").contains(&said), "{words}");

    let (_, three) = played(near, &[("a", 60), ("b", 40), ("c", 20)]);
    let alone = "Corrected for that: corrected Elo, in verdict.csv and at the end";
    assert!(three.contains(alone), "{three}");

    let (_, equal) = played("elo0 = -100\nelo1 = 100", &[("a", 60), ("b", 60)]);
    assert!(equal.contains("All pairs were 1-1"), "{equal}");
    assert!(equal.contains("None is corrected for that"), "{equal}");
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
    assert!(!text.contains("of all games the LLR"), "{text}");
    let verdict = &run.table("verdict.csv")[0];
    assert_eq!(verdict["ended_by"], "forfeits");
    assert_eq!([&verdict["llr"], &verdict["llr_all"]], ["0.0000"; 2]);
    run.referee("verify out").ok();
}
