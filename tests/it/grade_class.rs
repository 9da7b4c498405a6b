//! The class of twelve in `tests/class`, one of each kind, graded by the program.

mod class;
mod declared;
mod mistakes;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use referee::random::Stream;

use rustix::process::{Pid, Signal, kill_process};

use self::class::{QUICK, TestClass, set_modified};
use self::declared::assert_as_declared;
use crate::support::{Killer, files_below, has_extension, landlock_holds, skip, without_programs};

/// `None`, and a line that says so, where the class cannot be graded.
fn can_be_graded() -> Option<()> {
    if !Path::new("/usr/bin/python3").exists() {
        skip("/usr/bin/python3");
        return None;
    }
    landlock_holds().then_some(())
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
#[ignore = "slow"]
fn each_of_twelve_kinds_is_marked_as_declared_and_only_what_changed_is_played_again() {
    needed!(can_be_graded());
    let class = needed!(TestClass::new());
    let said = class.grade(&[]);
    class.nothing_is_left();
    assert_as_declared(&class.mark_rows());
    assert_eq!(
        std::fs::read_to_string(class.out().join("problems.txt")).expect("problems"),
        format!(
            "{}{}s1012: hands in the same program as `s1013`, byte for byte\n",
            mistakes::TWICE,
            mistakes::OFFSET
        )
    );
    assert_has!(said.stdout, "9 graded, 0 none, 0 late, 3 broken, 0 held");
    the_hostile_one_was_refused_everything(&class);
    for page in files_below(&class.out()) {
        if has_extension(&page, "html") {
            let html = std::fs::read_to_string(&page).expect("text");
            assert!(!without_programs(&html).contains('`'), "{}", page.display());
        }
    }

    let (marks, runs) = (class.marks(), class.runs());
    let said = class.grade(&[]);
    assert_eq!(class.marks(), marks, "graded again");
    assert!(class.runs() == runs, "something was played again");
    assert!(!said.stderr.contains("round "), "{said:?}");

    let said = class.grade(&["--only", "s1002"]);
    assert_eq!(said.stdout.lines().count(), 2, "{said:?}");
    assert_has!(said.stdout, "\ncrows    graded   14.50 ");
    class.grade(&["--only", "s1005"]);
    assert_eq!(class.marks(), marks, "one student");
    assert!(class.runs() == runs, "something was played for one student");

    // The latest counts, whatever it is called.
    let good = class.read("submissions/crows-good/bot.py");
    std::fs::create_dir(class.path("submissions/s1011-a-third-try")).expect("made");
    let third_try = "submissions/s1011-a-third-try/bot.py";
    class.write(third_try, &good);
    set_modified(
        &class.path(third_try),
        SystemTime::now() + Duration::from_secs(3600),
    );
    class.grade(&[]);
    let (new_marks, new_runs) = (class.marks(), class.runs());
    // The note of the team whose program it is names it.
    let changed = ["s1001", "s1002", "s1011"];
    let found = marks_without(&new_marks, &changed);
    assert_eq!(found, marks_without(&marks, &changed));
    assert!(files_without(&new_runs, "s1011") == files_without(&runs, "s1011"));
    let row = class.mark_rows().swap_remove(10);
    assert_eq!(
        (row["id"].as_str(), row["total"].as_str()),
        ("s1011", "14.500"),
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
    let tries = said.lines().filter(|line| line.starts_with("to "));
    let tries: Vec<&str> = tries.collect();
    assert!(tries.len() >= 9, "{said}");
    let worked = tries.iter().filter(|line| !line.contains(" refused "));
    let worked: Vec<&&str> = worked.collect();
    assert!(worked.is_empty(), "{worked:?}");
}

#[test]
#[ignore = "slow"]
fn the_hostile_one_moves_nobody_elses_mark() {
    needed!(can_be_graded());
    let is_in_both = |id: &str| QUICK.contains(&id) || ["s1007", "s1011"].contains(&id);
    let with = needed!(TestClass::of(|id| is_in_both(id) || id == "s1008"));
    let without = needed!(TestClass::of(is_in_both));
    with.grade(&[]);
    without.grade(&[]);
    assert_ne!(with.marks(), without.marks());
    let found = marks_without(&with.marks(), &["s1008"]);
    assert_eq!(found, marks_without(&without.marks(), &[]));
    with.nothing_is_left();
}

#[test]
fn who_hands_in_nothing_or_too_late_plays_no_games() {
    let class = needed!(TestClass::of(|id| id == "s1010"));
    let roster = class.read("roster.csv");
    let text = format!("{roster}s1014,,Noor Nkosi,noor@uni.example,,\n");
    class.write("roster.csv", &text);
    let config = class.read("grading.toml");
    let strict = config.replace("[late]", "[late]\nmost-days = 1");
    // Nothing runs, so it can be graded where no tier of isolation holds.
    class.write("grading.toml", &strict.replace("landlock", "containment"));
    class.grade(&[]);
    let marks = class.mark_rows();
    let of = |column: &str| -> Vec<&str> { marks.iter().map(|row| row[column].as_str()).collect() };
    assert_eq!(of("status"), ["late", "none"]);
    let notes = [
        "handed in 2 working days late, which is not marked",
        "nothing was handed in",
    ];
    assert_eq!(of("note"), notes);
    assert_eq!(of("digest"), ["", ""]);
    assert!(!class.out().join("work/runs").exists());
}

/// The marks of the quick class, graded undisturbed.
fn undisturbed() -> &'static str {
    static MARKS: OnceLock<String> = OnceLock::new();
    MARKS.get_or_init(|| {
        let class = TestClass::quick().expect("asked before");
        class.grade(&[]);
        class.marks()
    })
}

#[test]
#[ignore = "slow"]
fn shards_of_a_class_have_the_marks_of_the_whole() {
    needed!(can_be_graded());
    let class = needed!(TestClass::quick());
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

#[test]
fn a_round_is_told_before_it_is_played_and_a_signal_stops_it() {
    needed!(can_be_graded());
    let class = needed!(TestClass::quick());
    let config = class.read("grading.toml");
    let many = config.replace("\ngames = 12\n", "\ngames = 4000\n");
    assert_ne!(many, config);
    class.write("grading.toml", &many);
    let mut child = class
        .command(&[])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let stderr = BufReader::new(child.stderr.take().expect("piped"));
    let mut said = Vec::new();
    for line in stderr.lines() {
        said.push(line.expect("text"));
        let last = said.last().expect("a line");
        if last.starts_with("round 1: ") && last.ends_with(" of 5 students") {
            kill_process(Pid::from_child(&child), Signal::TERM).expect("it is there");
        }
    }
    assert_eq!(child.wait().expect("it ends").code(), Some(7), "{said:?}");
    // Nothing more is said where all games were over before the answer.
    let (last, before) = said.split_last().expect("a line");
    assert_starts!(last, "referee: the grading was stopped; ");
    let answer = "stopping when the games in play are over; once more to break them off";
    let is_told = |line: &String| line.starts_with("round 1: 5020 games of 5 students");
    let round = before.iter().position(is_told).expect("a round");
    assert!(
        before[round + 1..].iter().all(|line| line == answer),
        "{said:?}"
    );
    let stages = ["unpacking and building 5 submissions", "checking 5 bots"];
    assert!(
        said.iter()
            .filter(|line| stages.contains(&line.as_str()))
            .count()
            == 2,
        "{said:?}"
    );
}

#[test]
#[ignore = "slow"]
fn a_grading_that_is_killed_again_and_again_gives_the_same_marks() {
    needed!(can_be_graded());
    let mut killer = Killer::new(Stream::new(14, 0), "GRADING_KILLS", 12);
    while !killer.is_done() {
        let class = TestClass::quick().expect("asked before");
        killer.run_to_the_end(20..1220, &mut |_| class.command(&[]));
        // The bots of a killed harness must end too.
        class.nothing_is_left();
        assert_eq!(class.marks(), undisturbed());
        for run in class.run_folders() {
            let run = run.display().to_string();
            let verified = class.referee(&["verify", &run]).output().expect("it runs");
            assert!(verified.status.success(), "{verified:?}");
        }
    }
}
