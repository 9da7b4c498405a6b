//! Bots that play by script.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write, stdin, stdout};

use referee::bot::{Launch, Supervisor};

/// Plays every second action of a script, and thinks before each, given how many were played in the game.
pub fn serve(script: &str, mut think: impl FnMut(usize)) {
    // A bare bot is to be scheduled as supervised ones are, which have sessions of their own.
    let _ = rustix::process::setsid();
    let actions: Vec<&str> = script.split(' ').collect();
    // A bot that hears of an action before its first request acts second.
    let mut next = None;
    let mut input = BufReader::new(stdin().lock());
    let mut output = stdout().lock();
    let mut line = String::new();
    let mut answer = String::new();
    while input.read_line(&mut line).is_ok_and(|count| count > 0) {
        answer.clear();
        if line.starts_with("act") {
            let action = next.unwrap_or(0) % actions.len();
            think(action / 2);
            let _ = writeln!(answer, "{}", actions[action]);
            next = Some(action + 2);
        } else if line.starts_with("did") {
            next = next.or(Some(1));
        } else if line.starts_with("start") {
            next = None;
            answer.push_str("ready\n");
        } else if line.starts_with("referee") {
            answer.push_str("bot 1 instant\n");
        } else if line.starts_with("quit") {
            return;
        }
        if !answer.is_empty() && output.write_all(answer.as_bytes()).is_err() {
            return;
        }
        line.clear();
    }
}

/// This program once more, with arguments by which it knows that it is to be a bot.
pub fn launch(args: &[&str]) -> Launch {
    Launch {
        program: std::env::current_exe().expect("this program"),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        dir: None,
        env: Vec::new(),
        course_files: None,
        submitted: false,
    }
}

pub fn supervisor() -> Supervisor {
    Supervisor {
        program: env!("CARGO_BIN_EXE_referee").into(),
    }
}
