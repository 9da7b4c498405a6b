//! A tournament between bots of this process, of a game that nobody built in.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use referee::bot::{Double, Fault, Patience, Reply};
use referee::config::{Plan, PlannedGame, PlannedOpening};
use referee::game::{Game, Games, Setup};
use referee::referee::Participant;
use referee::report::finish_run;
use referee::results::{Results, Settings};
use referee::runner::{Bot, Bots, Event, Host, Interrupt, Tournament};
use referee::runs::{Run, RunFolder};

use crate::support::quick;

/// Keeps its card in the first ply of each game, and swaps it later.
fn start(_player: usize, _worker: usize, _patience: Patience) -> Result<Bot, Fault> {
    let brain = |told: &[String]| {
        let begun = told.iter().rposition(|line| line.starts_with("start"));
        let asked = told[begun.unwrap_or(0)..].iter();
        let asked = asked.filter(|line| line.starts_with("act")).count();
        let answer = match told.last().and_then(|line| line.split(' ').next()) {
            Some("referee") => "bot 1 cards",
            Some("start") => "ready",
            _ if asked == 1 => "keep",
            _ => "swap",
        };
        Reply::Line(answer.to_owned(), Duration::ZERO)
    };
    Ok(Box::new(Participant::new(Double::new(brain))))
}

/// Plays a game pair and writes its tables. Gives the games that were void, then the games that were set aside.
pub fn tournament(game: Game, out: &Path) -> (Vec<u64>, Vec<u64>) {
    let plan = Plan {
        games: vec![PlannedGame::new(
            Setup::new(game),
            PlannedOpening::Random(0),
        )],
        ..quick::plan(2, 2, "all")
    };
    let host = Host::unsupervised(&plan, NonZeroUsize::MIN);
    let mut folder = RunFolder::create(out, &plan, host.stamp()).expect("a folder");
    let interrupt = Interrupt::new().expect("a pipe");
    let (mut void, mut set_aside) = (Vec::new(), Vec::new());
    let mut listen = |event: &Event<'_>| match event {
        Event::Void { id, .. } => void.push(*id),
        Event::SetAside { id, .. } => set_aside.push(*id),
        _ => {}
    };
    let tournament = Tournament {
        bots: Bots::From(&start),
        ..Tournament::new(&plan, &host, &interrupt)
    };
    let ended = tournament.play(&mut folder, &mut listen);
    assert_eq!(ended.expect("played").set_aside, set_aside.len());
    finished(out, &plan);
    (void, set_aside)
}

/// The games that files may name where there is this one alone.
pub fn only(game: Game) -> Games {
    Games::new(vec![game].leak())
}

/// A run that was played, with its tables.
pub fn finished(out: &Path, plan: &Plan) -> Run {
    let run = Run::open(out, only(plan.games[0].game())).expect("a run");
    let mut results = Results::of_run(&run).expect("a journal");
    let settings = Settings::of_run(&run);
    let rated = results.rate(&settings);
    finish_run(&run, &rated, &[]).expect("tables");
    run
}
