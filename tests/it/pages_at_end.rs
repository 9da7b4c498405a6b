//! The pages that `referee run` makes at its end.

use crate::support::config::{RANDOM, greedy, small_cachex};
use crate::support::run::TestRun;

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
    let ran = run.run(&["--resume"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert!(ran.stdout.ends_with("results in out\n"), "{ran:?}");
    assert!(
        ran.stderr
            .contains("warning: the pages could not be made: out/report: ")
            && ran.stderr.contains("`referee report out` makes them"),
        "{ran:?}"
    );
    assert_eq!(run.read("out/ratings.csv"), ratings);
    run.referee("verify out").ok();
}

#[test]
fn many_games_have_pages_only_when_somebody_asks() {
    let broken = |name: &str| format!("[[player]]\nname = \"{name}\"\nshell = \"exit 1\"\n");
    let [one, other] = ["a", "b"].map(broken);
    let config = |more: &str| {
        let more = format!("[record]\nlogs = \"none\"\n{more}");
        small_cachex(10_002, &[&more, &one, &other])
    };
    let run = TestRun::new(&config(""));
    let mut child = run.command(&["-j1", "--quiet"]).spawn().expect("it runs");
    run.wait_for_games(2);
    child.kill().expect("killed");
    child.wait().expect("it ends");
    // Playing so many games takes a minute. Almost all are those of one pair under different numbers.
    let journal = run.read("out/games.csv");
    let line = |at: usize| journal.lines().nth(at).expect("a line");
    let header = line(0);
    let pair = [1, 2].map(|at| line(at).split(',').skip(4).collect::<Vec<_>>().join(","));
    let rows = (0..10_000).map(|id| format!("{id},cachex,size=3,{},{}\n", id / 2, pair[id % 2]));
    run.write(
        "out/games.csv",
        &format!("{header}\n{}", rows.collect::<String>()),
    );
    let ran = run.run(&["--resume"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert!(ran.stdout.ends_with("results in out\n"), "{ran:?}");
    let hint = "`referee report out` makes pages of these 10002 games";
    assert!(ran.stderr.contains(hint), "{ran:?}");
    run.configure(&config("[report]\npages = true\n"));
    let text = run.play(&["--resume"]);
    assert!(text.ends_with("pages in out/report/index.html\n"), "{text}");
    assert!(
        run.read("out/report/index.html")
            .contains("10002 of 10002 games played.")
    );
}
