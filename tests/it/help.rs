//! `--help` at every level.

use crate::support::program::referee;

#[test]
fn every_command_explains_itself() {
    let help = referee("--help").ok();
    let (_, commands) = help.split_once("Commands:\n").expect("a list");
    let commands = commands.lines().take_while(|line| line.starts_with("  "));
    let mut commands: Vec<&str> = commands
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() > 7, "{commands:?}");
    commands.insert(0, "");
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
