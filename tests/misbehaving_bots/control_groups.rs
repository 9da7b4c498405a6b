//! Bots in control groups of their own, where the system lets one be made.

use std::path::Path;
use std::sync::LazyLock;

use referee::bot::{Fault, Process};

use crate::catalogue;
use crate::needs::skip;
use crate::{HELLO, act, ask, launch, supervised};

/// Runs a bot that answers with the groups that it is in. Asked to act, it holds much memory for a
/// moment.
pub fn say_its_groups() {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        if line.starts_with("act") {
            drop(std::hint::black_box(vec![1_u8; 120 << 20]));
        }
        let groups = std::fs::read_to_string("/proc/self/cgroup").expect("text");
        let paths = groups.lines().filter_map(|line| line.rsplit_once(':'));
        let names = paths.filter_map(|(_, path)| path.rsplit('/').next());
        let own = names.filter(|name| name.starts_with("referee-"));
        crate::honest::say(&format!("groups {}", own.collect::<Vec<_>>().join(" ")));
    }
}

/// How many folders of that name there are, anywhere below this one.
fn count(folder: &Path, name: &str) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| usize::from(entry.file_name() == name) + count(&entry.path(), name))
        .sum()
}

/// A bot that holds little memory and answers with its groups, and its answer.
fn start() -> (Process, String) {
    let mut process = supervised(
        &launch("says_its_groups"),
        &catalogue::find("fills_memory").confinement(),
    );
    let answer = ask(&mut process, &HELLO).expect("an answer");
    (process, answer)
}

/// The group in an answer, which is the same in each hierarchy.
fn group(answer: &str) -> Option<&str> {
    answer.split(' ').nth(1).filter(|name| !name.is_empty())
}

pub fn are_made() -> bool {
    static MADE: LazyLock<bool> = LazyLock::new(|| group(&start().1).is_some());
    *MADE
}

pub fn a_bot_has_a_group_that_is_removed_with_it() {
    let (mut process, answer) = start();
    let Some(name) = group(&answer) else {
        skip("a control group that can be written to");
        return;
    };
    let mounts = Path::new("/sys/fs/cgroup");
    let found = count(mounts, name);
    assert_eq!(found, answer.split(' ').count() - 1, "{answer}");
    // However short the moment is, it cannot hold more than it may.
    let fault = ask(&mut process, &act()).expect_err("a fault");
    assert!(matches!(fault, Fault::Memory { .. }), "{fault}");
    process.finish();
    assert_eq!(count(mounts, name), 0);
}
