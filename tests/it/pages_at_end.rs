//! The pages that `referee run` makes at its end.

use crate::support::TestRun;
use crate::support::config::{RANDOM, greedy, small_cachex};

fn config(games: usize, more: &str) -> String {
    let bot = "[[player]]\nname = \"broken\"\nshell = \"exit 1\"\n";
    small_cachex(games, &[more, RANDOM, &greedy(&[("g", 5)]), bot])
}

#[test]
fn a_run_ends_with_the_pages_that_report_makes_and_without_loses_nothing() {
    let run = TestRun::new(&config(2, ""));
    let text = run.play(&[]);
    let end = "results in out\npages in out/report/index.html\n";
    assert!(text.ends_with(end), "{text}");
    let made = run.pages("out/report");
    assert!(made.contains_key("player-2.html") && made.contains_key("games/0.js"));
    run.referee("report out").ok();
    assert_eq!(run.pages("out/report"), made);
    // They are no part of the records.
    assert!(!run.read("out/run.sha256").contains("report"));
    run.write("out/report/index.html", "changed");
    run.referee("verify out").ok();

    // A run goes on beside older pages, and makes them anew.
    run.keep_games(3);
    let ran = run.run(&["--resume", "--quiet"]);
    assert_eq!((ran.exit, ran.stdout.as_str()), (0, ""), "{ran:?}");
    let index = run.read("out/report/index.html");
    assert!(index.contains("6 of 6 games played."), "{index}");
    pages_that_cannot_be_made_lose_nothing(&run);
}

#[test]
fn a_configuration_may_want_no_pages_and_change_its_mind() {
    let run = TestRun::new(&config(2, "[report]\npages = false\n"));
    let text = run.play(&[]);
    assert!(text.ends_with("results in out\n"), "{text}");
    assert!(!run.path("out/report").exists());
    let manifest = run.read("out/manifest.toml");
    run.keep_games(2);
    run.configure(&config(2, "[report]\npages = true\n"));
    let text = run.play(&["--resume"]);
    assert!(text.ends_with("pages in out/report/index.html\n"), "{text}");
    assert_eq!(run.read("out/manifest.toml"), manifest);
}

fn pages_that_cannot_be_made_lose_nothing(run: &TestRun) {
    let ratings = run.read("out/ratings.csv");
    std::fs::remove_dir_all(run.path("out/report")).expect("removed");
    run.write("out/report", "in the way");
    std::fs::remove_file(run.path("out/ratings.csv")).expect("removed");
    let ran = run.run(&["--resume"]).done();
    assert!(ran.stdout.ends_with("results in out\n"), "{ran:?}");
    let words = "warning: the pages could not be made: out/report: ";
    assert_has!(ran.stderr, words);
    assert_has!(ran.stderr, "`referee report out` makes them");
    assert_eq!(run.read("out/ratings.csv"), ratings);
    run.referee("verify out").ok();
}
