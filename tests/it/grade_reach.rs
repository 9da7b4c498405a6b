//! Tests with the rule `reach`, and which games a mark rests on.

use crate::support::program::REFEREE;
use crate::support::run::TestRun;
use crate::support::tables::{Table, rows};

const REACH: &str = "rule = \"reach\"\n";

/// A class in a folder of its own: `strong` wins nearly always against the house bot `random`, and `weak` nearly never
/// against `greedy`.
fn class_of_two() -> TestRun {
    let class = TestRun::new("");
    class.write("roster.csv", "id\nstrong\nweak\n");
    for (id, bot) in [("strong", "greedy --nodes 20"), ("weak", "random")] {
        class.write(
            &format!("in/{id}/bot.sh"),
            &format!("exec {REFEREE:?} bot {bot}\n"),
        );
    }
    class
}

/// Makes the configuration one with a single test.
fn configure(class: &TestRun, against: &str, test: &str, more: &str) {
    let config = format!(
        "name = \"class\"\nseed = 11\n[class]\nroster = \"roster.csv\"\nsubmissions = \"in\"\n\
         [submission]\ncommand = [\"sh\", \"bot.sh\"]\n[game]\nname = \"cachex\"\nsize = 4\n\
         [limits]\nisolation = \"containment\"\n[[test]]\nname = \"games\"\nagainst = [{against}]\n\
         marks = 8\n{test}{more}"
    );
    class.write("class.toml", &config);
}

/// The lost games that the feedback of `weak` names.
fn losses(class: &TestRun, out: &str) -> Vec<String> {
    let feedback = class.read(&format!("{out}/feedback/weak/feedback.md"));
    let lines = feedback.lines().filter(|it| it.contains(": lost against"));
    lines.map(str::to_owned).collect()
}

/// What `referee grade` says with these options.
#[track_caller]
fn said(class: &TestRun, options: &str) -> String {
    let ran = class.referee(&format!("grade class.toml -q {options}"));
    assert_eq!(ran.exit, 0, "{ran:?}");
    ran.stdout
}

#[track_caller]
fn grade(class: &TestRun, out: &str) -> Table {
    said(class, &format!("--out {out} -j 2"));
    rows(&class.path(out).join("marks.csv"))
}

fn number(table: &Table, row: usize, column: &str) -> f64 {
    table[row][column].parse().expect("a number")
}

#[test]
#[ignore = "slow"]
fn a_test_plays_on_until_its_verdict_whatever_change_says() {
    let class = class_of_two();
    configure(&class, "\"random\"", "games = 4\n", "");
    let check = said(&class, "--check");
    assert!(check.contains("2 handed in; 8 games\n"), "{check}");
    let games = format!("games = 2\nmost-games = 200\n{REACH}");
    for (against, row, marks) in [("\"random\"", 0, 8.0), ("\"greedy\"", 1, 0.0)] {
        configure(&class, against, &games, "");
        let check = said(&class, "--check");
        assert!(check.contains("2 handed in; 4 to 400 games"), "{check}");
        let table = grade(&class, &format!("out{row}"));
        assert_eq!(number(&table, row, "games_marks"), marks, "{table:?}");
        assert_eq!(number(&table, row, "games_low"), marks, "{table:?}");
        assert!(number(&table, row, "games_games") >= 12.0, "{table:?}");
        assert_eq!(table[row]["note"], "", "{table:?}");
    }
}

#[test]
fn without_a_verdict_at_most_games_the_doubt_counts_and_that_is_said() {
    let class = class_of_two();
    for (doubt, marks, words) in [
        ("student", 8.0, "all marks"),
        ("half", 4.0, "half the marks"),
        ("nobody", 0.0, "no marks"),
    ] {
        let test = format!("games = 2\nmost-games = 4\n{REACH}doubt = \"{doubt}\"\n");
        configure(&class, "\"greedy\"", &test, "");
        let table = grade(&class, "out");
        assert_eq!(number(&table, 1, "games_games"), 4.0);
        assert_eq!(number(&table, 1, "total"), marks);
        let note = format!(
            "games: no verdict after 4 games, the most that there are; the test then gives {words}"
        );
        assert_eq!(table[1]["note"], note);
        let feedback = class.read("out/feedback/weak/feedback.md");
        assert!(feedback.contains(&note), "{feedback}");
    }
}

#[test]
#[ignore = "slow"]
fn who_is_too_slow_to_play_has_no_marks() {
    let class = class_of_two();
    configure(&class, "\"random\"", REACH, "");
    class.write("in/weak/bot.sh", "exec sleep 1000\n");
    said(
        &class,
        "--submission in/weak --results results.json --budget 3s --out out",
    );
    let results = class.read("results.json");
    let results: serde_json::Value = serde_json::from_str(&results).expect("JSON");
    assert_eq!(results["score"], 0.0, "{results}");
    let text = results["output"].as_str().expect("text");
    assert!(
        text.contains("no game was played, so there are no marks"),
        "{text}"
    );
}

#[test]
fn a_mark_rests_on_the_first_games_whatever_was_played_before() {
    let class = class_of_two();
    let against = "\"greedy\", \"random\"";
    let marks = |out: &str| class.read(&format!("{out}/marks.csv"));
    configure(
        &class,
        against,
        "games = 8\nmost-games = 16\n",
        "[marks]\nchange = 0.01\n",
    );
    let many = grade(&class, "used");
    assert_eq!(number(&many, 1, "games_games"), 32.0, "{many:?}");
    for (at, test) in ["games = 4\nmost-games = 4\n", "games = 6\nmost-games = 6\n"]
        .iter()
        .enumerate()
    {
        configure(&class, against, test, "");
        grade(&class, "used");
        let fresh = format!("fresh{at}");
        grade(&class, &fresh);
        assert_eq!(marks("used"), marks(&fresh));
        let [own, other] = ["used", &fresh].map(|out| losses(&class, out));
        assert!(!own.is_empty());
        assert_eq!(own, other);
    }
    // All games are played once more, and those are marked that the class is marked by.
    let again = said(&class, "--out used --only weak --again");
    assert!(again.contains("0 of 32 games differ"), "{again}");
    assert_eq!(again.matches("12 games").count(), 2, "{again}");
}
