//! Ctrl-C and requests to terminate: once lets the games in play finish, twice stops at once.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::journal::read_games;
use rustix::process::{Pid, Signal, kill_process};

fn start(folder: &Path, config: &str) -> Child {
    let path = folder.join("config.toml");
    std::fs::write(&path, config).expect("written");
    // Whoever runs the tests may have had signals ignored, which every program inherits.
    Command::new("env")
        .args([
            "--default-signal=INT,TERM,HUP",
            env!("CARGO_BIN_EXE_referee"),
        ])
        .args([
            "run".as_ref(),
            path.as_os_str(),
            "-j".as_ref(),
            "1".as_ref(),
        ])
        .arg("--out")
        .arg(folder.join("out"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs")
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it is there");
}

/// Waits until the journal has `lines` lines, its header among them.
fn wait_for_lines(folder: &Path, lines: usize) {
    let journal = folder.join("out/games.csv");
    while std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < lines {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn once_finishes_the_games_in_play_and_writes_everything() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = start(
            folder.path(),
            "seed = 1\n\
             [game]\nname = \"cachex\"\nsize = 3\n\
             [format]\nkind = \"round-robin\"\ngames-per-pairing = 1000000\n\
             [[player]]\nname = \"a\"\nhouse = \"random\"\n\
             [[player]]\nname = \"b\"\nhouse = \"random\"\n",
        );
        wait_for_lines(folder.path(), 4);
        send(&child, signal);
        let status = child.wait().expect("it ends");
        let mut words = String::new();
        let mut stderr = child.stderr.take().expect("piped");
        stderr.read_to_string(&mut words).expect("text");
        assert_eq!(status.code(), Some(7), "{words}");

        let out = folder.path().join("out");
        let games = read_games(&out.join("games.csv")).expect("a whole journal");
        assert!(games.len() >= 3);
        assert!(
            games
                .iter()
                .all(|game| game.end.termination.name() == "rules")
        );
        let left = 1_000_000 - games.len();
        assert!(
            words.contains(&format!("stopped with {left} games left")),
            "{words}"
        );
        for table in ["ratings.csv", "standings.csv", "crosstable.csv"] {
            let text = std::fs::read_to_string(out.join(table)).expect(table);
            assert_eq!(text.lines().count(), 3, "{table}: {text}");
        }
    }
}

#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("config.toml");
    std::fs::write(
        &path,
        "seed = 1\n\
         [game]\nname = \"cachex\"\nsize = 3\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = 200\n\
         [[player]]\nname = \"a\"\nhouse = \"random\"\n\
         [[player]]\nname = \"b\"\nhouse = \"random\"\n",
    )
    .expect("written");
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_referee"))
        .arg("run")
        .arg(&path)
        .arg("--out")
        .arg(folder.path().join("out"))
        .stdout(Stdio::null())
        .spawn()
        .expect("it runs");
    wait_for_lines(folder.path(), 2);
    send(&child, Signal::HUP);
    assert!(child.wait().expect("it ends").success());
    let games = read_games(&folder.path().join("out/games.csv")).expect("a whole journal");
    assert_eq!(games.len(), 200);
}

/// Starts a run in which a game is in play that never ends: one bot introduces itself, gets ready,
/// and does nothing more.
fn start_and_wait_for_a_game(folder: &Path) -> Child {
    let mark = folder.join("ready");
    let config = format!(
        "seed = 1\n[game]\nname = \"cachex\"\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
         [limits]\nquit = \"1h\"\n\
         [[player]]\nname = \"asleep\"\n\
         command = [\"sh\", \"-c\", 'read a; echo bot 1 asleep; read b; echo ready; >\"$0\"; exec sleep 1d', {mark:?}]\n\
         [[player]]\nhouse = \"random\"\n"
    );
    let child = start(folder, &config);
    while !mark.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn twice_breaks_the_games_in_play_off_and_writes_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = start_and_wait_for_a_game(folder.path());
    send(&child, Signal::INT);
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("text");
    assert!(line.starts_with("stopping"), "{line}");
    send(&child, Signal::TERM);
    let mut words = String::new();
    stderr.read_to_string(&mut words).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(7), "{words}");
    assert!(
        words.contains("breaking off the games in play (1)"),
        "{words}"
    );
    assert!(
        words.contains("2 games left to play, 1 of them broken off"),
        "{words}"
    );
    assert!(words.contains("--resume"), "{words}");
    let out = folder.path().join("out");
    assert_eq!(read_games(&out.join("games.csv")).expect("a journal"), []);
    assert!(
        !out.join("games").exists(),
        "a game that is void leaves no log"
    );
    for table in [
        "ratings.csv",
        "standings.csv",
        "crosstable.csv",
        "history.csv",
    ] {
        assert!(out.join(table).exists(), "{table}");
    }
}

/// Stopped in its tracks, it hears of three signals at once, in whichever order.
#[test]
fn the_third_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = start_and_wait_for_a_game(folder.path());
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
