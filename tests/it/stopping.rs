//! Ctrl-C and other signals: the first lets the games in play finish, the second breaks them off, the
//! third kills.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::config::{RANDOM, small_cachex};
use crate::support::{REFEREE, TestRun, wait_until};

/// Starts the run through a program that sets which signals are ignored.
fn start(run: &TestRun, through: &[&str]) -> Child {
    Command::new(through[0])
        .args(&through[1..])
        .args([REFEREE, "run", "config.toml", "-j", "1", "--out", "out"])
        .current_dir(run.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs")
}

/// The test's own process may ignore signals, and its children inherit that.
const HEED_SIGNALS: [&str; 2] = ["env", "--default-signal=INT,TERM,HUP"];

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it is there");
}

/// The last words of a run that ends with games left to play.
fn words_of_the_end(child: Child) -> String {
    let ended = child.wait_with_output().expect("it ends");
    let words = String::from_utf8(ended.stderr).expect("text");
    assert_eq!(ended.status.code(), Some(7), "{words}");
    words
}

fn two_random(games: usize) -> TestRun {
    let second = format!("{RANDOM}name = \"b\"\n");
    TestRun::new(&small_cachex(games, &[RANDOM, &second]))
}

#[test]
fn the_first_signal_lets_games_finish_and_writes_everything() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let run = two_random(1_000_000);
        let child = start(&run, &HEED_SIGNALS);
        run.wait_for_games(3);
        send(&child, signal);
        let words = words_of_the_end(child);

        let games = run.games();
        assert!(games.len() >= 3);
        let mut ends = games.iter().map(|game| game.end.termination.name());
        assert!(ends.all(|end| end == "rules"));
        let left = 1_000_000 - games.len();
        assert_has!(words, &format!("stopped with {left} games left"));
        for table in ["ratings.csv", "standings.csv", "crosstable.csv"] {
            assert_eq!(run.table(table).len(), 2, "{table}");
        }
        let index = run.read("out/report/index.html");
        let played = format!("{} of 1000000 games played", games.len());
        assert!(index.contains(&format!("The run ended early: {played}")));
    }
}

#[test]
#[ignore = "slow"]
fn who_stops_a_run_of_many_games_does_not_wait_for_pages() {
    let run = two_random(1_000_000);
    let child = start(&run, &HEED_SIGNALS);
    run.wait_for_games(1001);
    send(&child, Signal::INT);
    let words = words_of_the_end(child);
    let games = run.games().len();
    let said = format!("`referee report out` makes pages of these {games} games");
    assert_has!(words, &said);
    assert!(!run.path("out/report").exists());
}

#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let run = two_random(200);
    let mut child = start(&run, &["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"]);
    run.wait_for_games(1);
    send(&child, Signal::HUP);
    assert!(child.wait().expect("it ends").success());
    assert_eq!(run.games().len(), 200);
}

/// A run in the middle of a game that never ends: one bot gets ready and then does nothing.
fn start_and_wait_for_a_game() -> (TestRun, Child) {
    let line = "read a; echo bot 1 asleep; read b; echo ready; >ready; exec sleep 1d";
    let asleep = format!(
        "[limits]\nquit = \"1h\"\n[[player]]\nname = \"asleep\"\nshell = {line:?}\ndir = \".\"\n"
    );
    let run = TestRun::new(&small_cachex(2, &[&asleep, RANDOM]));
    let child = start(&run, &HEED_SIGNALS);
    wait_until(|| run.path("ready").exists());
    (run, child)
}

#[test]
fn the_second_signal_breaks_games_off_and_writes_everything() {
    let (run, mut child) = start_and_wait_for_a_game();
    send(&child, Signal::INT);
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("text");
    assert!(line.starts_with("stopping"), "{line}");
    send(&child, Signal::TERM);
    let mut words = String::new();
    stderr.read_to_string(&mut words).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(7), "{words}");
    for said in [
        "breaking off the games in play (1)",
        "2 games left to play, 1 of them broken off",
        "--resume",
    ] {
        assert!(words.contains(said), "{words}");
    }
    assert_eq!(run.games(), []);
    assert!(!run.path("out/games").exists(), "a void game leaves no log");
    for table in ["ratings.csv", "standings.csv", "crosstable.csv"] {
        assert!(run.out().join(table).exists(), "{table}");
    }
}

#[test]
#[ignore = "slow"]
fn a_game_without_a_clock_is_broken_off_some_time_after_the_first_signal() {
    let (run, mut child) = start_and_wait_for_a_game();
    send(&child, Signal::TERM);
    assert_eq!(child.wait().expect("it ends").code(), Some(7));
    assert_eq!(run.games(), []);
}

/// The process is stopped while three signals come, so it may see them in any order.
#[test]
fn the_third_signal_kills() {
    let (_run, mut child) = start_and_wait_for_a_game();
    for signal in [
        Signal::STOP,
        Signal::HUP,
        Signal::INT,
        Signal::TERM,
        Signal::CONT,
    ] {
        send(&child, signal);
    }
    let killed = child.wait().expect("it ends").signal();
    assert!(matches!(killed, Some(1 | 2 | 15)), "{killed:?}");
}
