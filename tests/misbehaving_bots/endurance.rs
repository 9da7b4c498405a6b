//! Nothing is left when the harness is killed, and nothing piles up over many hostile games.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use referee::game::Blame;
use referee::player::{Confinement, Tier, supervise};
use rustix::process::{Pid, Signal, kill_process};

use crate::namespace::{groups, processes, traces};
use crate::tournament::{entry, play_inside};
use crate::{game_against, launch, supervised};

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
    wait_until(|now| *now == before);
    assert_eq!(groups(), BTreeSet::new());
}

/// Stops and kills the maker of shims between games, as a bot of the same user may.
pub fn a_maker_of_shims_that_is_stopped_or_killed_harms_no_game() {
    supervise::adopt_orphans().expect("this is Linux");
    let play = || {
        let subject = supervised(&launch("honest"), &Confinement::default());
        let (mut subject, end) = game_against("honest", subject);
        assert_eq!(end.blame, Blame::Nobody, "{end:?}");
        subject.finish();
    };
    play();
    let first = maker_of_shims();
    kill_process(first, Signal::STOP).expect("it lives");
    play();
    assert_eq!(maker_of_shims(), first);
    kill_process(first, Signal::KILL).expect("it lives");
    play();
    assert_ne!(maker_of_shims(), first);
}

/// The one process that this one has besides bots.
fn maker_of_shims() -> Pid {
    let is_maker = |process: &u32| {
        let command = std::fs::read_to_string(format!("/proc/{process}/cmdline"));
        command.is_ok_and(|words| words.ends_with("\0maker\0"))
    };
    let makers: Vec<u32> = processes().into_iter().filter(is_maker).collect();
    assert_eq!(makers.len(), 1, "{makers:?}");
    Pid::from_raw(makers[0].cast_signed()).expect("a number")
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
    for bot in CROWD {
        config.push_str(&entry(bot));
        config.push_str(&format!("dir = {:?}\n", own.path()));
    }
    let rows = play_inside(&config, 2, out);
    for row in &rows {
        assert_ne!(row.forfeited_by(), "honest", "{row:?}");
    }
    rows.len()
}

/// The beginning of a configuration.
fn config(tier: Tier, games_per_pairing: u32) -> String {
    format!(
        "seed = 1\n[game]\nname = \"cachex\"\nsize = 4\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = {games_per_pairing}\n\
         [limits]\nquit = \"100ms\"\nisolation = {:?}\n",
        tier.name()
    )
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a file");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
    number.expect("a size").parse().expect("a number")
}
