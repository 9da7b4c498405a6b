//! Tests pass on a machine with Rust and a C linker alone, so each asks for any other program before it starts it.

use std::fs;

use crate::support::files::{files_below, has_extension};
use crate::support::program::root;

/// Programs that every Debian has, and probes whose failure is the answer.
const EVERYWHERE: [&str; 7] = ["bwrap", "chown", "cp", "env", "mkfifo", "sh", "unshare"];

#[test]
fn tests_ask_for_programs_in_one_way() {
    let sources = files_below(&root().join("tests"));
    let sources = sources.iter().filter(|file| has_extension(file, "rs"));
    let mut wrong = Vec::new();
    for file in sources.filter(|file| !file.ends_with("support/needs.rs")) {
        let text = fs::read_to_string(file).expect("text");
        for (at, line) in text.lines().enumerate() {
            let started = line.split_once("Command::new(\"").map(|(_, rest)| rest);
            let started = started.and_then(|rest| rest.split('"').next());
            let is_asked = started.is_none_or(|name| EVERYWHERE.contains(&name));
            if !is_asked || line.contains(concat!("ln!(\"", "skipped")) {
                wrong.push(format!("{}:{}: {}", file.display(), at + 1, line.trim()));
            }
        }
    }
    let wrong = wrong.join("\n");
    assert!(
        wrong.is_empty(),
        "write `needs::command` or `needs::skip`:\n{wrong}"
    );
}
