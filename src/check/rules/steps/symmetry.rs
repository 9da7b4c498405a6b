//! The swap test: where the hello has `symmetric`, a game with exchanged seats has exchanged answers.

use super::progress::Progress;
use crate::check::rules::played::{Played, acting};
use crate::check::rules::report::{Check, RulesFlaw};
use crate::check::rules::request::{Actions, Request};
use crate::check::rules::session::{RulesSession, StepFailure};
use crate::rules::{Answer, Next, Turn};

/// Games that are played with exchanged seats.
const GAMES: usize = 40;

pub fn check(progress: &mut Progress<'_>) -> Result<(), StepFailure> {
    let mut session = progress.start(Check::Symmetry)?;
    let has = session.hello().has;
    if !has.symmetric {
        progress.report.miss(Check::Symmetry, "`has symmetric`");
        return Ok(());
    }
    if has.hidden {
        progress
            .report
            .miss(Check::Symmetry, "a game where nothing is hidden");
        return Ok(());
    }
    let all_act = |game: &Played| acting(&game.opening).len() == usize::from(game.start.seats);
    if !progress.games.iter().all(all_act) {
        progress.report.miss(
            Check::Symmetry,
            "a game where all seats act first: here one seat begins",
        );
        return Ok(());
    }
    let mut exchanged = 0;
    for game in progress.games.iter().take(GAMES) {
        if uses_seed(&mut session, game)? {
            continue;
        }
        if let Some(ply) = differs(&mut session, game)? {
            progress
                .report
                .add(session.finding(RulesFlaw::NotSymmetric { ply }));
            return Ok(());
        }
        exchanged += 1;
    }
    match exchanged {
        0 => progress.report.miss(
            Check::Symmetry,
            "a game where nothing is drawn from the seed",
        ),
        games => progress.report.facts.exchanged = Some(games),
    }
    Ok(())
}

/// Whether the game goes otherwise from another seed.
fn uses_seed(session: &mut RulesSession<'_>, game: &Played) -> Result<bool, StepFailure> {
    let mut start = game.start.clone();
    start.seed ^= 1;
    for (ply, request) in game.requests(game.steps.len()).into_iter().enumerate() {
        let request = match request {
            Request::New(_) => Request::New(start.clone()),
            request => request,
        };
        match session.answer(&request)? {
            Answer::Turn(turn) if turn == *game.turn(ply) => {}
            _ => return Ok(true),
        }
    }
    Ok(false)
}

/// The first ply whose answer is not the exchanged one.
fn differs(session: &mut RulesSession<'_>, game: &Played) -> Result<Option<usize>, StepFailure> {
    let seats = game.start.seats;
    for (ply, request) in game.requests(game.steps.len()).into_iter().enumerate() {
        let request = match request {
            Request::Play(actions) => Request::Play(exchange(actions, seats)),
            request => request,
        };
        match session.answer(&request)? {
            Answer::Turn(turn) if is_exchanged(&turn, game.turn(ply), seats) => {}
            _ => return Ok(Some(ply)),
        }
    }
    Ok(None)
}

/// Each action by the next seat.
fn exchange(actions: Actions, seats: u8) -> Actions {
    let mut all: Actions = actions
        .into_iter()
        .map(|(seat, action)| ((seat + 1) % seats, action))
        .collect();
    all.sort_unstable();
    all
}

/// Whether the continuation of `turn` is the one of `original`, each seat in place of the one before it.
fn is_exchanged(turn: &Turn, original: &Turn, seats: u8) -> bool {
    match (&turn.next, &original.next) {
        (Next::Act(now), Next::Act(then)) => {
            let mut then: Vec<u8> = then.iter().map(|seat| (seat + 1) % seats).collect();
            then.sort_unstable();
            *now == then
        }
        (Next::End { points: now, .. }, Next::End { points: then, .. }) => {
            let mut then = then.clone();
            then.rotate_right(1);
            *now == then
        }
        _ => false,
    }
}
