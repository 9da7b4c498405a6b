//! What is said about mistakes in the configuration and in the files of the class, word for word.

use super::can_be_graded;
use super::class::TestClass;
use crate::support::program::Ran;

/// What is replaced in the configuration, by what, and what is said about it.
#[rustfmt::skip]
const MISTAKES: [[&str; 3]; 21] = [
    ["roster.csv", "rooster.csv",
        "tests/class/rooster.csv: cannot be read: No such file or directory (os error 2)"],
    ["\"submissions\"", "\"submisions\"",
        "tests/class/submisions: cannot be read: No such file or directory (os error 2)"],
    ["T23:59:00+10:00", "T23:59:00",
        "CONFIG:15:12: `2026-05-11T23:59:00` is no moment: expected a time that the clock of `zone` shows once, or one \
         with its offset, such as 2026-05-20T23:59:00+10:00"],
    ["2026-05-11T23:59:00+10:00", "2026-04-05T02:30:00\nzone = \"Australia/Melbourne\"",
        "CONFIG:15:12: `2026-04-05T02:30:00` is no moment: expected a time that the clock of `zone` shows once, or one \
         with its offset, such as 2026-05-20T23:59:00+10:00"],
    ["deadline =", "zone = \"Melbourne\"\ndeadline =",
        "CONFIG:15:8: `zone` cannot be `Melbourne`: expected a zone such as \"Australia/Melbourne\" or \
         \"America/New_York\""],
    ["deadline = 2026-05-11T23:59:00+10:00", "zone = \"Australia/Melbourne\"",
        "CONFIG:15:8: `zone` needs `deadline`: expected when submissions were due"],
    ["deadline =", "# deadline =",
        "CONFIG:17:1: [late] needs `deadline` in [class]: expected when submissions were due"],
    ["marks-per-day", "mark-per-day",
        "CONFIG:18:1: unknown key `mark-per-day` (did you mean `marks-per-day`?), expected one of `marks-per-day`, \
         `days`, `holidays`, `grace`, `most-days`"],
    ["build =", "kit = true\nbuild =",
        "CONFIG:20:1: a submission is one of three things: `command = [\"program\", \"argument\"]` in its folder, \
         `kit = true`, or `course = \"comp30024-2022\"` with its `adapter`"],
    ["[clock]", "[points]\ndraw-by = { score60 = 0.4 }\n[clock]",
        "CONFIG:29:13: no game of cachex is drawn by `score60`: expected one of connection, repetition, max_turns, \
         score_lead, score_unchanged, resign_score, draw_score, max_moves, tablebase"],
    ["dir = \"staff\"", "dir = \"stuff\"",
        "CONFIG:41:7: player `staff` cannot be started: there is no folder `tests/class/stuff`; paths start at the \
         folder of the configuration"],
    ["dir = \"staff\"", "dir = \"tests/class/staff\"",
        "CONFIG:41:7: player `staff` cannot be started: there is no folder `tests/class/tests/class/staff`; paths start \
         at the folder of the configuration, not at the one in which referee runs: write `staff`"],
    ["roster = \"roster.csv\"", "roster = \"tests/class/roster.csv\"",
        "CONFIG:13:10: `roster`: there is no `tests/class/tests/class/roster.csv`; paths start at the folder of the \
         configuration, not at the one in which referee runs: write `roster.csv`"],
    ["against = [\"staff\"]", "against = [\"stuff\"]",
        "CONFIG:50:12: no [[reference]] is called `stuff` (did you mean `staff`?), and no house bot: expected some of \
         staff, greedy, random, search"],
    ["games = 12", "games = 7",
        "CONFIG:52:9: 7 games: expected an even number from 2 to 100000, since each start is played from both seats"],
    ["name = \"stronger\"", "name = \"staff\"",
        "CONFIG:54:1: a second test is called `staff`: expected names that differ, and not in case alone; set `name`"],
    ["name = \"stronger\"", "name = \"index.html\"",
        "CONFIG:54:1: a test cannot be called `index.html`, since the feedback has a file of that name: set another `name`"],
    ["name = \"stronger\"", "name = \"reliability\"",
        "CONFIG:54:1: a test cannot be called `reliability`, since marks.csv has such a column already: set another `name`"],
    ["[[0.0, 1.0]", "[[0.5, 1.0]",
        "CONFIG:62:9: `curve` is no curve: expected at least one point [x, y], all numbers from 0 to 1, and each x \
         greater than the one before"],
    ["round-to = 0.5", "round-to = -1.0",
        "CONFIG:65:12: `round-to` is -1: expected from 0 to 100"],
    ["rounds = 2,", "",
        "CONFIG:69:10: missing key `rounds`"],
];

