//! Nothing is left when the harness is killed, and nothing piles up over many hostile games.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use referee::bot::{Tier, supervise};

use crate::namespace::{groups, processes, traces};
use crate::tournament::{begin, entry, play_inside};

/// Kills a harness in the middle of a game between bots that leave processes everywhere.
pub fn a_killed_harness_takes_its_bots_along(tier: Tier) {
    let before = processes();
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = config(tier, 2);
    for name in ["one", "other"] {
        config.push_str(&format!(
            "[[player]]\nname = {name:?}\ndir = {:?}\n\
             shell = \"setsid sleep 15 & sleep 15 & exec sleep 15\"\n",
            folder.path()
        ));
    }
    let file = folder.path().join("config.toml");
    std::fs::write(&file, config).expect("written");
    let mut harness = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["run", "-j", "1", "--out"])
        .args([&folder.path().join("out"), &file])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // The harness, the maker of shims, and for each bot a shim and three times `sleep`. A sandbox adds two.
    let sandbox = if tier == Tier::Strict { 2 } else { 0 };
    wait_until(|now| now.len() >= before.len() + 10 + 2 * sandbox);
    harness.kill().expect("killed");
    harness.wait().expect("ended");
    // A control group goes after its last process has gone.
    wait_until(|now| *now == before && groups().is_empty());
}

/// Waits, for longer than any machine needs.
fn wait_until(come: impl Fn(&BTreeSet<u32>) -> bool) {
    for _ in 0..1000 {
        if come(&processes()) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(come(&processes()), "{:?}", processes());
}

/// Bots whose games are short and that leave things behind.
const CROWD: &str = "honest forks_twice_and_stays leaves_a_process_in_a_session_of_its_own leaves_stopped_processes \
    leaves_fifty_orphans_in_every_ply forks_a_chain_of_short_lives exits_and_leaves_a_child_to_play_on \
    kills_itself stops_its_supervisor kills_its_supervisor floods_its_stdout floods_with_debug_lines \
    floods_its_stderr closes_its_stdout answers_twice";

/// Plays hundreds of games two at a time, and looks at the harness before and after.
pub fn a_harness_ends_as_it_began(tier: Tier) {
    supervise::adopt_orphans().expect("this is Linux");
    let folder = tempfile::tempdir().expect("a folder");
    // The first run opens what the process keeps open for all runs.
    play(tier, 1, &folder.path().join("first"));
    let before = traces();
    let memory = resident_kib();
    let games = play(tier, 2, &folder.path().join("second"));
    assert!(games >= 200, "{games}");
    let after = traces();
    assert_eq!(before, after, "something was left");
    let now = resident_kib();
    let grown = now.saturating_sub(memory);
    println!(
        "{games} games in the tier {}, two at a time: {} descriptors before, {} after; {memory} KiB of \
         memory before, {now} after",
        tier.name(),
        before.descriptors,
        after.descriptors
    );
    // The heaps of threads vary by some hundred KiB. A log kept for each game would take more.
    assert!(grown < 4096, "{grown} KiB");
}

/// A round robin of the crowd, and how many games it had.
fn play(tier: Tier, games_per_pairing: u32, out: &Path) -> usize {
    let own = tempfile::tempdir().expect("a folder");
    let mut config = config(tier, games_per_pairing);
    for bot in CROWD.split(' ') {
        config.push_str(&entry(bot));
        config.push_str(&format!("dir = {:?}\n", own.path()));
    }
    let rows = play_inside(&config, 2, out);
    for row in &rows {
        assert_ne!(row.forfeited_by(), "honest", "{row:?}");
    }
    rows.len()
}

fn config(tier: Tier, games_per_pairing: u32) -> String {
    let limits = format!("[limits]\nquit = \"100ms\"\nisolation = {:?}", tier.name());
    begin(games_per_pairing, &limits)
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a file");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
    number.expect("a size").parse().expect("a number")
}
