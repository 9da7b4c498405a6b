//! Bots whose interpreter is in a virtual environment, behind every tier of isolation.

use std::fs;
use std::process::Command;

use referee::bot::Tier;

use crate::support::config::{RANDOM, small_cachex};
use crate::support::python::python;
use crate::support::{TestRun, skip, tier_holds, write_executable};

#[test]
#[ignore = "slow"]
fn a_bot_in_a_virtual_environment_has_its_packages() {
    let Some(found) = python() else { return };
    for python in [found.program.as_str(), "/usr/bin/python3"] {
        let run = TestRun::new("");
        run.open_to_others();
        let env = run.path("env");
        let made = Command::new(python)
            .args(["-m", "venv", "--without-pip"])
            .arg(&env)
            .status();
        if !made.is_ok_and(|status| status.success()) {
            skip(format!("a {python} that makes virtual environments"));
            continue;
        }
        // A package that only the environment has.
        let libraries = fs::read_dir(env.join("lib")).expect("libraries");
        let library = libraries.flatten().next().expect("a version").path();
        let package = library.join("site-packages/first_cell.py");
        fs::write(package, "CELL = 'a1'\n").expect("written");
        let dir = run.path("bot");
        fs::create_dir(&dir).expect("made");
        let bot = include_str!("../../bots/twenty-lines/bot.py");
        let bot = format!("from first_cell import CELL\nassert CELL == 'a1'\n{bot}");
        fs::write(dir.join("bot.py"), bot).expect("written");
        let interpreter = env.join("bin/python3");
        let real = interpreter.canonicalize().expect("a program");
        for tier in Tier::ALL {
            if !tier_holds(tier, &[&dir, &interpreter, &real]) {
                continue;
            }
            for program in ["../env/bin/python3", &interpreter.to_string_lossy()] {
                let player = format!(
                    "[limits]\nisolation = \"{}\"\n[[player]]\nname = \"packed\"\ncommand = [{program:?}, \"bot.py\"]\n\
                     dir = {dir:?}\n",
                    tier.name()
                );
                run.configure(&small_cachex(2, &[&player, RANDOM]));
                let ran = run
                    .command(&[])
                    // The environment alone says where Python is.
                    .env_remove("PYENV_ROOT")
                    .env_remove("VIRTUAL_ENV")
                    .env_remove("CONDA_PREFIX")
                    .output()
                    .expect("it runs");
                let said = String::from_utf8_lossy(&ran.stdout);
                assert!(ran.status.success(), "{tier:?} with {python}: {ran:?}");
                assert_has!(said, "ended by: 2 rules");
                fs::remove_dir_all(run.out()).expect("removed");
            }
        }
    }
}

/// The settings in a bot's own folder are the bot's: what they name stays out of its reach.
#[test]
fn an_environment_in_the_bots_own_folder_opens_nothing_else() {
    let run = TestRun::new("");
    run.open_to_others();
    for folder in ["secret/bin", "secret/lib", "bot/env/bin"] {
        fs::create_dir_all(run.path(folder)).expect("made");
    }
    fs::write(run.path("secret/lib/key"), "hidden\n").expect("written");
    let settings = format!("home = {}\n", run.path("secret/bin").display());
    fs::write(run.path("bot/env/pyvenv.cfg"), settings).expect("written");
    let key = run.path("secret/lib/key");
    let bot = format!("#!/bin/sh\ncat {} >&2 || exit 4\n", key.display());
    write_executable(&run.path("bot/env/bin/python3"), &bot);
    let dir = run.path("bot");
    for tier in [Tier::Landlock, Tier::Strict] {
        if !tier_holds(tier, &[&dir]) {
            continue;
        }
        let player = format!(
            "[limits]\nisolation = \"{}\"\n[[player]]\nname = \"thief\"\ncommand = [\"./env/bin/python3\"]\n\
             dir = {dir:?}\n",
            tier.name()
        );
        run.configure(&small_cachex(2, &[&player, RANDOM]));
        run.run(&[]).done();
        let journal = run.read("out/games.csv");
        assert!(journal.contains("exited with code 4"), "{journal}");
        assert!(!journal.contains("hidden"), "{journal}");
        fs::remove_dir_all(run.out()).expect("removed");
    }
}
