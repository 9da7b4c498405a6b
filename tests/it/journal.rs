//! Runs go on after the journal or a log was cut off at any byte.

use std::path::PathBuf;

use crate::support::config::{GREEDY, RANDOM, shell, small_cachex};
use crate::support::content::content;
use crate::support::{TestRun, host, quick, referee_in, run_folder, tournament};
use referee::config::Plan;
use referee::game::BUILT_IN;
use referee::runner::Event;
use referee::runs::{GameRow, Repeat, Rows, Run, RunFolder};

/// Three players, with a pair of games between each two.
fn plan() -> Plan {
    quick::plan(3, 2, "all")
}

/// Plays the games that are left, one at a time, and shows `finished` each row.
fn watch(plan: &Plan, folder: RunFolder, mut finished: impl FnMut(&GameRow)) {
    let ended = tournament::play(plan, 1, &quick::start, folder, &mut |event| {
        if let Event::Finished(row) = event {
            finished(row);
        }
    });
    ended.expect("played");
}

/// The same. Gives the numbers of the games.
fn play(plan: &Plan, folder: RunFolder) -> Vec<u64> {
    let mut played = Vec::new();
    watch(plan, folder, |row| played.push(row.id));
    played
}

/// A complete run. Its folder is removed with the first value.
fn whole(plan: &Plan) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    play(plan, run_folder(&out, plan));
    (folder, out)
}

#[test]
#[ignore = "slow"]
fn a_row_that_is_torn_at_any_byte_is_played_again() {
    let plan = plan();
    let (_folder, out) = whole(&plan);
    let before = content(&out);
    let journal = out.join("games.csv");
    let bytes = std::fs::read(&journal).expect("a journal");
    let lines: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'\n').collect();
    assert_eq!(lines.len(), 7, "a header and six rows");
    let (header, last) = (lines[0] + 1, lines[5] + 1);
    let all: Vec<u64> = (0..6).collect();
    // Without a whole header all is played again, so not every byte of it is tried.
    for length in (0..=header).rev().step_by(9).chain(last..bytes.len()) {
        std::fs::write(&journal, &bytes[..length]).expect("written");
        let expected = if length > header { &all[5..] } else { &all };
        let found = play(&plan, run_folder(&out, &plan));
        assert_eq!(found, expected, "{length} bytes");
        assert_eq!(content(&out), before, "{length} bytes");
    }
}

#[test]
#[ignore = "slow"]
fn a_log_that_is_torn_at_any_byte_is_written_again_with_its_game() {
    let plan = plan();
    let (_folder, out) = whole(&plan);
    let before = content(&out);
    let log = out.join("games/0000/000003.csv");
    let bytes = std::fs::read(&log).expect("a log");
    let header = bytes.iter().position(|byte| *byte == b'\n');
    let header = header.expect("a header");
    for length in (0..header).step_by(9).chain(header..bytes.len()) {
        std::fs::write(&log, &bytes[..length]).expect("written");
        assert_eq!(play(&plan, run_folder(&out, &plan)), [3], "{length} bytes");
        assert_eq!(content(&out), before, "{length} bytes");
    }
}

#[test]
fn a_run_without_logs_goes_on_and_can_be_verified() {
    let plan = quick::plan(4, 2, "none");
    let (_folder, out) = whole(&plan);
    assert!(!out.join("games").exists());
    let journal = out.join("games.csv");
    let text = std::fs::read_to_string(&journal).expect("a journal");
    let half: Vec<&str> = text.split_inclusive('\n').take(6).collect();
    std::fs::write(&journal, half.concat()).expect("written");
    let rows: Vec<u64> = (5..12).collect();
    let mut before = Vec::new();
    let folder = RunFolder::resume(
        &out,
        &plan,
        host(&plan, 1).stamp(),
        Repeat::default(),
        &mut |row: &GameRow| {
            before.push(row.id);
        },
    );
    assert_eq!(play(&plan, folder.expect("it can go on")), rows);
    assert_eq!(before, [0, 1, 2, 3, 4]);
    let mut results = referee::results::Results::default();
    for row in Rows::open(&journal, BUILT_IN).expect("a journal") {
        results.add(&(&row.expect("a row")).into());
    }
    let settings = referee::results::Settings::default();
    let rated = results.rate(&settings);
    let run = Run::open(&out, BUILT_IN).expect("a run");
    referee::report::finish_run(&run, &rated, &[]).expect("written");
    let ran = referee_in(&out, "verify .").done();
    assert_has!(ran.stdout, "12 of the games left no log");
}

/// A resumed run must not take the other logs for lost.
#[test]
fn only_forfeits_have_logs_where_the_plan_says_so() {
    let logs = "[record]\nlogs = \"forfeits\"\n";
    let broken = shell("broken", "echo broken >&2; exit 1");
    let run = TestRun::played(&small_cachex(2, &[logs, RANDOM, GREEDY, &broken]));
    let games = run.games();
    for row in &games {
        let log = run.path(&format!("out/games/0000/{:06}.csv", row.id));
        assert_eq!(log.exists(), row.is_forfeited(), "game {}", row.id);
    }
    let forfeits = games.iter().filter(|row| row.is_forfeited()).count();
    assert_eq!(forfeits, 4);
    let logs = std::fs::read_dir(run.path("out/stderr/0000")).expect("logs");
    assert_eq!(logs.count(), 4);
    let before = content(&run.out());
    run.play(&["--resume"]);
    assert_eq!(content(&run.out()), before);
    let ran = run.referee("verify out");
    assert!(ran.stdout.contains("2 of the games left no log"), "{ran:?}");
}
