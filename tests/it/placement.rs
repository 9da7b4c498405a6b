//! Where the bots of a game run, and what is said about it.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::executable::write_executable;
use crate::support::program::{Ran, referee_reading};

/// A bot that writes where it may run into the file `where` as it begins, and then plays nothing.
const BOT: &str = "#!/bin/sh\ngrep Cpus_allowed_list: /proc/self/status >>where\n";

fn run(folder: &Path, off_turn: &str, args: &[&str]) -> Ran {
    let bot = folder.join("bot");
    write_executable(&bot, BOT);
    let mut config = format!(
        "seed = 1\n[game]\nname = \"cachex\"\nsize = 3\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
         [limits]\noff-turn = \"{off_turn}\"\n"
    );
    for name in ["a", "b"] {
        config.push_str(&format!(
            "[[player]]\nname = \"{name}\"\ncommand = [\"./bot\"]\ndir = \"{}\"\n",
            folder.display()
        ));
    }
    let path = folder.join("config.toml");
    std::fs::write(&path, config).expect("written");
    let (path, out) = (path.display().to_string(), folder.join("out"));
    let out = out.display().to_string();
    let mut all = vec!["run", &path, "--out", &out];
    all.extend(args);
    referee_reading(b"", &all)
}

/// The lists of processors such as `0-3,8` that bots wrote down.
fn lists(folder: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder.join("where")).expect("they began");
    let list = |line: &str| line.split_whitespace().last().expect("a list").to_owned();
    text.lines().map(list).collect()
}

fn processors(list: &str) -> BTreeSet<u32> {
    list.split(',')
        .flat_map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            first.parse().expect("a number")..=last.parse().expect("a number")
        })
        .collect()
}

#[test]
fn pinned_bots_see_one_core() {
    let folder = tempfile::tempdir().expect("a folder");
    let ran = run(folder.path(), "stop", &["--pin", "-j1"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    let lists = lists(folder.path());
    assert_eq!(lists.len(), 1, "both bots of a game on one core: {lists:?}");
    let list = processors(lists.first().expect("one"));
    let first = list.first().expect("a processor");
    let siblings = std::fs::read_to_string(format!(
        "/sys/devices/system/cpu/cpu{first}/topology/thread_siblings_list"
    ));
    let Ok(siblings) = siblings else {
        println!("skipped: needs the topology of processors in /sys");
        return;
    };
    assert!(list.is_subset(&processors(siblings.trim())), "{list:?}");
    let manifest = std::fs::read_to_string(folder.path().join("out/manifest.toml"));
    assert!(manifest.expect("a manifest").contains("pinned = true"));
}

#[test]
fn bots_run_where_they_like_unless_they_are_pinned() {
    let folder = tempfile::tempdir().expect("a folder");
    let ran = run(folder.path(), "stop", &["-j1"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    let own = std::fs::read_to_string("/proc/self/status").expect("text");
    let own = own
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let own = own.expect("a list").trim().to_owned();
    assert_eq!(lists(folder.path()), BTreeSet::from([own]));
}

#[test]
fn more_games_than_cores_are_not_pinned_and_not_played_in_silence() {
    let folder = tempfile::tempdir().expect("a folder");
    let ran = run(folder.path(), "log", &["--pin", "-j1000"]);
    assert_eq!(ran.exit, 2, "{ran:?}");
    assert!(ran.stderr.contains("`--pin` has room for "), "{ran:?}");
    assert!(!folder.path().join("out").exists(), "nothing was done");
    assert_eq!(ran.stdout, "");

    let ran = run(folder.path(), "log", &["-j1000"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert!(
        ran.stderr.starts_with("warning: 1000 games at a time on "),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("physical core"), "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
}
