//! A whole tournament of misbehaving bots, through the program.

use referee::game::Seat;
use std::path::Path;
use std::process::Command;

use referee::config::Plan;
use referee::runner::{Interrupt, Tournament};
use referee::runs::{GameRow, Run, RunFolder};

use crate::catalogue::{self, Expected};
use crate::host::host;
use crate::reach::all_games;

pub fn entry(bot: &str) -> String {
    let program = std::env::current_exe().expect("a path");
    format!("[[player]]\nname = {bot:?}\ncommand = [{program:?}, \"bot\", {bot:?}]\n")
}

fn journal(out: &Path) -> Vec<GameRow> {
    let run = Run::open(out, all_games()).expect("a run");
    let rows = run.rows().and_then(Iterator::collect::<Result<Vec<_>, _>>);
    rows.expect("a journal")
}

/// Plays a configuration in this process, with supervisors, into `out`.
pub fn play_inside(config: &str, jobs: usize, out: &Path) -> Vec<GameRow> {
    let plan = Plan::parse(config, Path::new("config.toml"), all_games()).expect("a plan");
    let host = host(&plan, jobs);
    let mut folder = RunFolder::create(out, &plan, host.stamp()).expect("a folder");
    let interrupt = Interrupt::new().expect("a pipe");
    let tournament = Tournament::new(&plan, &host, &interrupt);
    tournament.play(&mut folder, &mut |_| {}).expect("played");
    journal(out)
}

/// The beginning of the configuration of a round robin, with `extra` in it.
pub fn begin(games_per_pairing: u32, extra: &str) -> String {
    format!(
        "seed = 1\n[game]\nname = \"cachex\"\nsize = 4\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = {games_per_pairing}\n{extra}\n"
    )
}

/// Plays a round robin of these bots, with `extra` in its configuration, into `out`.
pub fn tournament(bots: &[&str], extra: &str, out: &Path) -> Vec<GameRow> {
    let mut config = begin(1, extra);
    for bot in bots {
        config.push_str(&entry(bot));
    }
    let file = out.with_extension("toml");
    std::fs::write(&file, config).expect("written");
    let ran = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["run", "-q", "-j", "2", "--out"])
        .args([out, &file])
        .output()
        .expect("it runs");
    assert!(ran.status.success(), "{ran:?}");
    let said = String::from_utf8_lossy(&ran.stderr);
    // Forfeits are told, and where the machine is small it may be warned of that.
    let known = ["warning: ", "! ", "  "];
    let is_expected = |line: &str| known.iter().any(|it| line.starts_with(it));
    assert!(said.lines().all(is_expected), "{said}");
    journal(out)
}

pub fn a_tournament_goes_on() {
    let bots = "honest answers_the_handshake_wrong exits_at_the_handshake answers_the_start_wrong \
        answers_garbage plays_an_illegal_action answers_twice writes_what_is_no_text floods_its_stdout \
        exits_in_mid_game kills_itself closes_its_stdout ends_its_lines_like_windows";
    let bots: Vec<&str> = bots.split(' ').collect();
    let folder = tempfile::tempdir().expect("a folder");
    let rows = tournament(&bots, "", &folder.path().join("out"));
    let mut ids: Vec<u64> = rows.iter().map(|row| row.id).collect();
    ids.sort_unstable();
    let games = bots.len() as u64 * (bots.len() as u64 - 1) / 2;
    assert_eq!(ids, (0..games).collect::<Vec<_>>(), "every game has a row");
    for row in &rows {
        let names = row.names();
        let expectations = names.clone().map(|name| catalogue::find(name).expected());
        let faults = std::iter::zip(names.into_values(), expectations.into_values());
        let faults = faults.filter(|(_, expected)| *expected != Expected::Plays);
        let faults: Vec<&str> = faults.map(|(name, _)| name).collect();
        // Of two bots that misbehave the first to do so forfeits, or both if they do so at once.
        let by = row.forfeited_by();
        let forfeits = |name: &&&str| by == "both" || **name == by;
        let forfeiters: Vec<_> = faults.iter().filter(forfeits).collect();
        let honest = by != "both" && forfeiters.len() != usize::from(!by.is_empty());
        assert!(!honest, "an honest bot forfeits nothing: {row:?}");
        assert_eq!(forfeiters.is_empty(), faults.is_empty(), "{row:?}");
        for name in forfeiters {
            if let Expected::Forfeits(termination, words) = catalogue::find(name).expected() {
                assert_eq!(row.end.termination.name(), termination.name(), "{row:?}");
                assert!(row.detail().contains(words), "{row:?}");
            }
        }
    }
}

pub fn a_log_says_how_much_was_dropped() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let bots = ["floods_its_stderr", "honest"];
    let rows = tournament(&bots, "[limits]\nlog = \"1KiB\"", &out);
    let seat = match rows[0].players[Seat::FIRST].as_str() {
        "floods_its_stderr" => "red",
        _ => "blue",
    };
    let log =
        std::fs::read_to_string(out.join(format!("stderr/0000/000000-{seat}.log"))).expect("a log");
    let (_, dropped) = log
        .split_once("\n[")
        .expect("it says how much was not kept");
    let (dropped, _) = dropped
        .split_once(" bytes were not kept here]\n")
        .expect("bytes");
    let dropped: u64 = dropped.parse().expect("a number");
    assert!(dropped >= 3 * 120_000 - 1024 - 8192, "{dropped}");
    assert!(log.ends_with("a complaint\n"), "the end is kept");
}
