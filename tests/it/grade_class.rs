//! The class of twelve in `tests/class`, one of each kind, graded by the program.

use std::collections::BTreeMap;
use std::fs::{File, FileTimes};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use referee::game::Chance as _;
use referee::random::Stream;
use tempfile::TempDir;

use crate::support::files::files_below;
use crate::support::landlock::landlock_holds;
use crate::support::program::{REFEREE, Ran, root};
use crate::support::run::wait_for_the_end_of_all_with;
use crate::support::tables::{Table, rows};

/// A variable that bots and builds inherit, so that those of one class can be found.
const MARK: &str = "PYTHON_TEST_FOLDER";

/// Students whose games are short, and do not depend on a clock.
const QUICK: [&str; 5] = ["s1001", "s1004", "s1010", "s1012", "s1013"];

/// A copy of the class in a folder of its own.
struct TestClass(TempDir);

impl TestClass {
    fn new() -> Self {
        let class = Self(tempfile::tempdir().expect("a folder"));
        let from = root().join("tests/class");
        for file in files_below(&from) {
            let to = class.path(file.strip_prefix(&from).expect("inside"));
            std::fs::create_dir_all(to.parent().expect("a folder")).expect("made");
            std::fs::copy(&file, to).expect("copied");
        }
        // A clone does not say which of two came later.
        let earlier = SystemTime::UNIX_EPOCH + Duration::from_secs(1_778_400_000);
        let first_try = File::options()
            .write(true)
            .open(class.path("submissions/s1011-first-try/bot.py"));
        let times = FileTimes::new().set_modified(earlier);
        first_try
            .and_then(|file| file.set_times(times))
            .expect("set");
        class
    }

    /// The class with only those of its students whose id is chosen.
    fn of(is_chosen: impl Fn(&str) -> bool) -> Self {
        let class = Self::new();
        let roster = class.read("roster.csv");
        let lines = roster.lines().enumerate();
        let chosen = lines.filter(|(at, line)| {
            let id = line.split(',').next().expect("an id");
            *at == 0 || is_chosen(id)
        });
        let chosen: String = chosen.map(|(_, line)| format!("{line}\n")).collect();
        class.write("roster.csv", &chosen);
        class
    }

    fn quick() -> Self {
        Self::of(|id| QUICK.contains(&id))
    }

    fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join("tests/class").join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect(name);
    }

    /// `referee grade` of the class into `out`, with more arguments.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.referee(&["grade", "tests/class/grading.toml", "--out", "out"]);
        command.args(["-j", "2"]).args(args);
        command
    }

    fn referee(&self, args: &[&str]) -> Command {
        let mut command = Command::new(REFEREE);
        command
            .args(args)
            .current_dir(self.0.path())
            .env(MARK, self.0.path())
            // A launcher in a home folder cannot be read by bots that are kept to their own files.
            .env("PATH", "/usr/bin:/bin");
        command
    }

    /// Grades, which must succeed.
    #[track_caller]
    fn grade(&self, args: &[&str]) -> Ran {
        let ran = Ran::from(self.command(args).output().expect("it runs"));
        assert_eq!(ran.exit, 0, "{ran:?}");
        ran
    }

    fn out(&self) -> PathBuf {
        self.0.path().join("out")
    }

    fn marks(&self) -> String {
        std::fs::read_to_string(self.out().join("marks.csv")).expect("marks")
    }

    fn mark_rows(&self) -> Table {
        rows(&self.out().join("marks.csv"))
    }

    /// All that is below `out/work/runs`.
    fn runs(&self) -> BTreeMap<String, Vec<u8>> {
        let runs = self.out().join("work/runs");
        let files = files_below(&runs).into_iter();
        files
            .map(|file| {
                let name = file.strip_prefix(&runs).expect("inside").display();
                (name.to_string(), std::fs::read(&file).expect("a file"))
            })
            .collect()
    }

    /// The folder of each run.
    fn run_folders(&self) -> Vec<PathBuf> {
        let journals = files_below(&self.out().join("work/runs")).into_iter();
        let journals = journals.filter(|file| file.ends_with("games.csv"));
        journals
            .map(|journal| journal.parent().expect("a folder").to_owned())
            .collect()
    }

    /// Nothing that belongs to this class is left running.
    #[track_caller]
    fn nothing_is_left(&self) {
        wait_for_the_end_of_all_with(&format!("{MARK}={}", self.0.path().display()));
    }
}

