//! What a terminal is sent.

use std::path::Path;
use std::process::Stdio;

use crate::support::config::{GREEDY, RANDOM, small_cachex};
use crate::support::{REFEREE, TestRun, command};

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
    let played = needed!(shown(play, &able));
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
