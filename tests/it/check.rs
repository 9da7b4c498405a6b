//! `referee check`: the report on bots that are fit for a tournament, and on those that are not.

use std::process::Command;

use crate::support::pages::Page;
use crate::support::program::{Ran, referee_reading};

/// A small board, and limits that no machine is too slow for.
const ROOMY: [&str; 10] = [
    "--game",
    "cachex",
    "--set",
    "size=4",
    "--per-move",
    "60s",
    "--handshake",
    "60s",
    "--quit",
    "60s",
];

fn check(bot: &str, args: &[&str]) -> Ran {
    referee_reading(b"", &[&["check", bot][..], args].concat())
}

/// A command of the house bot that plays at random, with something before it or behind it.
fn around_random(shell: &str) -> String {
    let random = format!("{} bot random", env!("CARGO_BIN_EXE_referee"));
    format!("sh -c '{}'", shell.replace("RANDOM", &random))
}

/// The report with every number, and what a process was found to hold, replaced by an N.
fn without_figures(report: &str) -> String {
    let mut text = String::new();
    for c in report.chars() {
        match c {
            '0'..='9' | '.' if text.ends_with('N') => {}
            '0'..='9' => text.push('N'),
            c => text.push(c),
        }
    }
    text
}

/// The line of one check, without its verdict and name, and those below it.
fn lines<'a>(report: &'a str, verdict: &str, name: &str) -> Vec<&'a str> {
    let begin = format!("{verdict:<8} {name:<12} ");
    let mut lines = report.lines().skip_while(|line| !line.starts_with(&begin));
    let first = lines.next().unwrap_or_default();
    assert!(first.starts_with(&begin), "no {begin}in\n{report}");
    let below = lines.take_while(|line| line.starts_with(' '));
    std::iter::once(&first[begin.len()..])
        .chain(below.map(str::trim_start))
        .collect()
}

#[test]
fn a_bot_that_is_fit_for_a_tournament() {
    let ran = check("greedy", &ROOMY);
    assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""), "{ran:?}");
    assert_eq!(
        without_figures(&ran.stdout),
        "ok       handshake    `bot N greedy` after N s of N s\n\
         ok       ready        after N s at most, of N s\n\
         ok       games        N of N to their end, as red and blue: N won, N drawn, N lost against random\n\
         ok       clock        slowest answer N s of N s\n\
         ok       memory       N MiB at most; no limit was set\n\
         ok       determinism  game N, as red again: the same actions\n\
         ok       next game    game N, as blue in a process of its own: the same\n\
         ok       off turn     N s of processor time at most between its turns\n\
         ok       output       nothing but answers\n\
         ok       quit         exits when it is told to\n\
         ok       leftovers    no process is left\n\
         \n\
         greedy at cachex: N ok, N warn, N failed, N skipped\n"
    );
    assert!(
        ran.stdout
            .ends_with(" 11 ok, 0 warn, 0 failed, 0 skipped\n")
    );
    assert!(ran.stdout.contains("4 of 4 to their end"), "{}", ran.stdout);
}

#[test]
fn the_report_as_json() {
    let ran = check(
        "sh -c 'read a; echo hello; cat'",
        &[&ROOMY[..], &["--json"]].concat(),
    );
    assert_eq!((ran.exit, ran.stderr.as_str()), (1, ""), "{ran:?}");
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["bot"], "sh -c 'read a; echo hello; cat'");
    assert_eq!(report["game"], "cachex");
    assert_eq!(report["verdict"], "failed");
    let checks = report["checks"].as_array().expect("checks");
    assert_eq!(
        checks[0],
        serde_json::json!({
            "name": "handshake",
            "verdict": "failed",
            "seen": "answered `hello` to the handshake: expected `bot 1 NAME`",
            "hint": "the first line on standard output must be the answer to `referee 1`: nothing \
                     may be printed before it, not even by an import",
        })
    );
    assert_eq!(
        checks[1],
        serde_json::json!({"name": "ready", "verdict": "skipped", "seen": "needs an answer to the handshake"})
    );
    let names: Vec<_> = checks
        .iter()
        .filter_map(|check| check["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "handshake",
            "ready",
            "games",
            "clock",
            "memory",
            "determinism",
            "next game",
            "off turn",
            "output",
            "quit",
            "leftovers"
        ]
    );
}