/// Whether the class can be graded here. If not, prints that the test is skipped.
fn can_be_graded() -> bool {
    if !Path::new("/usr/bin/python3").exists() {
        println!("skipped: needs /usr/bin/python3");
        return false;
    }
    landlock_holds()
}

/// What is declared of a student: whose submission it is and what it is like, and then the marks.
struct Declared {
    id: &'static str,
    kind: &'static str,
    status: &'static str,
    days_late: &'static str,
    penalty: &'static str,
    /// The marks of both tests and for reliability, where games are played.
    played: Option<[&'static str; 3]>,
    /// The one cause of all its forfeits, if it has any. `any` is for one that has several.
    forfeits: &'static str,
    total: &'static str,
    note: &'static str,
}

const fn declared(id: &'static str, kind: &'static str, total: &'static str) -> Declared {
    Declared {
        id,
        kind,
        status: "graded",
        days_late: "0",
        penalty: "0.000",
        played: None,
        forfeits: "",
        total,
        note: "",
    }
}

const NOTHING: Option<[&str; 3]> = Some(["0.000", "0.000", "0.000"]);

#[rustfmt::skip]
const DECLARED: [Declared; 13] = [
    Declared { played: Some(["5.000", "4.375", "5.000"]), ..declared("s1001", "good", "19.000") },
    Declared { played: Some(["5.000", "4.375", "5.000"]), ..declared("s1002", "good", "19.000") },
    Declared { played: NOTHING, forfeits: "time", ..declared("s1003", "slow", "3.000") },
    Declared { played: NOTHING, forfeits: "crash", ..declared("s1004", "crashing", "3.500") },
    Declared { status: "broken", note: "it does not play: no answer within 5.000 s",
        ..declared("s1005", "hanging", "2.000") },
    Declared { status: "broken", note: "it cannot be built: `python3 -m py_compile bot.py` exited with code 1: File \"bot.py\", line 22",
        ..declared("s1006", "uncompilable", "4.000") },
    Declared { played: NOTHING, forfeits: "memory", ..declared("s1007", "memory-eating", "2.500") },
    Declared { played: NOTHING, forfeits: "any", ..declared("s1008", "hostile", "1.000") },
    Declared { status: "broken", note: "what was handed in cannot be unpacked: it holds no file: send the folder with the program",
        ..declared("s1009", "empty", "0.000") },
    Declared { played: Some(["2.917", "1.875", "5.000"]), days_late: "2", penalty: "4.000",
        ..declared("s1010", "late", "11.000") },
    Declared { played: Some(["2.083", "0.000", "5.000"]), ..declared("s1011", "resubmitted", "11.000") },
    Declared { played: Some(["2.500", "1.250", "5.000"]), ..declared("s1012", "twin", "12.000") },
    Declared { played: Some(["2.500", "1.250", "5.000"]), ..declared("s1013", "twin", "12.500") },
];

/// What `marks.csv` must have of each student, and what it has.
fn assert_as_declared(rows: &Table) {
    assert_eq!(rows.len(), DECLARED.len());
    for (row, declared) in rows.iter().zip(&DECLARED) {
        let kind = declared.kind;
        let columns = [
            ("id", declared.id),
            ("status", declared.status),
            ("days_late", declared.days_late),
            ("penalty", declared.penalty),
            ("total", declared.total),
        ];
        for (column, value) in columns {
            assert_eq!(row[column], value, "{column} of the {kind} one: {row:?}");
        }
        let marks = ["staff_marks", "stronger_marks", "reliability_marks"].map(|it| &*row[it]);
        assert_eq!(marks, declared.played.unwrap_or_default(), "{kind}");
        let games: u32 = ["staff_games", "stronger_games"]
            .iter()
            .map(|column| row[*column].parse::<u32>().unwrap_or(0))
            .sum();
        assert_eq!(games > 0, declared.played.is_some(), "{kind}");
        let forfeits: BTreeMap<&str, u32> = row
            .iter()
            .filter_map(|(column, count)| {
                let cause = column.strip_prefix("forfeits_")?;
                Some((cause, count.parse().expect("a number")))
            })
            .filter(|(_, count)| *count > 0)
            .collect();
        match declared.forfeits {
            "" => assert!(forfeits.is_empty(), "{kind}: {forfeits:?}"),
            "any" => assert_eq!(
                forfeits.values().sum::<u32>(),
                games,
                "{kind}: {forfeits:?}"
            ),
            cause => assert_eq!(forfeits, BTreeMap::from([(cause, games)]), "{kind}"),
        }
        match declared.note {
            "" => assert_eq!(row["note"], "", "{kind}"),
            note => assert!(row["note"].starts_with(note), "{kind}: {}", row["note"]),
        }
        let range = ["low", "total", "high"].map(|it| row[it].parse::<f64>().expect("a number"));
        assert!(range.is_sorted(), "{kind}: {range:?}");
        assert_eq!(
            row["change"].is_empty(),
            declared.played.is_none(),
            "{kind}"
        );
    }
}

/// The rows of `marks.csv` but those of these students.
fn marks_without(marks: &str, ids: &[&str]) -> Vec<String> {
    let is_other = |line: &&str| !ids.iter().any(|id| line.starts_with(id));
    marks.lines().filter(is_other).map(str::to_owned).collect()
}

/// Files that are not below the folder of this student or team.
fn files_without(runs: &BTreeMap<String, Vec<u8>>, key: &str) -> BTreeMap<String, Vec<u8>> {
    let of_key = format!("{key}/");
    let mut runs = runs.clone();
    runs.retain(|name, _| !name.starts_with(&of_key));
    runs
}

#[test]
fn each_of_twelve_kinds_is_marked_as_declared_and_only_what_changed_is_played_again() {
    if !can_be_graded() {
        return;
    }
    let class = TestClass::new();
    let said = class.grade(&[]);
    class.nothing_is_left();
    assert_as_declared(&class.mark_rows());
    assert_eq!(
        std::fs::read_to_string(class.out().join("problems.txt")).expect("problems"),
        "s1011: handed in 2 times: `s1011-second-try` is the latest and counts; not graded: `s1011-first-try`\n"
    );
    assert!(
        said.stdout
            .contains("9 graded, 0 none, 0 late, 3 broken, 0 held"),
        "{said:?}"
    );
    the_hostile_one_was_refused_everything(&class);

    let (marks, runs) = (class.marks(), class.runs());
    let said = class.grade(&[]);
    assert_eq!(class.marks(), marks, "graded again");
    assert!(class.runs() == runs, "something was played again");
    let rounds = said
        .stderr
        .lines()
        .filter(|line| line.starts_with("round "));
    let rounds: Vec<&str> = rounds.collect();
    assert!(
        rounds.iter().all(|line| line.contains(": 0 games of ")),
        "{rounds:?}"
    );

    let said = class.grade(&["--only", "s1002"]);
    assert_eq!(said.stdout.lines().count(), 2, "{said:?}");
    assert!(
        said.stdout.contains("\ncrows    graded   19.00 "),
        "{said:?}"
    );
    class.grade(&["--only", "s1005"]);
    assert_eq!(class.marks(), marks, "one student");
    assert!(class.runs() == runs, "something was played for one student");

    // The latest counts, whatever it is called.
    let good = class.read("submissions/crows-good/bot.py");
    std::fs::create_dir(class.path("submissions/s1011-a-third-try")).expect("made");
    class.write("submissions/s1011-a-third-try/bot.py", &good);
    class.grade(&[]);
    let (new_marks, new_runs) = (class.marks(), class.runs());
    assert_eq!(
        marks_without(&new_marks, &["s1011"]),
        marks_without(&marks, &["s1011"])
    );
    assert!(files_without(&new_runs, "s1011") == files_without(&runs, "s1011"));
    let row = class.mark_rows().swap_remove(10);
    assert_eq!(
        (row["id"].as_str(), row["total"].as_str()),
        ("s1011", "18.500"),
        "{row:?}"
    );
    // The games of the second try are still there, should it be wanted again.
    assert!(
        runs.iter()
            .all(|(name, bytes)| new_runs.get(name) == Some(bytes))
    );
    class.nothing_is_left();
}

/// It says on stderr what came of each of its tries.
#[track_caller]
fn the_hostile_one_was_refused_everything(class: &TestClass) {
    let logs = files_below(&class.out().join("work/runs/s1008")).into_iter();
    let logs = logs.filter(|file| file.extension().is_some_and(|ending| ending == "log"));
    let said: String = logs
        .map(|log| String::from_utf8_lossy(&std::fs::read(log).expect("a log")).into_owned())
        .collect();
    let tries: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("to "))
        .collect();
    assert!(tries.len() >= 9, "{said}");
    let worked: Vec<&&str> = tries
        .iter()
        .filter(|line| !line.contains(" refused "))
        .collect();
    assert!(worked.is_empty(), "{worked:?}");
}

