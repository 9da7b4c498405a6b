//! `referee check` on every member of the zoo: it ends, and says what is wrong.

use std::process::{Command, Stdio};

use referee::referee::Termination;

use crate::zoo::{Fate, Limits, MEMBERS, Member};

/// Under which name of the report a member fails.
fn failing(termination: Termination) -> &'static [&'static str] {
    match termination {
        Termination::Handshake => &["handshake", "ready"],
        Termination::Time | Termination::Stall => &["clock"],
        _ => &["games"],
    }
}

pub fn every_member_is_checked() {
    for member in MEMBERS {
        checked(member);
    }
}

fn checked(member: &Member) {
    let own = std::env::current_exe().expect("a path");
    let bot = format!("{} zoo {}", own.display(), member.name);
    // Only where somebody is waited for is there a need for haste.
    let (handshake, per_move) = match member.limits {
        Limits::Ample => ("60s", "60s"),
        Limits::ShortHandshake => ("2s", "60s"),
        Limits::ShortMoves | Limits::LittleCpu | Limits::WallCap => ("60s", "500ms"),
    };
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args([
            "check", &bot, "--json", "--game", "cachex", "--set", "size=5",
        ])
        .args([
            "--games",
            "2",
            "--handshake",
            handshake,
            "--per-move",
            per_move,
        ])
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let name = member.name;
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let checks = report["checks"].as_array().expect("checks");
    let failed = checks.iter().filter(|check| check["verdict"] == "failed");
    let failed: Vec<&serde_json::Value> = failed.collect();
    match member.fate {
        Fate::Plays => {
            assert_eq!(output.status.code(), Some(0), "{name}: {report}");
            assert!(failed.is_empty(), "{name}: {report}");
        }
        Fate::Forfeits(termination, words) => {
            assert_eq!(output.status.code(), Some(1), "{name}: {report}");
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
    // A busy machine may kill others too, for they have only a second.
    assert!(warned("quit") || name != "ignores_quit", "{report}");
    assert_eq!(warned("leftovers"), name == "leaves_a_child", "{report}");
}
