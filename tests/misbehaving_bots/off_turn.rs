//! Bots that compute while it is not their turn.

use std::cell::RefCell;
use std::time::Duration;

use referee::bot::{Confinement, CpuSource, Fault, OffTurn, Player, Process};

use crate::catalogue::NOTE;
use crate::helpers::PYTHON;
use crate::needs::skip;
use crate::{HELLO, ask, launch, supervised, wait_until};

/// Runs a bot that answers every line with the number of its process and never stops computing.
pub fn compute_all_the_time() {
    std::thread::spawn(|| {
        loop {
            std::hint::spin_loop();
        }
    });
    for line in std::io::stdin().lines().map_while(Result::ok) {
        if line == "quit" {
            return;
        }
        crate::honest::say(&std::process::id().to_string());
    }
}

/// Such a bot before its first request.
fn begin(off_turn: OffTurn) -> Process {
    let confinement = Confinement {
        off_turn,
        ..Confinement::default()
    };
    supervised(&launch("computes_all_the_time"), &confinement)
}

/// Such a bot, which has answered once, and its process.
fn start(off_turn: OffTurn) -> (Process, u32) {
    let mut process = begin(off_turn);
    let pid = ask(&mut process, &HELLO).expect("an answer");
    (process, pid.parse().expect("a number"))
}

/// What `/proc` says of a process, behind its name: its state first.
fn stat(pid: u32) -> Vec<String> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("it lives");
    let (_, fields) = text.rsplit_once(") ").expect("a name");
    fields.split(' ').map(str::to_owned).collect()
}

/// Waits until a process has computed for 0.3 s more.
pub fn compute_a_while(pid: u32) {
    // User time, in ticks of 10 ms.
    let used = |fields: Vec<String>| fields[11].parse::<u64>().expect("a number");
    let before = used(stat(pid));
    wait_until(|| used(stat(pid)) >= before + 30);
}

pub fn a_bot_is_stopped_between_its_turns() {
    let (mut process, pid) = start(OffTurn::Stop);
    wait_until(|| stat(pid)[0] == "T");
    let found = ask(&mut process, &HELLO).expect("an answer");
    assert_eq!(found, pid.to_string());
    wait_until(|| stat(pid)[0] == "T");
    // It goes on once more to hear that it may quit.
    process.dismiss();
    process.close(Duration::from_secs(60));
    assert_eq!(process.finish().killed, 0);
}

/// A program that takes long to start, as Python does, is at nobody's expense before its first request.
pub fn a_start_is_no_time_off_turn() {
    for off_turn in [OffTurn::Stop, OffTurn::Forbid] {
        let process = RefCell::new(begin(off_turn));
        process.borrow_mut().await_start();
        let used = || process.borrow_mut().contention().off_turn;
        wait_until(|| used() >= Duration::from_millis(200));
        ask(&mut process.borrow_mut(), &HELLO).expect("an answer");
    }
}

pub fn a_bot_that_computes_off_turn_forfeits() {
    let (mut process, pid) = start(OffTurn::Forbid);
    compute_a_while(pid);
    // However often it is looked at, all its time counts.
    for _ in 0..3 {
        let used = process.contention().off_turn;
        assert!(used >= Duration::from_millis(250), "{used:?}");
    }
    let fault = ask(&mut process, &HELLO).expect_err("a fault");
    assert!(matches!(fault, Fault::OffTurn { .. }), "{fault}");

    let (mut process, pid) = start(OffTurn::Log);
    compute_a_while(pid);
    ask(&mut process, &HELLO).expect("an answer");
}

/// Short processes that nobody waits for, each of which starts the next, do not compute for nothing.
pub fn a_helper_that_hides_its_work_is_charged() {
    if !std::path::Path::new(PYTHON).exists() {
        skip(PYTHON);
        return;
    }
    if CpuSource::here() != CpuSource::Counter {
        skip("a counter of processor time (kernel.perf_event_paranoid)");
        return;
    }
    for name in [
        "answers_and_leaves_a_helper",
        "answers_and_leaves_an_uncounted_helper",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let note = folder.path().join("note");
        let mut launch = launch(name);
        launch.env = vec![
            (NOTE.to_owned(), note.display().to_string()),
            ("TMPDIR".to_owned(), folder.path().display().to_string()),
        ];
        let confinement = Confinement {
            off_turn: OffTurn::Forbid,
            ..Confinement::default()
        };
        let mut process = supervised(&launch, &confinement);
        assert_eq!(ask(&mut process, &HELLO).expect("an answer"), "ready");
        wait_until(|| note.exists());
        let fault = ask(&mut process, &HELLO).expect_err("a fault");
        // Root may read what nobody else may, so nothing is hidden from it.
        let is_charged = matches!(fault, Fault::OffTurn { .. } | Fault::Uncounted);
        assert!(is_charged, "{name}: {fault}");
    }
}
