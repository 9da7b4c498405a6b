//! `referee check` on every member of the zoo: it ends, and says what is wrong.

use std::process::{Command, Stdio};

use referee::referee::Termination;

use crate::hostile::HOSTILE;
use crate::scene::processes;
use crate::zoo::{Fate, Limits, Member};

/// Under which name of the report a member fails.
fn failing(termination: Termination) -> &'static [&'static str] {
    match termination {
        Termination::Handshake => &["handshake", "ready"],
        Termination::Time | Termination::Stall => &["clock"],
        _ => &["games"],
    }
}

/// `referee check` on a member at Cachex, as JSON, and its exit code.
fn report(member: &Member, args: &[&str]) -> (Option<i32>, serde_json::Value) {
    let own = std::env::current_exe().expect("a path");
    let bot = format!("{} zoo {}", own.display(), member.name);
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args([
            "check", &bot, "--json", "--game", "cachex", "--set", "size=5",
        ])
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let name = member.name;
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
    let report = serde_json::from_slice(&output.stdout);
    (output.status.code(), report.expect("JSON"))
}

/// A member of the zoo fails as it is to, under the right name, or passes.
pub fn checked(member: &Member) {
    // Only where somebody is waited for is there a need for haste.
    let (handshake, per_move) = match member.limits {
        Limits::Ample => ("60s", "60s"),
        Limits::ShortHandshake => ("2s", "60s"),
        Limits::ShortMoves | Limits::LittleCpu | Limits::WallCap => ("60s", "500ms"),
    };
    let (exit, report) = report(
        member,
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
    let name = member.name;
    let checks = report["checks"].as_array().expect("checks");
    let failed = checks.iter().filter(|check| check["verdict"] == "failed");
    let failed: Vec<&serde_json::Value> = failed.collect();
    match member.fate {
        Fate::Plays => {
            assert_eq!(exit, Some(0), "{name}: {report}");
            assert!(failed.is_empty(), "{name}: {report}");
        }
        Fate::Forfeits(termination, words) => {
            assert_eq!(exit, Some(1), "{name}: {report}");
            // A processor's time is not counted here, and a wall's cap is the limit itself.
            let words = match member.limits {
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
    // A busy machine may kill others too, for they have little time.
    assert!(warned("quit") || name != "ignores_quit", "{report}");
    assert_eq!(warned("leftovers"), name == "leaves_a_child", "{report}");
}

/// Those that turn on the harness, in a namespace of their own: the report is written, and nothing
/// is left.
pub fn hostile_bots_are_checked() {
    let before = processes();
    for member in HOSTILE {
        let limits = ["--games", "1", "--per-move", "1s", "--memory", "256MiB"];
        let (exit, report) = report(member, &limits);
        let name = member.name;
        assert!(matches!(exit, Some(0 | 1)), "{name}: {exit:?}");
        let checks = report["checks"].as_array().expect("checks");
        let leftovers = checks.iter().find(|check| check["name"] == "leftovers");
        let verdict = leftovers.map(|check| &check["verdict"]);
        assert!(
            verdict.is_some_and(|verdict| verdict != "failed"),
            "{name}: {report}"
        );
        assert_eq!(processes(), before, "{name} left something");
    }
}
