//! `referee check` on every misbehaving bot: it ends and says what is wrong.

use std::process::{Command, Stdio};

use referee::bot::Tier;
use referee::referee::Termination;

use crate::catalogue::{Expected, Kind, Limits, MisbehavingBot, of_kind};
use crate::namespace::{is_again, processes};

/// The checks of the report that a bot may fail.
fn failing(termination: Termination) -> &'static [&'static str] {
    match termination {
        Termination::Handshake => &["handshake", "ready"],
        Termination::Time | Termination::Stall => &["clock"],
        _ => &["games"],
    }
}

/// The exit code of `referee check` on a bot at Cachex, and the report.
fn report(bot: &MisbehavingBot, args: &[&str]) -> (Option<i32>, serde_json::Value) {
    let own = std::env::current_exe().expect("a path");
    let command = format!("{} bot {}", own.display(), bot.name);
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args([
            "check", &command, "--json", "--game", "cachex", "--set", "size=5",
        ])
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let name = &bot.name;
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
    let report = serde_json::from_slice(&output.stdout);
    (output.status.code(), report.expect("JSON"))
}

/// A bot fails the right check with the right words, or passes.
pub fn checked(bot: &'static MisbehavingBot) {
    // Short times only for bots that would be waited for in vain.
    let (handshake, per_move) = match bot.limits {
        Limits::Ample => ("60s", "60s"),
        Limits::ShortHandshake => ("2s", "60s"),
        Limits::ShortMoves | Limits::LittleCpu | Limits::WallCap => ("60s", "500ms"),
    };
    let (exit, report) = report(
        bot,
        &[
            "--games",
            "2",
            "--quit",
            "300ms",
            "--handshake",
            handshake,
            "--per-move",
            per_move,
        ],
    );
    let name = &bot.name;
    let checks = report["checks"].as_array().expect("checks");
    let failed = checks.iter().filter(|check| check["verdict"] == "failed");
    let failed: Vec<&serde_json::Value> = failed.collect();
    match bot.expected() {
        Expected::Plays => {
            assert_eq!(exit, Some(0), "{name}: {report}");
            assert!(failed.is_empty(), "{name}: {report}");
        }
        Expected::Forfeits(termination, words) => {
            assert_eq!(exit, Some(1), "{name}: {report}");
            // The check measures wall time alone.
            let words = match bot.limits {
                Limits::LittleCpu => "no answer within 0.5",
                _ => words,
            };
            let found = failed.iter().find(|check| {
                let name = check["name"].as_str().unwrap_or_default();
                failing(termination).contains(&name)
            });
            let seen = found.and_then(|check| check["seen"].as_str());
            assert!(
                seen.is_some_and(|seen| seen.contains(words)),
                "{name}: {report}"
            );
        }
    }
    let warned = |wanted: &str| {
        let mut checks = checks.iter();
        checks.any(|check| check["verdict"] == "warn" && check["name"] == wanted)
    };
    // Others may be killed too where the machine is busy.
    assert!(warned("quit") || name != "ignores_quit", "{report}");
    assert_eq!(warned("leftovers"), name == "leaves_a_child", "{report}");
}

/// `referee check` on hostile bots writes its report and leaves nothing behind.
pub fn hostile_bots_are_checked(_: Tier) {
    let before = processes();
    for bot in of_kind(Kind::Hostile) {
        let limits = ["--games", "1", "--per-move", "1s", "--memory", "256MiB"];
        let (exit, report) = report(bot, &limits);
        let name = &bot.name;
        // One that slows the whole machine may keep the check from its games, which the report says.
        let expected = match report["too_busy"].is_string() {
            true => matches!(exit, Some(6)),
            false => matches!(exit, Some(0 | 1)),
        };
        assert!(expected, "{name}: {exit:?}: {report}");
        let checks = report["checks"].as_array().expect("checks");
        let leftovers = checks.iter().find(|check| check["name"] == "leftovers");
        let verdict = leftovers.map(|check| &check["verdict"]);
        assert!(
            verdict.is_some_and(|verdict| verdict != "failed"),
            "{name}: {report}"
        );
        assert!(is_again(&before, processes), "{name} left something");
    }
}
