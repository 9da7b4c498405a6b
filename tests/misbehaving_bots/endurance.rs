//! What becomes of everything when the harness is killed, and of the harness after many hostile games.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use referee::config::Plan;
use referee::player::{Supervisor, supervise};
use referee::record::{RunFolder, read_games};
use referee::runner;

use crate::scene::{descriptors, processes};

/// Kills a harness in the middle of a game between bots that leave processes everywhere.
pub fn a_killed_harness_takes_its_bots_along() {
    let before = processes();
    let bot = "sh -c 'setsid sleep 15 & sleep 15 & exec sleep 15'";
    let mut harness = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["play", "cachex", bot, bot])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // The harness, and for each bot a supervisor and three times sleep.
    wait_until(|now| now.len() >= before.len() + 9);
    harness.kill().expect("killed");
    harness.wait().expect("ended");
    wait_until(|now| *now == before);
}

/// Waits for what is sure to come, for longer than any machine needs.
fn wait_until(come: impl Fn(&BTreeSet<u32>) -> bool) {
    for _ in 0..1000 {
        if come(&processes()) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(come(&processes()), "{:?}", processes());
}

/// Members whose games are over soon, with what they leave behind.
const CROWD: [&str; 15] = [
    "honest",
    "forks_twice_and_stays",
    "leaves_a_process_in_a_session_of_its_own",
    "leaves_stopped_processes",
    "leaves_fifty_orphans_in_every_ply",
    "forks_a_chain_of_short_lives",
    "exits_and_leaves_a_child_to_play_on",
    "kills_itself",
    "stops_its_supervisor",
    "kills_its_supervisor",
    "floods_its_stdout",
    "floods_with_debug_lines",
    "floods_its_stderr",
    "closes_its_stdout",
    "answers_twice",
];

/// Plays hundreds of games two at a time, and looks at the harness before and after.
pub fn a_harness_ends_as_it_began() {
    supervise::adopt_orphans().expect("this is Linux");
    let folder = tempfile::tempdir().expect("a folder");
    // The first run opens and keeps what the process keeps for all runs.
    play(1, &folder.path().join("first"));
    let before = (processes(), descriptors());
    let memory = resident_kib();
    let games = play(2, &folder.path().join("second"));
    assert!(games >= 200, "{games}");
    assert_eq!(before, (processes(), descriptors()), "something was left");
    let grown = resident_kib().saturating_sub(memory);
    println!("{games} games; the harness grew by {grown} KiB");
    // The threads' heaps come and go by some hundred KiB; a log that is kept for each game would show.
    assert!(grown < 4096, "{grown} KiB");
}

/// A round robin of the crowd, and how many games it had.
fn play(games_per_pairing: u32, out: &Path) -> usize {
    let zoo = std::env::current_exe().expect("a path");
    let mut config = format!(
        "seed = 1\n[game]\nname = \"cachex\"\nsize = 4\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = {games_per_pairing}\n\
         [limits]\nquit = \"100ms\"\n"
    );
    for member in CROWD {
        config.push_str(&format!(
            "[[player]]\nname = {member:?}\ncommand = [{zoo:?}, \"zoo\", {member:?}]\n"
        ));
    }
    let mut plan = Plan::parse(&config, Path::new("crowd.toml")).expect("a plan");
    plan.supervisor = Some(Supervisor {
        program: env!("CARGO_BIN_EXE_referee").into(),
    });
    let jobs = NonZeroUsize::new(2).expect("not zero");
    let mut folder = RunFolder::create(out, &plan, jobs.get()).expect("a folder");
    let stop = std::sync::atomic::AtomicBool::new(false);
    runner::run(&plan, &mut folder, jobs, &stop, &mut |_| {}).expect("played");
    let rows = read_games(&out.join("games.csv")).expect("a journal");
    for row in &rows {
        assert_ne!(row.forfeited_by, "honest", "{row:?}");
    }
    rows.len()
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a file");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
    number.expect("a size").parse().expect("a number")
}
