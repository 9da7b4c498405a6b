//! Tournaments between bots of this process, through the real runner and journal, also of games that nobody built in.

use std::path::Path;

use referee::bot::{Double, Fault, Patience, Reply};
use referee::config::{Plan, PlannedGame, PlannedOpening};
use referee::game::{Game, Games, Setup};
use referee::referee::Participant;
use referee::report::finish_run;
use referee::results::{Results, Settings};
use referee::runner::{
    Bot, Bots, Completed, Event, Host, Interrupt, RunError, Starter, Tournament,
};
use referee::runs::{GameRow, Repeat, Run, RunFolder};

use super::doubles::line;
use super::host::host;
use super::quick;

/// A folder for a run, or the run that is there and goes on.
pub fn run_folder(out: &Path, plan: &Plan) -> RunFolder {
    let stamp = host(plan, 1).stamp();
    RunFolder::resume(out, plan, stamp, Repeat::default(), &mut |_| ()).expect("a folder")
}

/// Plays the games that are left between bots that `start` makes, this number at a time.
pub fn play(
    plan: &Plan,
    jobs: usize,
    start: Starter<'_>,
    folder: RunFolder,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<Completed, RunError> {
    play_on(&host(plan, jobs), plan, start, folder, listen)
}

/// Plays them on this machine.
pub fn play_on(
    host: &Host,
    plan: &Plan,
    start: Starter<'_>,
    mut folder: RunFolder,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<Completed, RunError> {
    let interrupt = Interrupt::new().expect("a pipe");
    let tournament = Tournament {
        bots: Bots::From(start),
        ..Tournament::new(plan, host, &interrupt)
    };
    tournament.play(&mut folder, &mut |event| listen(event))
}

/// Plays the games that are left, of which none is set aside, and gives the run, with its tables, and its rows.
pub fn played(plan: &Plan, start: Starter<'_>, out: &Path) -> (Run, Vec<GameRow>) {
    let ended = play(plan, 1, start, run_folder(out, plan), &mut |_| ());
    assert_eq!(ended.expect("played").set_aside, 0);
    let run = finished(out, plan);
    let rows = run.rows().expect("a journal");
    let rows = rows.map(|row| row.expect("a row")).collect();
    (run, rows)
}

/// A bot that gives this reply to a request of a game, given its number in the game from 1.
pub fn bot(mut reply: impl FnMut(usize) -> Reply + Send + 'static) -> Bot {
    let brain = move |told: &[String]| {
        let begun = told.iter().rposition(|line| line.starts_with("start"));
        let asked = told[begun.unwrap_or(0)..].iter();
        let asked = asked.filter(|line| line.starts_with("act")).count();
        let answer = match told.last().and_then(|line| line.split(' ').next()) {
            Some("referee") => "bot 1 it",
            Some("start") => "ready",
            _ => return reply(asked),
        };
        line(answer)
    };
    Box::new(Participant::new(Double::new(brain)))
}

/// Keeps its card in the first ply of each game, and swaps it later.
fn cards(_player: usize, _worker: usize, _patience: Patience) -> Result<Bot, Fault> {
    Ok(bot(|asked| line(if asked == 1 { "keep" } else { "swap" })))
}

/// Plays a game pair of a game of cards and writes its tables. Gives the games that were void, then the games that were
/// set aside.
pub fn tournament(game: Game, out: &Path) -> (Vec<u64>, Vec<u64>) {
    let plan = Plan {
        games: vec![PlannedGame::new(
            Setup::new(game),
            PlannedOpening::Random(0),
        )],
        ..quick::plan(2, 2, "all")
    };
    let (mut void, mut set_aside) = (Vec::new(), Vec::new());
    let ended = play(
        &plan,
        1,
        &cards,
        run_folder(out, &plan),
        &mut |event| match event {
            Event::Void { id, .. } => void.push(*id),
            Event::SetAside(game) => set_aside.push(game.id),
            _ => {}
        },
    );
    assert_eq!(ended.expect("played").set_aside, set_aside.len());
    finished(out, &plan);
    (void, set_aside)
}

/// The games that files may name where there is this one alone.
pub fn only(game: Game) -> Games {
    Games::new(vec![game].leak())
}

pub fn finished(out: &Path, plan: &Plan) -> Run {
    let run = Run::open(out, only(plan.games[0].game())).expect("a run");
    let mut results = Results::of_run(&run).expect("a journal");
    let settings = Settings::of_run(&run);
    let rated = results.rate(&settings);
    finish_run(&run, &rated, &[]).expect("tables");
    run
}
