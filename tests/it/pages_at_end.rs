//! The pages that `referee run` makes at its end.

use crate::support::TestRun;
use crate::support::config::{RANDOM, greedy, small_cachex};

fn config(games: usize, more: &str) -> String {
    let bot = "[[player]]\nname = \"broken\"\nshell = \"exit 1\"\n";
    small_cachex(games, &[more, RANDOM, &greedy(&[("g", 5)]), bot])
}

/// Leaves only the first games of the journal, as a kill does.
fn cut(run: &TestRun, games: usize) {
    let journal = run.read("out/games.csv");
    let lines: String = journal.split_inclusive('\n').take(1 + games).collect();
    run.write("out/games.csv", &lines);
}

#[test]
fn a_run_ends_with_the_pages_that_report_makes() {
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
    cut(&run, 3);
    let ran = run.run(&["--resume", "--quiet"]);
    assert_eq!((ran.exit, ran.stdout.as_str()), (0, ""), "{ran:?}");
    let index = run.read("out/report/index.html");
    assert!(index.contains("6 of 6 games played."), "{index}");
}

#[test]
fn a_configuration_may_want_no_pages_and_change_its_mind() {
    let run = TestRun::new(&config(2, "[report]\npages = false\n"));
    let text = run.play(&[]);
    assert!(text.ends_with("results in out\n"), "{text}");
    assert!(!run.path("out/report").exists());
    let manifest = run.read("out/manifest.toml");
    cut(&run, 2);
    run.configure(&config(2, "[report]\npages = true\n"));
    let text = run.play(&["--resume"]);
    assert!(text.ends_with("pages in out/report/index.html\n"), "{text}");
    assert_eq!(run.read("out/manifest.toml"), manifest);
}

#[test]
fn pages_that_cannot_be_made_lose_nothing() {
    let run = TestRun::played(&config(2, ""));
    let ratings = run.read("out/ratings.csv");
    std::fs::remove_dir_all(run.path("out/report")).expect("removed");
    run.write("out/report", "in the way");
    std::fs::remove_file(run.path("out/ratings.csv")).expect("removed");
    let ran = run.run(&["--resume"]).done();
    assert!(ran.stdout.ends_with("results in out\n"), "{ran:?}");
    assert_has!(
        ran.stderr,
        "warning: the pages could not be made: out/report: "
    );
    assert_has!(ran.stderr, "`referee report out` makes them");
    assert_eq!(run.read("out/ratings.csv"), ratings);
    run.referee("verify out").ok();
}
