//! `--resume` finds the run that is meant, says how to go on in true words, and notices what became of
//! bots, manifest and journal meanwhile.

use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::config::{GREEDY, RANDOM, small_cachex};
use crate::support::{REFEREE, Ran, TestRun, lines, started, wait_until};

/// A tournament whose results go below `results/`, since no folder is named.
fn tournament() -> TestRun {
    tournament_of(10)
}

fn tournament_of(games: usize) -> TestRun {
    TestRun::new(&("name = \"t\"\n".to_owned() + &small_cachex(games, &[RANDOM, GREEDY])))
}

fn run(run: &TestRun, args: &str) -> Ran {
    run.referee(&format!("run config.toml -j 1 {args}"))
}

fn random_bot() -> String {
    format!("exec {REFEREE} bot random\n")
}

fn games(run: &TestRun, folder: &str) -> usize {
    run.read(&format!("{folder}/games.csv")).lines().count() - 1
}

/// What a kill leaves after some games.
fn cut(run: &TestRun, folder: &str) {
    let journal = format!("{folder}/games.csv");
    let text = run.read(&journal);
    let kept: String = text.split_inclusive('\n').take(5).collect();
    run.write(&journal, &(kept + "77,cach"));
    std::fs::remove_file(run.path(&format!("{folder}/run.sha256"))).expect("removed");
}

#[test]
fn the_newest_unfinished_run_is_the_one_that_is_meant() {
    let test = tournament();
    for _ in 0..3 {
        assert_eq!(run(&test, "").exit, 0);
    }
    let [first, second, third] = ["results/t", "results/t-2", "results/t-3"];
    cut(&test, second);
    let ran = run(&test, "--resume");
    assert!(ran.stdout.contains("results in results/t-2\n"), "{ran:?}");
    assert_eq!([first, second, third].map(|out| games(&test, out)), [10; 3]);
    assert_eq!(test.referee("verify results/t-2").exit, 0);
    // A run of another tournament is never meant, whatever its folder is called.
    let manifest = test.read("results/t-2/manifest.toml");
    cut(&test, second);
    let renamed = manifest.replace("name = \"t\"", "name = \"t-2\"");
    test.write("results/t-2/manifest.toml", &renamed);
    cut(&test, first);
    let ran = run(&test, "--resume");
    assert!(ran.stdout.contains("results in results/t\n"), "{ran:?}");
    assert_eq!((games(&test, first), games(&test, third)), (10, 10));
}

#[test]
fn the_advice_is_the_command_that_goes_on() {
    const GAMES: usize = 150;
    let test = tournament_of(GAMES);
    std::fs::create_dir_all(test.path("results/t")).expect("a folder");
    // The test's own process may ignore signals, and its children inherit that.
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", REFEREE]);
    command.args(["run", "config.toml", "-j", "1"]);
    let child = started(command.current_dir(test.folder()));
    let journal = test.path("results/t-2/games.csv");
    wait_until(|| lines(&journal) > 2);
    kill_process(Pid::from_child(&child), Signal::INT).expect("interrupted");
    let ran: Ran = child.wait_with_output().expect("it ends").into();
    assert_eq!(ran.exit, 7, "{ran:?}");
    let advice = ran.stderr.split('`').nth(1).expect("a command");
    assert!(
        advice.ends_with("run config.toml -j 1 --out results/t-2 --resume"),
        "{advice}"
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", advice]).current_dir(test.folder());
    let went_on = shell.output().expect("it runs");
    assert!(went_on.status.success(), "{went_on:?}");
    assert_eq!(games(&test, "results/t-2"), GAMES);
}

#[test]
fn of_two_at_once_one_plays_and_the_other_says_why_not() {
    let test = TestRun::new(&small_cachex(20, &[RANDOM, GREEDY]));
    let children = [(); 3].map(|()| started(&mut test.command(&["-j", "1", "--resume"])));
    let mut done = 0;
    for child in children {
        let ran: Ran = child.wait_with_output().expect("it ends").into();
        match ran.exit {
            // The others wait for two seconds, and go on with what is complete by then.
            0 => done += 1,
            _ => ran.fails(
                5,
                "out: another run writes to it at this moment: let it end, or stop it",
            ),
        }
    }
    assert!(done >= 1);
    assert_eq!(games(&test, "out"), 20);
    assert_eq!(test.referee("verify out").exit, 0);
}

#[test]
#[ignore = "slow"]
fn a_change_in_a_players_folder_is_noticed() {
    let alice = "[[player]]\nname = \"alice\"\ndir = \"alice\"\ncommand = [\"sh\", \"main.sh\"]\n";
    let test = TestRun::new(&small_cachex(2, &[RANDOM, alice]));
    test.write("alice/main.sh", ". search/go.sh\n");
    test.write("alice/search/go.sh", &random_bot());
    test.play(&[]);
    for made in ["__pycache__/main.pyc", "debug.log", ".cache"] {
        test.write(&format!("alice/{made}"), "made by the bot");
    }
    test.play(&["--resume"]);
    let other = random_bot().replace("random", "greedy");
    test.write("alice/search/go.sh", &other);
    let words = "since this run was begun, the files of player alice changed";
    test.run(&["--resume"]).fails(2, words);
    test.play(&["--resume", "--accept-changes"]);
    test.write("alice/search/more.sh", "");
    test.run(&["--resume"]).fails(2, words);

    let large = std::fs::File::create(test.path("alice/large")).expect("a file");
    large.set_len(300 << 20).expect("room");
    let ran = test.run(&["--resume", "--accept-changes"]);
    let warning = "warning: the digest of alice covers only the files named in its command";
    assert!(ran.exit == 0 && ran.stderr.contains(warning), "{ran:?}");
    test.write("alice/search/go.sh", "exit\n");
    assert_eq!(test.run(&["--resume"]).exit, 0, "as the warning says");
    test.write("alice/main.sh", "exit\n");
    test.run(&["--resume"]).fails(2, words);
}

/// Players whose packages lie side by side are not changed by each other's files.
#[test]
fn the_folder_of_another_player_does_not_count() {
    let player = |name: &str| {
        format!(
            "[[player]]\nname = \"{name}\"\ndir = \"all\"\ncommand = [\"sh\", \"go.sh\", \"{name}\"]\n"
        )
    };
    let test = TestRun::new(&small_cachex(2, &[&player("alice"), &player("bob")]));
    for name in ["alice", "bob"] {
        test.write(&format!("all/{name}/bot.sh"), &random_bot());
    }
    test.write("all/go.sh", ". $1/bot.sh\n");
    test.play(&[]);
    test.write("all/bob/bot.sh", "exit\n");
    let ran = test.run(&["--resume"]);
    ran.fails(
        2,
        "since this run was begun, the files of player bob changed; --accept",
    );
}

#[test]
fn of_runs_that_begin_at_one_moment_each_has_a_folder_of_its_own() {
    let test = tournament_of(2);
    let mut command = Command::new(REFEREE);
    command.args(["run", "config.toml", "-j", "1"]);
    command.current_dir(test.folder());
    for child in [(); 8].map(|()| started(&mut command)) {
        Ran::from(child.wait_with_output().expect("it ends")).done();
    }
    for number in 1..=8 {
        let folder = match number {
            1 => "results/t".to_owned(),
            number => format!("results/t-{number}"),
        };
        assert_eq!(games(&test, &folder), 2, "{folder}");
    }
}
