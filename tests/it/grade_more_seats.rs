//! A grading of games of three and four seats: the student in one seat, references or copies of one in the others.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::support::python::python;
use crate::support::{Ran, TestRun, columns, files_below, has_extension, root, rows};

/// All seats bid a digit twice, in turn. The greater sum is ahead.
const RULES: &str = include_str!("files/bids_rules.py");

/// Gives the answers in its arguments, and fails where it has none left.
const BOT: &str = include_str!("files/bids_bot.py");

const STUDENTS: [(&str, &str); 7] = [
    ("top", r#"["9", "9"]"#),
    ("mid", r#"["5", "5"]"#),
    ("tie", r#"["3", "3"]"#),
    ("low", r#"["0", "0"]"#),
    ("wrong", r#"["9", "ten"]"#),
    ("gone", r#"["9"]"#),
    // It fails in the third seat alone.
    ("third", r#"["9"] if "p3" in rest else ["9", "9"]"#),
];

const TESTS: &str = include_str!("files/tests_of_bids.toml");

/// These students in a folder of their own; `None` where there is no Python.
fn class(students: &[&str], tests: &str) -> Option<TestRun> {
    python()?;
    let run = TestRun::new("");
    run.copy(&root().join("examples/rules/game.py"), "rules/game.py");
    run.write("rules/bids.py", RULES);
    run.write("staff/bot.py", BOT);
    let mut roster = "id,name\n".to_owned();
    for (id, bids) in STUDENTS.iter().filter(|(id, _)| students.contains(id)) {
        let bot = BOT.replace("iter(BIDS)", &format!("iter({bids})"));
        run.write(&format!("in/{id}/bot.py"), &bot);
        roster.push_str(&format!("{id},Name-of-{id}\n"));
    }
    run.write("roster.csv", &roster);
    let references = ["three 3 3", "seven 7 7", "quits 9"].map(|words| {
        let mut words = words.split(' ');
        let name = words.next().expect("a name");
        let bids: String = words.map(|bid| format!(", \"{bid}\"")).collect();
        format!(
            "[[reference]]\nname = \"{name}\"\ncommand = [\"python3\", \"bot.py\"{bids}]\ndir = \"staff\"\n"
        )
    });
    let config = format!(
        "seed = 3\nopening-plies = 0\n[class]\nroster = \"roster.csv\"\nsubmissions = \"in\"\n\
             [submission]\ncommand = [\"python3\", \"bot.py\"]\n\
             [game]\nrules = [\"python3\", \"bids.py\"]\ndir = \"rules\"\n\
             [limits]\nisolation = \"containment\"\n{}{tests}",
        references.concat()
    );
    run.write("class.toml", &config);
    Some(run)
}

fn grade(run: &TestRun, more: &str) -> Ran {
    run.referee(&format!("grade class.toml --out out -j 2 --quiet {more}"))
}

fn cells_of<const N: usize>(cells: [(&str, &str); N]) -> BTreeMap<String, String> {
    let owned = cells.map(|(id, cells)| (id.to_owned(), cells.to_owned()));
    owned.into()
}

fn marks_of(run: &TestRun, columns: &[&str]) -> BTreeMap<String, String> {
    let marks = rows(&run.path("out/marks.csv"));
    let cells = |row: &BTreeMap<String, String>| {
        let cells = columns.iter().map(|column| row[*column].clone());
        cells.collect::<Vec<_>>().join(" ")
    };
    let students = marks.iter().map(|row| (row["id"].clone(), cells(row)));
    students.collect()
}

/// The folders of the games that were played for marks, or that students were given.
fn runs(run: &TestRun, below: &str) -> Vec<String> {
    let files = files_below(&run.path(below));
    let journals = files.iter().filter(|file| file.ends_with("games.csv"));
    let folders = journals.filter_map(|file| file.parent());
    folders.map(|it| it.display().to_string()).collect()
}

#[test]
#[ignore = "slow"]
fn marks_are_the_share_of_the_opponents_that_a_student_is_ahead_of() {
    let all = STUDENTS.map(|(id, _)| id);
    let run = needed!(class(&all, TESTS));
    let told = grade(&run, "--check").ok();
    // Six games in one seating, six against copies, and four in each of two seatings of four.
    assert!(told.contains("7 handed in; 140 games"), "{told}");
    grade(&run, "");
    let shares = ["both_share", "copies_share", "four_share"];
    let expected = [
        // Behind both.
        ("low", "0.000 0.000 0.000"),
        // Between them. In a game of four seats, two of the three are on one side, then on the other.
        ("mid", "0.500 1.000 0.500"),
        // Level with one, or with both copies; of the three, with two and then with one.
        ("tie", "0.250 0.500 0.250"),
        ("top", "1.000 1.000 1.000"),
        // All games but a third, or a fourth.
        ("third", "0.667 0.667 0.750"),
        ("gone", "0.000 0.000 0.000"),
        ("wrong", "0.000 0.000 0.000"),
    ];
    let expected = cells_of(expected);
    assert_eq!(marks_of(&run, &shares), expected);
    let kept = "both_games copies_games four_games forfeits_crash forfeits_illegal_action \
        reliability_marks status total";
    let expected = [
        ("low", "6 6 8 0 0 4.000 graded 4.000"),
        ("mid", "6 6 8 0 0 4.000 graded 12.000"),
        ("tie", "6 6 8 0 0 4.000 graded 8.000"),
        ("top", "6 6 8 0 0 4.000 graded 18.000"),
        // 2 + 2 + 2 of 20 games. 5⅓ + 1⅓ + 3 + 1.6 is 11.27, and rounded to halves 11.5.
        ("third", "6 6 8 6 0 1.600 graded 11.500"),
        ("gone", "6 6 8 20 0 0.000 graded 0.000"),
        ("wrong", "6 6 8 0 20 0.000 graded 0.000"),
    ];
    let expected = cells_of(expected);
    let kept: Vec<&str> = kept.split(' ').collect();
    assert_eq!(marks_of(&run, &kept), expected);

    // Played once more, the games are equal.
    let again = grade(&run, "--only third --again").ok();
    assert!(again.contains("0 of 20 games differ"), "{again}");
    assert_feedback(&run);
    assert_platform(&run);
}

fn games_in_feedback(run: &TestRun) -> usize {
    let files = files_below(&run.path("out/feedback")).into_iter();
    files.filter(|file| has_extension(file, "csv")).count()
}

/// What students get: their games, and nothing of others.
fn assert_feedback(run: &TestRun) {
    assert_eq!(games_in_feedback(run), 7 * 20);
    for (id, _) in STUDENTS {
        let files = files_below(&run.path(&format!("out/feedback/{id}")));
        for file in files {
            let text = String::from_utf8_lossy(&fs::read(&file).expect("a file")).into_owned();
            let others = STUDENTS.iter().filter(|(other, _)| *other != id);
            for (other, _) in others {
                let name = format!("Name-of-{other}");
                assert!(!text.contains(&name), "{}", file.display());
            }
            // The programs of the references.
            assert!(!text.contains("\"bot.py\", \"7\""), "{}", file.display());
        }
    }
    let low = run.read("out/feedback/low/feedback.md");
    let said = "lost against three and seven after 6 plies";
    assert!(low.contains(said), "{low}");
    let gone = run.read("out/feedback/gone/feedback.md");
    assert_has!(gone, "20 games: it ended in the middle of the game");
    assert!(gone.contains("as p1 against three and seven"), "{gone}");
}

/// In a container, rounds of one block against each seating are played.
fn assert_platform(run: &TestRun) {
    let line = "--submission in/mid --budget 5m --results results.json";
    grade(run, line);
    let results: Value = serde_json::from_str(&run.read("results.json")).expect("JSON");
    assert_eq!(results["score"], 12.0, "{results}");
}

/// The game of the grading has three seats, and the test plays it with four: one name, and two definitions.
#[test]
fn a_run_of_four_seats_goes_on_in_a_grading_of_games_of_three() {
    let four =
        "[[test]]\nagainst = [\"three\", \"seven\"]\nmarks = 4\ngames = 4\ngame = { seats = 4 }\n";
    let run = needed!(class(&["mid"], four));
    grade(&run, "").ok();
    let marks = run.read("out/marks.csv");
    let journal = format!("{}/games.csv", runs(&run, "out/work/runs")[0]);
    let whole = run.read(&journal);
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    // As a kill leaves it: all rows but the last are there.
    run.write(&journal, &lines[..lines.len() - 1].concat());
    grade(&run, "").ok();
    assert_eq!(run.read("out/marks.csv"), marks);
    assert_eq!(run.read(&journal).lines().count(), lines.len());
}

#[test]
fn why_games_are_set_aside_is_told_once_of_a_student_while_others_are_played() {
    let one = "[[test]]\nagainst = [\"three\", \"seven\"]\nmarks = 4\ngames = 3\n";
    let run = needed!(class(&["mid", "top"], one));
    let jammed = "raise RuntimeError(\"jammed\")\n    return end(";
    let crash = RULES.replace("return end(", jammed);
    run.write("rules/bids.py", &crash);
    let told = grade(&run, "").stderr;
    let aside: Vec<&str> = told.lines().filter(|it| it.contains("set aside")).collect();
    assert_eq!(aside.len(), 2, "{told}");
    for line in aside {
        assert_has!(line, ": a game could not be played and is set aside: ");
        assert_has!(line, "RuntimeError: jammed");
    }
}

#[test]
fn what_means_nothing_with_more_seats_is_refused() {
    let run = needed!(class(&[], TESTS));
    let config = run.read("class.toml");
    let names: Vec<String> = (0..64).map(|number| format!("\"b{number}\"")).collect();
    let reference = |name| format!("[[reference]]\nname = {name}\nhouse = \"random\"\n");
    let many: String = names.iter().map(reference).collect();
    for row in [
        "games = 6 | games = 4 | 4 games: expected a multiple of 3 from 3 to 99999, since each start \
         is played from all 3 seats",
        "[reliability] | [points]\ndraw = 0.4\n[reliability] | points of draws go with games of two: \
         with more seats, a game is worth the share of the opponents that the student has beaten, \
         where a tie counts half; expected `win` and `loss` only",
        "[reliability] | [tournament]\nformat = { kind = \"knockout\", games-per-pairing = 2 }\n\
         [reliability] | kind = \"knockout\" is for matches of two, and the game has 3 seats",
        "against = [\"three\", \"seven\"] | against = [MANY] | 64 opponents make too many seatings \
         of 3: expected fewer, or several tests",
    ] {
        let [from, to, said] = columns(row);
        let changed = config.replacen(from, &to.replace("MANY", &names.join(", ")), 1);
        assert_ne!(changed, config, "{from}");
        run.write("class.toml", &format!("{changed}{many}"));
        let told = grade(&run, "--check");
        assert_eq!(told.exit, 2, "{told:?}");
        assert!(told.stderr.contains(said), "{said}: {told:?}");
    }
}
