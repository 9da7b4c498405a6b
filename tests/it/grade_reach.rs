//! Tests with the rule `reach`, and which games a mark rests on.

use std::fs;
use std::path::PathBuf;

use crate::support::program::{REFEREE, referee_in};
use crate::support::tables::{Table, rows};

const REACH: &str = "rule = \"reach\"\n";

/// A class in a folder of its own: `strong` wins nearly always against the house bot `random`, and `weak` nearly never
/// against `greedy`.
struct TestClass(tempfile::TempDir);

impl TestClass {
    fn new() -> Self {
        let class = Self(tempfile::tempdir().expect("a folder"));
        let bots = [("strong", "greedy --nodes 20"), ("weak", "random")];
        fs::write(class.path("roster.csv"), "id\nstrong\nweak\n").expect("written");
        for (id, bot) in bots {
            let folder = class.path("in").join(id);
            fs::create_dir_all(&folder).expect("made");
            let line = format!("exec {REFEREE:?} bot {bot}\n");
            fs::write(folder.join("bot.sh"), line).expect("written");
        }
        class
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Makes the configuration one with a single test.
    fn configure(&self, against: &str, test: &str, more: &str) {
        let config = format!(
            "name = \"class\"\nseed = 11\n[class]\nroster = \"roster.csv\"\nsubmissions = \"in\"\n\
             [submission]\ncommand = [\"sh\", \"bot.sh\"]\n[game]\nname = \"cachex\"\nsize = 4\n\
             [limits]\nisolation = \"containment\"\n[[test]]\nname = \"games\"\nagainst = [{against}]\n\
             marks = 8\n{test}{more}"
        );
        fs::write(self.path("class.toml"), config).expect("written");
    }

    /// What `referee grade` says with these options.
    #[track_caller]
    fn referee(&self, options: &str) -> String {
        let ran = referee_in(self.0.path(), &format!("grade class.toml -q {options}"));
        assert_eq!(ran.exit, 0, "{ran:?}");
        ran.stdout
    }

    /// The lost games that the feedback of `weak` names.
    fn losses(&self, out: &str) -> Vec<String> {
        let path = self.path(out).join("feedback/weak/feedback.md");
        let feedback = fs::read_to_string(path).expect("feedback");
        let lines = feedback.lines().filter(|it| it.contains(": lost against"));
        lines.map(str::to_owned).collect()
    }

    #[track_caller]
    fn grade(&self, out: &str) -> Table {
        self.referee(&format!("--out {out} -j 2"));
        rows(&self.path(out).join("marks.csv"))
    }
}

fn number(table: &Table, row: usize, column: &str) -> f64 {
    table[row][column].parse().expect("a number")
}

#[test]
#[ignore = "slow"]
fn a_test_plays_on_until_its_verdict_whatever_change_says() {
    let class = TestClass::new();
    class.configure("\"random\"", "games = 4\n", "");
    let check = class.referee("--check");
    assert!(check.contains("2 handed in; 8 games\n"), "{check}");
    let games = format!("games = 2\nmost-games = 200\n{REACH}");
    for (against, row, marks) in [("\"random\"", 0, 8.0), ("\"greedy\"", 1, 0.0)] {
        class.configure(against, &games, "");
        let check = class.referee("--check");
        assert!(check.contains("2 handed in; 4 to 400 games"), "{check}");
        let table = class.grade(&format!("out{row}"));
        assert_eq!(number(&table, row, "games_marks"), marks, "{table:?}");
        assert_eq!(number(&table, row, "games_low"), marks, "{table:?}");
        assert!(number(&table, row, "games_games") >= 12.0, "{table:?}");
        assert_eq!(table[row]["note"], "", "{table:?}");
    }
}

#[test]
fn without_a_verdict_at_most_games_the_doubt_counts_and_that_is_said() {
    let class = TestClass::new();
    for (doubt, marks, said) in [
        ("student", 8.0, "all marks"),
        ("half", 4.0, "half the marks"),
        ("nobody", 0.0, "no marks"),
    ] {
        let test = format!("games = 2\nmost-games = 4\n{REACH}doubt = \"{doubt}\"\n");
        class.configure("\"greedy\"", &test, "");
        let table = class.grade("out");
        assert_eq!(number(&table, 1, "games_games"), 4.0);
        assert_eq!(number(&table, 1, "total"), marks);
        let note = format!(
            "games: no verdict after 4 games, the most that there are; the test then gives {said}"
        );
        assert_eq!(table[1]["note"], note);
        let feedback = fs::read_to_string(class.path("out/feedback/weak/feedback.md"));
        let feedback = feedback.expect("feedback");
        assert!(feedback.contains(&note), "{feedback}");
    }
}

#[test]
#[ignore = "slow"]
fn who_is_too_slow_to_play_has_no_marks() {
    let class = TestClass::new();
    class.configure("\"random\"", REACH, "");
    fs::write(class.path("in/weak/bot.sh"), "exec sleep 1000\n").expect("written");
    class.referee("--submission in/weak --results results.json --budget 3s --out out");
    let results = fs::read_to_string(class.path("results.json")).expect("results");
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
    let class = TestClass::new();
    let against = "\"greedy\", \"random\"";
    let marks = |out: &str| fs::read_to_string(class.path(out).join("marks.csv")).expect("marks");
    class.configure(
        against,
        "games = 8\nmost-games = 16\n",
        "[marks]\nchange = 0.01\n",
    );
    let many = class.grade("used");
    assert_eq!(number(&many, 1, "games_games"), 32.0, "{many:?}");
    for (at, test) in ["games = 4\nmost-games = 4\n", "games = 6\nmost-games = 6\n"]
        .iter()
        .enumerate()
    {
        class.configure(against, test, "");
        class.grade("used");
        let fresh = format!("fresh{at}");
        class.grade(&fresh);
        assert_eq!(marks("used"), marks(&fresh));
        let [own, other] = ["used", &fresh].map(|out| class.losses(out));
        assert!(!own.is_empty());
        assert_eq!(own, other);
    }
    // All games are played once more, and those are marked that the class is marked by.
    let again = class.referee("--out used --only weak --again");
    assert!(again.contains("0 of 32 games differ"), "{again}");
    assert_eq!(again.matches("12 games").count(), 2, "{again}");
}