#[test]
fn the_hostile_one_moves_nobody_elses_mark() {
    if !can_be_graded() {
        return;
    }
    let is_in_both = |id: &str| QUICK.contains(&id) || ["s1007", "s1011"].contains(&id);
    let with = TestClass::of(|id| is_in_both(id) || id == "s1008");
    let without = TestClass::of(is_in_both);
    with.grade(&[]);
    without.grade(&[]);
    assert_ne!(with.marks(), without.marks());
    assert_eq!(
        marks_without(&with.marks(), &["s1008"]),
        marks_without(&without.marks(), &[])
    );
    with.nothing_is_left();
}

#[test]
fn games_of_a_student_are_an_ordinary_run() {
    if !can_be_graded() {
        return;
    }
    let class = TestClass::of(|id| id == "s1010");
    class.grade(&[]);
    let runs = class.run_folders();
    assert_eq!(runs.len(), 2, "{runs:?}");
    for run in &runs {
        let run = run.display().to_string();
        let ok = |args: &[&str]| Ran::from(class.referee(args).output().expect("it runs")).ok();
        assert!(ok(&["verify", &run]).contains("are as recorded"));
        assert!(ok(&["replay", &run, "0"]).contains("red is s1010, blue is "));
        ok(&["report", &run, "--out", "pages"]);
        assert!(class.0.path().join("pages/index.html").is_file());
    }
}

