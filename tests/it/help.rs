//! `--help` at every level.

use crate::support::{referee, root};

#[test]
fn every_command_explains_itself() {
    let help = referee("--help").ok();
    let (commands, _) = help.split_once("Options:\n").expect("a list");
    let mut commands: Vec<&str> = commands
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() > 7, "{commands:?}");
    commands.extend(", game check, new bot, new tournament, new class, new game".split(", "));
    for command in commands {
        let help = referee(&format!("{command} --help")).ok();
        // The line after an option explains it.
        let lines: Vec<&str> = help.lines().collect();
        for (line, next) in lines.iter().zip(&lines[1..]) {
            if line.trim_start().starts_with("--") {
                let is_explained = next.starts_with("          ") && !next.trim().is_empty();
                assert!(is_explained, "{command}: {line}");
            }
        }
        assert_screen!(format!("help {command}").trim().replace(' ', "_"), help);
    }
}

#[test]
fn an_unknown_command_or_option_is_a_usage_error() {
    for line in ["walk", "run x.toml --jbs 3", "run", ""] {
        referee(line).fails(2, "Usage: referee");
    }
}

#[test]
fn files_that_help_names_exist() {
    let help = ["", "run", "play", "check", "replay"]
        .map(|command| referee(&format!("{command} --help")).ok());
    let help = help.concat();
    let words = help.split([' ', '"', '\n', ',', ';', '`', ')']);
    let is_file = |word: &&str| word.starts_with("bots/") || word.starts_with("configs/");
    let files = words.filter(is_file);
    let files: Vec<&str> = files.map(|word| word.trim_end_matches('.')).collect();
    assert!(files.len() > 2, "{files:?}");
    // Alice's bot is only an example.
    for file in files.iter().filter(|file| !file.contains("alice")) {
        assert!(root().join(file).exists(), "{file}");
    }
}

#[test]
fn shells_complete_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = referee(&format!("completions {shell}")).ok();
        for word in ["replay", "position", "resume"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    referee("completions").fails(2, "<SHELL>");
}

#[test]
fn all_pages_for_man_are_written_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man 1");
    let line = format!("man --out '{}'", pages.display());
    assert_eq!(referee(&line).ok(), "");
    for (file, words) in [
        ("referee.1", ".TH referee 1"),
        ("referee-run.1", ".TH referee-run 1"),
        ("referee-game-check.1", ".TH referee-game-check 1"),
    ] {
        let page = std::fs::read_to_string(pages.join(file)).expect("a page");
        assert!(page.contains(words), "{file}: {page}");
    }
    referee("man --out Cargo.toml").fails(5, "Cargo.toml: File exists");
    referee("man walk").fails(2, "there is no command `walk`: expected one of run, play,");
    referee("man run --out x").fails(2, "cannot be used with");
}
