//! Submissions that are no bots: told before the night, and broken in it.

use std::fs;
use std::path::Path;
use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::python::python;
use crate::support::{REFEREE, Ran, TestRun, files_below, started, wait_until};

fn plays_after(lines: &str) -> String {
    format!("import os, sys\n{lines}os.execv({REFEREE:?}, ['referee', 'bot', 'random'])\n")
}

/// Answers what comes before its first action, and fails there.
const FAILS_IN_A_GAME: &str =
    "input(); print('bot 1 x', flush=True); input(); print('ready', flush=True); input()\n{}[7]\n";

/// A class with these submissions, each one file. `more` is a part of the configuration.
fn class(submissions: &[(&str, &str, &str)], more: &str) -> TestRun {
    let run = TestRun::new("");
    let mut roster = "id\n".to_owned();
    for (student, file, text) in submissions {
        run.write(&format!("submissions/{student}/{file}"), text);
        roster.push_str(&format!("{student}\n"));
    }
    run.write("roster.csv", &roster);
    let config = format!(
        "seed = 1\n[class]\nroster = \"roster.csv\"\nsubmissions = \"submissions\"\n\
             [game]\nname = \"cachex\"\nsize = 3\n[clock]\nper-move = \"2m\"\n\
             [[test]]\nagainst = [\"random\"]\ngames = 2\nmarks = 4\n\
             [limits]\nisolation = \"containment\"\nhandshake = \"1h\"\nstart = \"1h\"\nbuild-time = \"1h\"\n\
             [submission]\ncommand = [\"python3\", \"bot.py\"]\n{more}"
    );
    run.write("class.toml", &config);
    run
}

fn all_files(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let files = files_below(folder).into_iter();
    let read = |file: std::path::PathBuf| (file.clone(), fs::read(file).expect("a file"));
    files.map(read).collect()
}

#[test]
#[ignore = "slow"]
fn a_bot_that_waits_under_a_clock_of_processor_time_is_named_and_its_check_ends() {
    let late = "while read -r l; do case $l in act*) sleep 1.1;; esac; echo \"$l\"; done";
    let bot = format!("{late} | {REFEREE} bot random\n");
    let run = class(&[("s1", "bot.sh", &bot)], "");
    let clock = "measure = \"cpu\"\nper-game = \"1h\"\nwall-cap = \"2s\"";
    let config = run.read("class.toml").replace("per-move = \"2m\"", clock);
    let config = config.replace("[\"python3\", \"bot.py\"]", "[\"sh\", \"bot.sh\"]");
    run.write("class.toml", &config);
    let said = run.referee("grade class.toml --check --quiet -j 1").ok();
    let words = "take at most 4h of processor time at -j 1, for 2 games";
    assert_has!(said, words);
    let words = "; a bot that waits may take `wall-cap` for each action\n";
    assert_has!(said, words);
    run.referee("grade class.toml --quiet").done();
    let problems = run.read("results/class/problems.txt");
    assert_has!(problems, "s1: waits up to 1.");
}