#[test]
fn every_game_can_be_checked() {
    for game in ["watch-your-back", "dark-chess"] {
        let ran = check(
            "random",
            &[
                "--game",
                game,
                "--set",
                "max-plies=40",
                "--per-move",
                "60s",
                "--games",
                "3",
                "--quit",
                "60s",
            ],
        );
        assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""), "{ran:?}");
        assert!(ran.stdout.contains("3 of 3 to their end"), "{}", ran.stdout);
        assert!(!ran.stdout.contains("warn  ") && !ran.stdout.contains("failed  "));
    }
}

/// The answer lies in a buffer until the input ends, as with `print` in many languages.
#[test]
fn who_forgets_to_flush_is_told_so() {
    let ran = check(
        "sh -c 'cat >/dev/null; echo bot 1 late'",
        &[&ROOMY[..6], &["--handshake", "300ms", "--quit", "60s"]].concat(),
    );
    assert_eq!(ran.exit, 1, "{ran:?}");
    let lines = lines(&ran.stdout, "failed", "handshake");
    assert!(lines[0].starts_with("no answer within 0."), "{lines:?}");
    assert!(
        lines[1].starts_with("-> `bot 1 late` came when its input was closed")
            && lines[1].contains("flush after every line: print(..., flush=True)"),
        "{lines:?}"
    );
}

#[test]
fn a_python_bot_that_forgets_to_flush_is_told_so() {
    if !Command::new("python3")
        .arg("--version")
        .output()
        .is_ok_and(|ran| ran.status.success())
    {
        println!("skipped: needs python3");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let text = "import sys\nfor line in sys.stdin:\n    print('bot 1 snake')\n";
    std::fs::write(folder.path().join("bot.py"), text).expect("written");
    let dir = folder.path().to_str().expect("text");
    let ran = check(
        "env -u PYTHONUNBUFFERED python3 bot.py",
        &[
            "--game",
            "cachex",
            "--dir",
            dir,
            "--handshake",
            "5s",
            "--quit",
            "60s",
        ],
    );
    assert_eq!(ran.exit, 1, "{ran:?}");
    let lines = lines(&ran.stdout, "failed", "handshake");
    assert!(
        lines[1].starts_with("-> `bot 1 snake` came when"),
        "{lines:?}"
    );
}

#[test]
fn a_crash_is_shown_with_what_the_bot_wrote_last() {
    let bot = "sh -c 'read a; echo bot 1 x; read b; echo ready; read c; \
               echo Traceback >&2; echo \"  KeyError: 7\" >&2; exit 3'";
    let ran = check(bot, &ROOMY);
    assert_eq!(ran.exit, 1, "{ran:?}");
    assert_eq!(
        lines(&ran.stdout, "failed", "games"),
        [
            "game 1, as red: crash: the bot's process exited with code 3; its standard error ends with `Traceback`",
            "| Traceback",
            "|   KeyError: 7",
            "-> what it wrote last usually says why; `referee play` against it shows the same",
        ]
    );
}

#[test]
fn what_surprises_is_a_warning_and_loses_nothing() {
    let cases = [
        // Another seed in every process.
        (
            "sed -u \"s/seed=[0-9]*/seed=$$/\" | RANDOM",
            "determinism",
            "another game from ply",
        ),
        // The first `start` of a process is left alone, those after it are not.
        (
            "sed -u \"0,/^start/!s/seed=[0-9]*/seed=1/\" | RANDOM",
            "next game",
            "in a process of its own: another game from ply",
        ),
        (
            "RANDOM; exec sleep 600",
            "quit",
            "still there 1.000 s after `quit`, and killed",
        ),
        (
            "sleep 600 </dev/null >/dev/null 2>&1 & RANDOM",
            "leftovers",
            "processes outlived the bot, and were killed",
        ),
        (
            "yes | head -c 300000 >&2; RANDOM",
            "output",
            "300000 bytes of debug output in 4 games, of which",
        ),
    ];
    for (shell, name, words) in cases {
        // Only who is waited for in vain gets little time.
        let args = if name == "quit" { &ROOMY[..8] } else { &ROOMY };
        let ran = check(&around_random(shell), args);
        assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""), "{shell}: {ran:?}");
        let lines = lines(&ran.stdout, "warn", name);
        assert!(lines[0].contains(words), "{shell}: {lines:?}");
        assert!(lines[1].starts_with("-> "), "{shell}: {lines:?}");
    }
}

