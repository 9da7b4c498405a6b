//! Games of more than two seats, by the protocol of rules programs.

mod chexers;
mod dropping;
mod helper;
mod pages;
mod poker;
mod tournaments;
mod tron;

use referee::game::Chance;
use referee::random::Stream;
use referee::rules::{Next, Program, Turn};

use crate::support::content::content;
use crate::support::python::python;
use crate::support::{TestRun, examples, play, root, turn};

/// A tournament by rules of the examples or of this folder, whose configuration goes on with `rest` after that of the game.
/// `None` where there is no Python.
fn tournament(rules: &str, game: &str, rest: &str) -> Option<TestRun> {
    python()?;
    let run = TestRun::new(&format!(
        "seed = 5\n[game]\nrules = [\"python3\", \"{rules}.py\"]\ndir = \"rules\"\n{game}\n{rest}"
    ));
    for file in ["game.py", &format!("{rules}.py")] {
        let folders = [examples(), root().join("tests/it/more_seats")];
        let mut files = folders.map(|folder| folder.join(file)).into_iter();
        let from = files.find(|from| from.exists()).expect("a file");
        run.copy(&from, &format!("rules/{file}"));
    }
    Some(run)
}

/// Plays the games of a run once more in two shards, which change nothing.
#[track_caller]
fn shards_play_the_games_of(run: &TestRun) {
    // A plan may warn of bots without a folder.
    run.referee("plan config.toml --out plan --shards 2").done();
    run.work(2);
    run.referee("merge plan").ok();
    run.referee("verify plan/run").ok();
    assert_eq!(content(&run.path("plan/run")), content(&run.out()));
}

fn acting(turn: &Turn) -> &[u8] {
    match &turn.next {
        Next::Act(seats) => seats,
        Next::End { .. } => &[],
    }
}

#[track_caller]
fn end(turn: &Turn) -> (Vec<String>, &str) {
    let end = match &turn.next {
        Next::End { points, reason } => Ok((points, reason)),
        Next::Act(seats) => Err(seats),
    };
    let (points, reason) = end.expect("an end");
    (points.iter().map(ToString::to_string).collect(), reason)
}

/// A legal action of each seat that acts, drawn at random.
fn draw(program: &mut Program, turn: &Turn, chance: &mut Stream) -> Vec<(u8, String)> {
    let choose = |seat: &u8| {
        let legal = program.legal(*seat).expect("a list");
        let count = u32::try_from(legal.len()).expect("a short list");
        (*seat, legal[chance.below(count) as usize].clone())
    };
    acting(turn).iter().map(choose).collect()
}

#[track_caller]
fn play_all(program: &mut Program, actions: &[(u8, &str)]) -> Turn {
    let owned: Vec<(u8, String)> = actions
        .iter()
        .map(|(seat, action)| (*seat, (*action).to_owned()))
        .collect();
    play(program, &owned)
}

#[track_caller]
fn leave(program: &mut Program, seat: u8) -> Turn {
    program.queue_request(format!("drop {seat}\n").as_bytes());
    turn(program.next_answer(&[]))
}

fn strings<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}
