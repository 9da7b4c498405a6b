//! The place for temporary files: two runs share it, and a harness that cannot use it says so and lays it on no bot.

use std::process::{Command, Stdio};

use referee::runs::GameRow;

use crate::support::config::{RANDOM, greedy, small_cachex};
use crate::support::{
    REFEREE, Ran, TestRun, landlock_holds, read_games, skip, started, wait_until,
};

const LANDLOCK: &str = "[limits]\nisolation = \"landlock\"\n";

/// A new process for each game, so a new scratch folder.
fn config(games_per_pairing: usize) -> String {
    let players =
        greedy(&[("a", 1), ("b", 5)]).replace("[[player]]\n", "[[player]]\nfresh-process = true\n");
    small_cachex(games_per_pairing, &[LANDLOCK, &players])
}

fn by_the_rules(games: &[GameRow]) -> bool {
    let mut ends = games.iter().map(|game| game.end.termination.name());
    ends.all(|end| end == "rules")
}

/// In each of two namespaces the processes have the same numbers.
#[test]
fn two_runs_in_two_namespaces_disturb_no_bot() {
    let namespace = || {
        let mut command = Command::new("unshare");
        let options = "--user --map-root-user --pid --fork --mount-proc --kill-child";
        command.args(options.split(' '));
        command
    };
    let possible = namespace().arg("true").stderr(Stdio::null()).status();
    if !landlock_holds() || !possible.is_ok_and(|status| status.success()) {
        skip("the tier landlock and `unshare`, for namespaces of processes");
        return;
    }
    let run = TestRun::new(&config(30));
    std::fs::create_dir(run.path("tmp")).expect("made");
    let outs = ["out-1", "out-2"];
    let children = outs.map(|out| {
        let mut command = namespace();
        command.args([REFEREE, "run", "config.toml", "-j", "2", "--out", out]);
        command.current_dir(run.folder());
        started(command.env("TMPDIR", run.path("tmp")))
    });
    for (child, out) in children.into_iter().zip(outs) {
        Ran::from(child.wait_with_output().expect("it ends")).done();
        let games = read_games(&run.path(out).join("games.csv")).expect("a journal");
        assert!(games.len() == 30 && by_the_rules(&games), "{games:?}");
    }
    let left = std::fs::read_dir(run.path("tmp"))
        .expect("a folder")
        .count();
    assert_eq!(left, 0);
}

#[test]
fn a_place_that_cannot_be_used_is_said_before_the_first_game() {
    needed!(landlock_holds().then_some(()));
    let run = TestRun::new(&config(2));
    run.write("file", "");
    for (place, problem) in [("no/such", "No such file"), ("file", "Not a directory")] {
        let place = run.path(place);
        for args in [
            ["run", "config.toml", "--out", "out"].as_slice(),
            &["check", "--config", "config.toml", "--player", "a"],
        ] {
            let ran = Command::new(REFEREE)
                .args(args)
                .current_dir(run.folder())
                .env("TMPDIR", &place)
                .output();
            let ran = Ran::from(ran.expect("it runs"));
            ran.fails(8, "set TMPDIR to another one");
            let says = |words: &str| assert!(ran.stderr.contains(words), "{words}: {ran:?}");
            says(problem);
            says(&place.display().to_string());
            assert!(!run.out().exists());
        }
    }
    // Other tiers have no need of it.
    run.configure(&small_cachex(2, &[RANDOM, &greedy(&[("a", 1)])]));
    let played = run.command(&[]).env("TMPDIR", run.path("no/such")).output();
    Ran::from(played.expect("it runs")).done();
}

#[test]
#[ignore = "slow"]
fn games_are_void_when_it_disappears_and_no_bot_forfeits() {
    needed!(landlock_holds().then_some(()));
    let run = TestRun::new(&config(15));
    let (place, moved) = (run.path("tmp"), run.path("moved"));
    std::fs::create_dir(&place).expect("made");
    let child = started(run.command(&["-j", "1"]).env("TMPDIR", &place));
    run.wait_for_games(2);
    std::fs::rename(&place, &moved).expect("moved");
    wait_until(|| run.out().join("set-aside.csv").exists() || run.rows().len() == 15);
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    let games = run.games();
    assert!(by_the_rules(&games), "{games:?}");
    if games.len() < 15 {
        assert_eq!(ran.exit, 6, "{ran:?}");
    }
}
