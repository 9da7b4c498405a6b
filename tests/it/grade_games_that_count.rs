//! Which games a mark rests on.

use crate::support::{REFEREE, Table, TestRun, files_below, rows};

/// A class in a folder of its own: `strong` wins nearly always against the house bot `random`, and `weak` nearly never
/// against `greedy`.
fn class_of_two() -> TestRun {
    let class = TestRun::new("");
    class.write("roster.csv", "id\nstrong\nweak\n");
    for (id, bot) in [("strong", "greedy --nodes 20"), ("weak", "random")] {
        let text = format!("exec {REFEREE:?} bot {bot}\n");
        class.write(&format!("in/{id}/bot.sh"), &text);
    }
    class
}

fn configure(class: &TestRun, games: u32) {
    let config = format!(
        "name = \"class\"\nseed = 11\n[class]\nroster = \"roster.csv\"\nsubmissions = \"in\"\n\
         [submission]\ncommand = [\"sh\", \"bot.sh\"]\n[game]\nname = \"cachex\"\nsize = 4\n\
         [limits]\nisolation = \"containment\"\n[[test]]\nname = \"games\"\nagainst = [\"greedy\", \"random\"]\n\
         marks = 8\ngames = {games}\n"
    );
    class.write("class.toml", &config);
}

/// The games that feedback names, and its files.
fn shown(class: &TestRun, out: &str) -> [Vec<String>; 2] {
    let feedback = class.path(&format!("{out}/feedback/weak"));
    let files = files_below(&feedback).into_iter();
    let files = files.map(|it| {
        let it = it.strip_prefix(&feedback);
        it.expect("inside").display().to_string()
    });
    let text = class.read(&format!("{out}/feedback/weak/feedback.md"));
    let is_of_games = |line: &&str| {
        [": lost against", "all your games]"]
            .iter()
            .any(|it| line.contains(it))
    };
    let lines = text.lines().filter(is_of_games).map(str::to_owned);
    [lines.collect(), files.collect()]
}

#[track_caller]
fn said(class: &TestRun, options: &str) -> String {
    let ran = class
        .referee(&format!("grade class.toml -q {options}"))
        .done();
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
fn a_mark_rests_on_the_first_games_whatever_was_played_before() {
    let class = class_of_two();
    let marks = |out: &str| class.read(&format!("{out}/marks.csv"));
    configure(&class, 8);
    let many = grade(&class, "used");
    assert_eq!(number(&many, 1, "games_games"), 16.0, "{many:?}");
    for games in [2, 4] {
        configure(&class, games);
        grade(&class, "used");
        let fresh = format!("fresh{games}");
        grade(&class, &fresh);
        assert_eq!(marks("used"), marks(&fresh));
        let [own, other] = ["used", &fresh].map(|out| shown(&class, out));
        assert!(own[0].len() > 1, "{own:?}");
        assert_eq!(own, other);
    }
    // All games are played once more, and those are marked that the class is marked by.
    let again = said(&class, "--out used --only weak --again");
    assert!(again.contains("0 of 16 games differ"), "{again}");
    assert_eq!(again.matches(" 8 games").count(), 2, "{again}");
}