#[test]
fn a_mistake_in_the_configuration_is_named_with_its_place_and_what_to_do() {
    let class = needed!(TestClass::new());
    let config = class.read("grading.toml");
    for [right, wrong, said] in MISTAKES {
        assert!(config.contains(right), "{right}");
        class.write("grading.toml", &config.replacen(right, wrong, 1));
        let said = said.replace("CONFIG", "tests/class/grading.toml");
        for args in [&["--check"][..], &[]] {
            let ran = Ran::from(class.command(args).output().expect("it runs"));
            let all = (ran.exit, ran.stdout.as_str(), ran.stderr.as_str());
            assert_eq!(all, (2, "", format!("referee: {said}\n").as_str()));
            assert!(!class.out().exists(), "nothing is written");
        }
    }
}

const VALID: &str = "tests/class/grading.toml: valid; 12 students or teams, 5 handed in; 100 games; the \
     tournament of the class: 8 games\n";
const VALID_WITHOUT_TWO: &str = "tests/class/grading.toml: valid; 12 students or teams, 6 handed in, 2 of them too late \
     or no bot; 80 games; the tournament of the class: 8 games\n";
const TWICE: &str = "s1011: handed in 2 times: `s1011-second-try` is the latest and counts; not graded: `s1011-first-try`\n";
const UNBUILT: &str = "s1006: it cannot be built: `python3 -m py_compile bot.py` exited with code 1: File \"bot.py\", line 22 / ";
const EMPTY: &str = "s1009: what was handed in cannot be unpacked: it holds no file: send the folder with the program\n";
pub const OFFSET: &str = "deadline: it has an offset and no `zone`, so days late are counted as if clocks were never changed: \
                      write `zone = \"Australia/Melbourne\"`, or yours, into [class]\n";

/// The file, what is replaced in it, by what, and what is said about it. The class can be graded all the same.
#[rustfmt::skip]
const FLAWS: [[&str; 4]; 4] = [
    ["roster.csv", "2026-05-10T15", "2026-15-10T15",
        "roster line 2: `submitted` is `2026-15-10T15:04:00+10:00`: write it as 2026-05-20 23:59 or \
         2026-05-20T23:59:00+10:00; the student is kept, without that time"],
    ["roster.csv", "s1013,", "s1012,",
        "roster line 14: the id `s1012` is on line 13 already: remove one of them; the line is left out"],
    ["roster.csv", "s1013,", ",", "roster line 14: no `id`: give the student one; the line is left out"],
    ["roster.csv", "s1013,", "S1012,",
        "roster: the ids `S1012`, `s1012` differ in capital and small letters alone, and each is one of its own: write \
         them alike if they are one, else rename them"],
];

#[test]
fn a_check_plays_nothing_and_says_what_is_wrong_with_the_class() {
    if !can_be_graded() {
        return;
    }
    let class = needed!(TestClass::new());
    let remove = |folder: &str| {
        let folder = class.path("submissions").join(folder);
        std::fs::remove_dir_all(folder).expect("removed");
    };
    let others = ["s1003-slow", "s1004-crashing", "s1005-hanging"];
    others.into_iter().for_each(remove);
    ["s1007-memory", "s1008-hostile", "s1013-twin"]
        .into_iter()
        .for_each(remove);
    let check = |exit| {
        let ran = Ran::from(class.command(&["--check"]).output().expect("it runs"));
        assert_eq!(ran.exit, exit, "{ran:?}");
        assert!(!class.out().exists(), "nothing is written");
        class.nothing_is_left();
        ran.stdout
    };
    let said = check(1);
    let (before, after) = said.split_once(UNBUILT).expect(&said);
    assert_eq!(before, format!("{TWICE}{OFFSET}"));
    let after = after.split_once('\n').map(|(_, lines)| lines.to_owned());
    assert_eq!(after, Some(format!("{EMPTY}{VALID_WITHOUT_TWO}")));
    remove("s1006-uncompilable");
    let good = class.read("submissions/crows-good/bot.py");
    class.write(
        "submissions/s1009-empty/bot.py",
        &format!("{good}# another\n"),
    );
    // That somebody handed in twice is good to know, and nothing is wrong with it.
    assert_eq!(check(0), format!("{TWICE}{OFFSET}{VALID}"));
    // The flaws are of other files.
    std::fs::remove_dir_all(class.path("submissions")).expect("removed");
    std::fs::create_dir(class.path("submissions")).expect("made");
    for [file, right, wrong, said] in FLAWS {
        let text = class.read(file);
        class.write(file, &text.replacen(right, wrong, 1));
        let lines = check(1);
        assert!(lines.lines().any(|line| line == said), "{said}\n{lines}");
        class.write(file, &text);
    }
}
