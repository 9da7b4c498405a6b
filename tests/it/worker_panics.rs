//! A panic in a worker ends the run with an error, and everything that was played is kept.

use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::support::content::content;
use crate::support::{quick, read_games, tournament};
use referee::bot::{Double, Patience, Player, Reply};
use referee::config::Plan;
use referee::referee::Participant;
use referee::runner::{Completed, Event, RunError, Starter};

/// Plays the games that are left between bots that `start` makes. Gives how that ended, and the finished
/// games.
fn play(
    plan: &Plan,
    out: &Path,
    jobs: usize,
    start: Starter<'_>,
) -> (Result<Completed, RunError>, Vec<u64>) {
    let mut finished = Vec::new();
    let folder = tournament::run_folder(out, plan);
    let ended = tournament::play(plan, jobs, start, folder, &mut |event| {
        if let Event::Finished(row) = event {
            finished.push(row.id);
        }
    });
    (ended, finished)
}

#[test]
fn a_panic_in_a_game_ends_the_run_and_the_rest_is_played_later() {
    let plan = quick::plan(3, 2, "all");
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, out) = (folder.path().join("whole"), folder.path().join("out"));
    play(&plan, &whole, 1, &quick::start).0.expect("played");
    // Player 0 panics when it is to act.
    let start_broken = |player: usize, worker: usize, patience: Patience| {
        if player != 0 {
            return quick::start(player, worker, patience);
        }
        let brain = |told: &[String]| {
            let last = told.last().map_or("", String::as_str);
            let answer = match last.split(' ').next() {
                Some("referee") => "bot 1 broken",
                Some("start") => "ready",
                _ => panic!("a bug after {} lines", told.len()),
            };
            Reply::Line(answer.to_owned(), Duration::ZERO)
        };
        Ok(Box::new(Participant::new(Double::new(brain))) as Box<Participant<dyn Player>>)
    };

    let (ended, finished) = play(&plan, &out, 1, &start_broken);
    let Err(error @ RunError::WorkerFailed { .. }) = ended else {
        panic!("{ended:?}");
    };
    assert_starts!(error.to_string(), "a worker failed: a bug after ");
    assert_eq!(finished, [0, 1]);
    let rows = read_games(&out.join("games.csv")).expect("a journal");
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [0, 1]);

    let (ended, finished) = play(&plan, &out, 1, &quick::start);
    ended.expect("played");
    assert_eq!(finished, [2, 3, 4, 5]);
    assert_eq!(content(&out), content(&whole));
}

#[test]
fn a_game_in_play_is_finished_when_another_worker_panics() {
    let plan = quick::plan(3, 2, "all");
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let both_play = Barrier::new(2);
    let first_start = AtomicBool::new(true);
    let start = |player: usize, worker: usize, patience: Patience| {
        if worker == 1 {
            both_play.wait();
            panic!("a bug in a worker");
        }
        if first_start.swap(false, Ordering::Relaxed) {
            both_play.wait();
            // The dispatcher hears of the panic before this game is over.
            std::thread::sleep(Duration::from_millis(200));
        }
        quick::start(player, worker, patience)
    };
    let (ended, finished) = play(&plan, &out, 2, &start);
    assert!(
        matches!(&ended, Err(RunError::WorkerFailed { problem }) if problem == "a bug in a worker"),
        "{ended:?}"
    );
    assert!(!finished.is_empty());
    let rows = read_games(&out.join("games.csv")).expect("a journal");
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), finished);
}
