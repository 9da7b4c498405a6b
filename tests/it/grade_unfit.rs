//! Submissions that are no bots: told before the night, and broken in it.

use std::fs;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::program::{REFEREE, Ran};
use crate::support::python::python;
use crate::support::run::{TestRun, wait_until};

/// Plays, after these lines.
fn plays_after(lines: &str) -> String {
    format!("import os, sys\n{lines}os.execv({REFEREE:?}, ['referee', 'bot', 'random'])\n")
}

/// A class with these submissions, each one file. `more` is a part of the configuration.
fn class(submissions: &[(&str, &str, &str)], more: &str) -> TestRun {
    let run = TestRun::new("");
    let mut roster = "id\n".to_owned();
    for (student, file, text) in submissions {
        fs::create_dir_all(run.path("submissions").join(student)).expect("made");
        run.write(&format!("submissions/{student}/{file}"), text);
        roster.push_str(&format!("{student}\n"));
    }
    run.write("roster.csv", &roster);
    run.write(
        "class.toml",
        &format!(
            "seed = 1\n[class]\nroster = \"roster.csv\"\nsubmissions = \"submissions\"\n\
             [game]\nname = \"cachex\"\nsize = 3\n[clock]\nper-move = \"2m\"\n\
             [[test]]\nagainst = [\"random\"]\ngames = 2\nmarks = 4\n\
             [limits]\nisolation = \"containment\"\nhandshake = \"1h\"\nstart = \"1h\"\nbuild-time = \"1h\"\n\
             [submission]\ncommand = [\"python3\", \"bot.py\"]\n{more}"
        ),
    );
    run
}

#[test]
fn a_reference_that_cannot_play_is_told_before_any_game() {
    if python().is_none() {
        return;
    }
    let run = class(
        &[("ann", "bot.py", &plays_after(""))],
        "[[reference]]\nname = \"staff\"\ncommand = [\"python3\", \"staff.py\"]\ndir = \"staff\"\n\
         [[test]]\nagainst = [\"staff\"]\ngames = 2\nmarks = 4\n",
    );
    fs::create_dir(run.path("staff")).expect("made");
    let check = |text: &str| {
        run.write("staff/staff.py", text);
        run.referee("grade class.toml --check --out out")
    };
    let broken = check("import no_such_module\n");
    assert_ne!(broken.exit, 0, "{broken:?}");
    assert!(
        broken.stderr.contains("the reference `staff`: ")
            && broken.stderr.contains("No module named 'no_such_module'"),
        "{broken:?}"
    );
    let mended = check(&plays_after(""));
    assert_eq!(mended.exit, 0, "{mended:?}");
    assert!(!run.path("out").exists());
}

#[test]
fn a_grading_that_is_stopped_waits_neither_for_bots_that_are_checked_nor_for_builds() {
    if python().is_none() {
        return;
    }
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
        command
            .args(option.split_whitespace())
            .current_dir(run.folder());
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let child = child.expect("it runs");
        wait_until(|| run.path("begun").exists());
        kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
        let ran = Ran::from(child.wait_with_output().expect("it ends"));
        assert_eq!(
            (ran.exit, ran.stdout.as_str()),
            (7, ""),
            "{option}{build}: {ran:?}"
        );
        assert!(!run.path("out/marks.csv").exists(), "{option}{build}");
    }
}
