//! Time that the harness loses is nobody's, wherever it was when it was stopped.

use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::config::small_cachex;
use crate::support::{TestRun, write_executable};

/// A bot that takes a tenth of a second for each action, of the eight tenths that it may take.
fn bot(run: &TestRun, name: &str, column: &str) -> String {
    let script = format!(
        "#!/bin/sh\n\
         while read -r word rest; do case $word in\n\
         referee) echo bot 1 {name} ;;\n\
         start) n=0; echo ready ;;\n\
         act) n=$((n + 1)); sleep 0.1; echo {column}$n ;;\n\
         quit) exit ;;\n\
         esac; done\n"
    );
    write_executable(&run.path(name), &script);
    format!("[[player]]\nname = \"{name}\"\ncommand = [\"./{name}\"]\ndir = \".\"\n")
}

#[test]
#[ignore = "slow"]
fn a_harness_that_is_stopped_again_and_again_charges_nobody() {
    let run = TestRun::new("");
    let players = [bot(&run, "red", "a"), bot(&run, "blue", "c")].concat();
    run.configure(&small_cachex(
        2,
        &["[clock]\nper-move = \"800ms\"\n", &players],
    ));
    let mut command = run.command(&["-j1"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut harness = command.spawn().expect("it runs");
    let pid = Pid::from_child(&harness);
    // A turn takes 100 ms, and nearly all the time is some turn's.
    while harness.try_wait().expect("a status").is_none() {
        sleep(Duration::from_millis(170));
        // It may have ended.
        let _ = kill_process(pid, Signal::STOP);
        sleep(Duration::from_millis(1100));
        let _ = kill_process(pid, Signal::CONT);
    }
    let games = run.games();
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!(game.end.termination.name(), "rules", "{game:?}");
        for spent in game.end.spent.values() {
            // Three actions, each within its limit.
            assert!(spent.wall < Duration::from_millis(2400), "{game:?}");
        }
    }
}