/// The marks of the quick class, graded undisturbed.
fn undisturbed() -> &'static str {
    static MARKS: OnceLock<String> = OnceLock::new();
    MARKS.get_or_init(|| {
        let class = TestClass::quick();
        class.grade(&[]);
        class.marks()
    })
}

#[test]
fn shards_of_a_class_have_the_marks_of_the_whole() {
    if !can_be_graded() {
        return;
    }
    let class = TestClass::quick();
    for shard in ["1/2", "0/2"] {
        let said = class.grade(&["--shard", shard]);
        assert_eq!(said.stdout, "", "a shard marks nobody");
    }
    assert!(!class.out().join("marks.csv").exists());
    let runs = class.runs();
    class.grade(&[]);
    assert!(class.runs() == runs, "the shards had played everything");
    assert_eq!(class.marks(), undisturbed());
}

/// How many gradings are killed. For many: `KILLS=50 cargo test --test it grade_class::`.
fn kills() -> usize {
    std::env::var("KILLS").map_or(12, |text| text.parse().expect("a number"))
}

#[test]
fn a_grading_that_is_killed_again_and_again_gives_the_same_marks() {
    if !can_be_graded() {
        return;
    }
    let mut chance = Stream::new(14, 0);
    let mut killed = 0;
    while killed < kills() {
        let class = TestClass::quick();
        loop {
            let mut child = class
                .command(&[])
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("it runs");
            // Any moment will do, since the assertions hold for all of them.
            std::thread::sleep(Duration::from_millis(20 + u64::from(chance.below(1200))));
            if child.try_wait().expect("a child").is_none() && killed < kills() {
                child.kill().expect("killed");
                child.wait().expect("it is gone");
                killed += 1;
                continue;
            }
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{output:?}");
            break;
        }
        // The bots of a killed harness must end too.
        class.nothing_is_left();
        assert_eq!(class.marks(), undisturbed());
        for run in class.run_folders() {
            let run = run.display().to_string();
            let verified = class.referee(&["verify", &run]).output().expect("it runs");
            assert!(verified.status.success(), "{verified:?}");
        }
    }
    println!("{killed} gradings killed, each with the marks of an undisturbed one");
}

