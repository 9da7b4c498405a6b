//! What a terminal is sent.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::config::{GREEDY, RANDOM, small_cachex};
use crate::support::needs::command;
use crate::support::program::REFEREE;
use crate::support::run::TestRun;

/// What this command writes to a terminal of 80 columns with this environment; `None` without the program that makes one.
fn on_a_terminal(folder: &Path, line: &str, environment: &[(&str, &str)]) -> Option<String> {
    let line = format!("stty cols 80 rows 24; exec {REFEREE} {line}");
    let mut command = command("script")?;
    command
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .envs(environment.iter().copied())
        .stdin(Stdio::null());
    let ran = command.output().expect("it ran");
    let shown = String::from_utf8(ran.stdout).expect("text");
    assert!(ran.status.success(), "{line}: {shown}");
    Some(shown)
}

/// A colour, and whatever else is no text.
const COLOUR: &str = "\u{1b}[1;3";
const ESCAPE: char = '\u{1b}';

#[test]
fn a_dumb_terminal_gets_text_alone() {
    let run = TestRun::new(&small_cachex(4, &[RANDOM, GREEDY]));
    let able = [("TERM", "xterm")];
    let dumb = [("TERM", "dumb")];
    let colourless = [("TERM", "xterm"), ("NO_COLOR", "1")];
    let shown = |line: &str, environment| on_a_terminal(run.folder(), line, environment);
    let play = "play cachex random random --set size=3";
    let Some(played) = shown(play, &able) else {
        return;
    };
    assert!(played.contains(COLOUR), "{played:?}");
    assert!(!shown(play, &colourless).expect("run").contains(ESCAPE));
    // The line of progress is drawn with escape sequences.
    let ran = shown("run config.toml --out able", &able).expect("run");
    assert!(ran.contains(ESCAPE), "{ran:?}");
    let ran = shown("run config.toml --out colourless", &colourless).expect("run");
    assert!(!ran.contains(COLOUR), "{ran:?}");
    let check = format!("check '{REFEREE} bot random' --game cachex --games 2");
    for line in [
        play,
        &check,
        "run config.toml --out dumb",
        "run config.toml --out dumb --resume",
        "replay dumb 0",
        "rate dumb",
        "games dumb",
        "verify dumb",
        "position cachex",
        "help run",
    ] {
        let shown = shown(line, &dumb).expect("run");
        assert!(!shown.contains(ESCAPE), "{line}: {shown:?}");
    }
}

/// Results that come slowly, so that reading them takes longer than work that is not mentioned.
#[test]
#[ignore = "slow"]
fn long_work_of_rate_shows_what_it_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("slow.csv");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let writer = thread::spawn(move || {
        let mut pipe = File::create(pipe).expect("a reader");
        thread::sleep(Duration::from_secs(3));
        pipe.write_all(b"ada,bob,1\nbob,ada,0.5\n").expect("read");
    });
    let shown = on_a_terminal(folder.path(), "rate slow.csv", &[("TERM", "xterm")]);
    let Some(shown) = shown else {
        // Nobody reads the pipe, and the writer waits.
        return;
    };
    writer.join().expect("written");
    assert!(shown.contains("reading games  2s"), "{shown:?}");
    // The line is cleared before the output.
    let (_, output) = shown.rsplit_once("reading games").expect("progress");
    let (cleared, _) = output.split_once("ada").expect("a table");
    assert!(cleared.contains("\u{1b}[2K"), "{output:?}");
}