#[test]
fn what_loses_games_is_a_failure() {
    let cases = [
        ("echo Loading model; RANDOM", "handshake", "`Loading model`"),
        (
            "read a; echo bot 1 x; read b; echo go; cat >/dev/null",
            "ready",
            "answered `go` to the start of the game: expected `ready`",
        ),
        (
            "RANDOM | while read -r line; do echo $line; case $line in ready|bot*);; *) echo hm;; esac; done",
            "games",
            "`hm`",
        ),
        (
            "RANDOM | sed -u s/^[a-d][1-4]$/d4/",
            "games",
            "illegal_action: played `d4` at ply",
        ),
        (
            "RANDOM | sed -u \"s/^\\([a-d][1-4]\\)$/I play \\1/\"",
            "games",
            "protocol_error: answered `I play ",
        ),
    ];
    for (shell, name, words) in cases {
        let ran = check(&around_random(shell), &ROOMY);
        assert_eq!((ran.exit, ran.stderr.as_str()), (1, ""), "{shell}: {ran:?}");
        let lines = lines(&ran.stdout, "failed", name);
        assert!(lines[0].contains(words), "{shell}: {lines:?}");
        let last = lines.last().expect("a hint");
        assert!(last.starts_with("-> "), "{shell}: {lines:?}");
    }
}

#[test]
fn a_bot_that_holds_too_much_memory_fails() {
    let hog = "read a; echo bot 1 hog; x=$(head -c 40000000 /dev/zero | tr \"\\0\" x); read b; \
               echo ready; sleep 5";
    let bot = format!("sh -c '{hog}'");
    let ran = check(&bot, &[&ROOMY[..], &["--memory", "16MiB"]].concat());
    assert_eq!(ran.exit, 1, "{ran:?}");
    let lines = lines(&ran.stdout, "failed", "memory");
    assert!(
        lines[0].ends_with("of memory; the limit is 16.0 MiB"),
        "{lines:?}"
    );
    assert_eq!(
        lines[1],
        "-> hold less at a time, or ask for a higher limit"
    );
}

#[test]
fn what_cannot_be_checked_is_a_usage_error() {
    let cases: [(&str, &[&str], &str); 6] = [
        (
            "no-such-bot",
            &["--game", "cachex"],
            "there is no program `no-such-bot` in PATH",
        ),
        (
            "random",
            &["--game", "cachex", "--set", "size=99"],
            "--set size=99: expected",
        ),
        (
            "random",
            &["--game", "cachex", "--memory", "5"],
            "expected a size from 1MiB",
        ),
        ("random", &["--game", "go"], "invalid value 'go'"),
        (
            "random",
            &["--game", "cachex", "--quit", "9999999years"],
            "expected a time of at most 30 days",
        ),
        (
            "random",
            &["--game", "cachex", "--dir", "no/such"],
            "there is no folder `no/such`",
        ),
    ];
    for (bot, args, words) in cases {
        let ran = check(bot, args);
        assert_eq!((ran.exit, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn every_check_is_explained() {
    let ran = check("random", &[&ROOMY[..], &["--games", "1"]].concat());
    let names = ran.stdout.lines().take_while(|line| !line.is_empty());
    let names: Vec<&str> = names.map(|line| line[9..21].trim_end()).collect();
    assert_eq!(
        Page::read("failures.md").column("Before the tournament", 0),
        names
    );
}