/// What is replaced in the configuration, by what, and what is said about it.
#[rustfmt::skip]
const MISTAKES: [[&str; 3]; 16] = [
    ["tests/class/roster.csv", "tests/class/rooster.csv",
        "tests/class/rooster.csv: cannot be read: No such file or directory (os error 2)"],
    ["tests/class/submissions", "tests/class/submisions",
        "tests/class/submisions: cannot be read: No such file or directory (os error 2)"],
    ["T23:59:00+10:00", "T23:59:00",
        "CONFIG:15:12: `2026-05-11T23:59:00` has no offset: expected a time such as 2026-05-20T23:59:00+10:00"],
    ["deadline =", "# deadline =",
        "CONFIG:17:1: [late] needs `deadline` in [class]: expected when submissions were due"],
    ["marks-per-day", "mark-per-day",
        "CONFIG:18:1: unknown key `mark-per-day` (did you mean `marks-per-day`?), expected one of `marks-per-day`, \
         `days`, `holidays`, `grace`, `most-days`"],
    ["build =", "kit = true\nbuild =",
        "CONFIG:20:1: a submission is one of three things: `command = [\"program\", \"argument\"]` in its folder, \
         `kit = true`, or `course = \"comp30024-2022\"` with its `adapter`"],
    ["dir = \"tests/class/staff\"", "dir = \"tests/class/stuff\"",
        "CONFIG:41:7: player `staff` cannot be started: there is no folder `tests/class/stuff`; paths start at the \
         folder in which referee runs, not at that of the configuration"],
    ["against = [\"staff\"]", "against = [\"stuff\"]",
        "CONFIG:50:12: no [[reference]] is called `stuff` (did you mean `staff`?), and no house bot: expected some of \
         staff, greedy, random, search"],
    ["games = 8", "games = 7",
        "CONFIG:52:9: 7 games: expected an even number from 2 to 100000, since each start is played from both seats"],
    ["games = 8", "share = 0.5",
        "CONFIG:52:9: `share` goes with rule = \"reach\" only"],
    ["most-games = 12", "most-games = 4",
        "CONFIG:53:14: `most-games` is 4: expected at least the 8 of `games`"],
    ["name = \"stronger\"", "name = \"staff\"",
        "CONFIG:55:1: a second test is called `staff`: expected names that differ; set `name`"],
    ["[[0.0, 1.0]", "[[0.5, 1.0]",
        "CONFIG:64:9: `curve` is no curve: expected at least one point [x, y], all numbers from 0 to 1, and each x \
         greater than the one before"],
    ["tests/class/by-hand.csv", "tests/class/byhand.csv",
        "CONFIG:69:8: there is no file `tests/class/byhand.csv`: expected a CSV file with a row per student"],
    ["round-to = 0.5", "change = 1.5",
        "CONFIG:72:10: `change` is 1.5: expected from 0 to 1"],
    ["rounds = 2,", "",
        "CONFIG:76:10: missing key `rounds`"],
];

#[test]
fn a_mistake_in_the_configuration_is_named_with_its_place_and_what_to_do() {
    let class = TestClass::new();
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

const VALID: &str =
    "tests/class/grading.toml: valid; 12 students or teams, 12 handed in; 192 to 240 games\n";
const TWICE: &str = "s1011: handed in 2 times: `s1011-second-try` is the latest and counts; not graded: `s1011-first-try`\n";

/// The file, what is replaced in it, by what, and what is said about it. The class can be graded all the same.
#[rustfmt::skip]
const FLAWS: [[&str; 4]; 5] = [
    ["roster.csv", "2026-05-10T15", "2026-15-10T15",
        "roster line 2: `submitted` is `2026-15-10T15:04:00+10:00`: write it as 2026-05-20 23:59 or \
         2026-05-20T23:59:00+10:00; the student is kept, without that time"],
    ["roster.csv", "s1013,", "s1012,",
        "roster line 14: the id `s1012` is on line 13 already: remove one of them; the line is left out"],
    ["roster.csv", "s1013,", ",", "roster line 14: no `id`: give the student one; the line is left out"],
    ["by-hand.csv", "s1003,3", "s1003,6",
        "tests/class/by-hand.csv:3: `6` is no mark: expected a number from 0 to 5; s1003 has none for report"],
    ["by-hand.csv", "report", "reports",
        "tests/class/by-hand.csv: has no column `report`, so no marks are taken from it: name one with `key` or `column`"],
];

#[test]
fn a_check_plays_nothing_and_says_what_is_wrong_with_the_class() {
    let class = TestClass::new();
    let check = || {
        let ran = Ran::from(class.command(&["--check"]).output().expect("it runs"));
        assert_eq!((ran.exit, ran.stderr.as_str()), (1, ""));
        assert!(!class.out().exists(), "nothing is written");
        ran.stdout
    };
    assert_eq!(check(), format!("{TWICE}{VALID}"));
    for [file, right, wrong, said] in FLAWS {
        let text = class.read(file);
        class.write(file, &text.replacen(right, wrong, 1));
        let lines = check();
        assert!(lines.lines().any(|line| line == said), "{said}\n{lines}");
        class.write(file, &text);
    }
}