#[test]
#[ignore = "slow"]
fn what_is_no_bot_is_told_before_the_night_and_broken_in_it() {
    needed!(python());
    let imports = plays_after("from referee import game\n");
    let imports_later = plays_after("if sys:\n    import referee.game\n");
    let run = class(
        &[
            ("good", "bot.py", &plays_after("")),
            ("capital", "Bot.py", &plays_after("")),
            ("syntax", "bot.py", "def act(:\n"),
            ("one", "bot.py", &imports),
            ("two", "bot.py", &format!("# Mine.\n{imports}")),
            ("three", "bot.py", &imports_later),
            ("late", "bot.py", FAILS_IN_A_GAME),
            ("flaky", "bot.py", ""),
        ],
        "",
    );
    // The machine is short of something the first time.
    let once = run.path("once");
    let flaky = format!(
        "if not os.path.exists({once:?}):\n    open({once:?}, 'w'); sys.exit('no memory')\n"
    );
    run.write("submissions/flaky/bot.py", &plays_after(&flaky));

    let common = "3 students or teams (one, two, three): it cannot be loaded: `ModuleNotFoundError: No module named \
                  'referee'`; name what the course puts beside agents with `course-files`, or install the package";
    let capital = "there is no `bot.py`; found `Bot.py`: the name and the place have to be exactly as expected";
    let checked = run.referee("grade class.toml --out out -j 2 --check");
    assert_eq!(checked.exit, 1, "{checked:?}");
    assert!(once.exists(), "it was started");
    assert!(!run.out().exists(), "nothing is left");
    let lines: Vec<&str> = checked.stdout.lines().collect();
    let of = |student: &str| {
        let mut lines = lines.iter();
        lines.find_map(|line| line.strip_prefix(student)?.strip_prefix(": "))
    };
    assert_eq!(of("capital"), Some(capital), "{checked:?}");
    let cannot =
        "it cannot be loaded: the bot's process exited with code 1; its standard error ends with `";
    for (student, error) in [("syntax", "Syntax"), ("one", "ModuleNotFound")] {
        let said = of(student).and_then(|said| said.strip_prefix(cannot));
        let error = format!("{error}Error: ");
        assert_starts!(said.expect("it was told"), &error);
    }
    for student in ["good", "late", "flaky"] {
        assert_eq!(of(student), None, "{checked:?}");
    }
    assert!(lines.contains(&common), "{checked:?}");
    let count = "8 handed in, 5 of them too late or no bot; 6 games";
    assert_has!(checked.stdout, count);

    fs::remove_file(&once).expect("it was there");
    let graded = run.referee("grade class.toml --out out -j 2").done();
    let is_told = graded.stdout.lines().any(|line| line == common);
    assert!(is_told, "{graded:?}");
    assert_has!(graded.stdout, "3 graded, 0 none, 0 late, 5 broken, 0 held");
    let row = |id: &str| {
        let mut rows = run.table("marks.csv").into_iter();
        rows.find(|row| row["id"] == id).expect(id)
    };
    for student in ["good", "late", "flaky"] {
        assert_eq!(row(student)["status"], "graded", "{student}: {graded:?}");
    }
    assert_eq!(row("late")["forfeits_crash"], "2");
    assert_eq!(row("flaky")["forfeits_handshake"], "0");
    let feedback = run.read("out/feedback/one/feedback.md");
    assert_has!(feedback, "No game could be played:** it cannot be loaded: ");
    assert!(feedback.contains("No module named 'referee'"), "{feedback}");
    assert!(!feedback.contains("nothing may be printed"), "{feedback}");

    // A check leaves a grading as it is.
    let before = all_files(&run.out());
    let checked = run.referee("grade class.toml --out out -j 2 --check");
    assert_eq!(checked.exit, 1, "{checked:?}");
    assert!(all_files(&run.out()) == before);
}

#[test]
fn a_reference_that_cannot_play_is_told_before_any_game() {
    needed!(python());
    let run = class(
        &[("ann", "bot.py", &plays_after(""))],
        "[[reference]]\nname = \"staff\"\ncommand = [\"python3\", \"staff.py\"]\ndir = \"staff\"\n\
         [[test]]\nagainst = [\"staff\"]\ngames = 2\nmarks = 4\n",
    );
    let check = |text: &str| {
        run.write("staff/staff.py", text);
        run.referee("grade class.toml --check --out out")
    };
    let broken = check("import no_such_module\n");
    assert_ne!(broken.exit, 0, "{broken:?}");
    assert_has!(broken.stderr, "the reference `staff`: ");
    assert_has!(broken.stderr, "No module named 'no_such_module'");
    let mended = check(&plays_after(""));
    assert_eq!(mended.exit, 0, "{mended:?}");
    assert!(!run.path("out").exists());
}

#[test]
fn a_grading_that_is_stopped_waits_neither_for_bots_that_are_checked_nor_for_builds() {
    needed!(python());
    let sleeps = "open('/FOLDER/begun', 'w'); import time; time.sleep(3600)\n";
    for (option, build) in [
        ("", ""),
        ("--check", ""),
        ("", "build = [\"python3\", \"bot.py\"]\n"),
    ] {
        let run = class(&[("ann", "bot.py", "")], build);
        let folder = run.folder().display().to_string();
        let sleeps = sleeps.replace("/FOLDER", &folder);
        run.write("submissions/ann/bot.py", &sleeps);
        let mut command = Command::new(REFEREE);
        command.args(["grade", "class.toml", "--out", "out"]);
        command.args(option.split_whitespace());
        let child = started(command.current_dir(run.folder()));
        wait_until(|| run.path("begun").exists());
        kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
        let ran = Ran::from(child.wait_with_output().expect("it ends"));
        ran.fails(7, "");
        assert!(!run.path("out/marks.csv").exists(), "{option}{build}");
    }
}
