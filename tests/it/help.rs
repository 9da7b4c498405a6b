//! `--help` at every level.

use crate::support::program::referee_reading;

#[test]
#[rustfmt::skip]
fn every_command_explains_itself() {
    let setup: &[&str] = &["--set <KEY=VALUE>", "--seed <SEED>", "<GAME>"];
    let commands: [(&str, &str, &[&[&str]]); 9] = [
        ("", "Usage: referee <COMMAND>", &[&["run", "play", "position", "check", "replay", "rate", "verify", "bot", "Exit codes:"]]),
        ("run", "Usage: referee run [OPTIONS] <CONFIG>", &[&["<CONFIG>", "--out <DIR>", "-j, --jobs <N>"]]),
        ("play", "Usage: referee play [OPTIONS] <GAME> <FIRST> <SECOND>", &[setup, &["<FIRST>", "<SECOND>", "--per-game <TIME>", "--per-move <TIME>", "--opening-plies <N>"]]),
        ("position", "Usage: referee position [OPTIONS] <GAME>", &[setup, &["--actions <FILE>", "--each", "--legal", "--json", "--reveal"]]),
        ("check", "Usage: referee check [OPTIONS] --game <GAME> <BOT>", &[&["<BOT>", "--game <GAME>", "--set <KEY=VALUE>", "--dir <DIR>", "--games <N>", "--per-move <TIME>", "--quit <TIME>", "--memory <SIZE>", "--json", "Examples:"]]),
        ("replay", "Usage: referee replay [OPTIONS] <RUN> <ID>", &[&["<RUN>", "<ID>", "--ply <N>", "--json", "--transcript", "--seat <SEAT>", "--into [<BOT>]", "--until <PLY>", "--wait", "--time <TIME>", "Examples:"]]),
        ("rate", "Usage: referee rate [OPTIONS] <FILE>...", &[&["<FILE>...", "--anchor <NAME[=ELO]>", "--sort <COLUMN>", "--table <TABLE>", "--player <NAME>", "--since <DATE>"]]),
        ("verify", "Usage: referee verify <RUN>", &[&["<RUN>"]]),
        ("bot", "Usage: referee bot [OPTIONS] <NAME>", &[&["<NAME>", "--nodes <NODES>"]]),
    ];
    for (command, usage, options) in commands {
        let mut args: Vec<&str> = command.split_whitespace().collect();
        args.push("--help");
        let ran = referee_reading(b"", &args);
        assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""), "{command}");
        assert!(ran.stdout.lines().any(|line| line == usage), "{}", ran.stdout);
        for option in options.concat() {
            let mut lines = ran.stdout.lines().map(str::trim_start);
            let at = lines.position(|line| line.starts_with(option));
            assert!(at.is_some(), "{command}: {option} is not explained");
        }
        // What every option does is said on the line after it, if not behind it.
        let lines: Vec<&str> = ran.stdout.lines().collect();
        for (line, next) in lines.iter().zip(&lines[1..]) {
            if line.trim_start().starts_with("--") {
                assert!(next.starts_with("          ") && !next.trim().is_empty(), "{line}");
            }
        }
    }
}

#[test]
fn an_unknown_command_or_option_is_a_usage_error() {
    for args in [
        &["walk"][..],
        &["run", "x.toml", "--jbs", "3"],
        &["run"],
        &[],
    ] {
        let ran = referee_reading(b"", args);
        assert_eq!((ran.exit, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains("Usage: referee"), "{}", ran.stderr);
    }
}
