//! Whether each listed action is accepted, at sampled positions.

use super::progress::{Budget, Progress};
use crate::check::rules::played::{Played, acting};
use crate::check::rules::report::{Check, RulesFlaw};
use crate::check::rules::request::{Actions, Request};
use crate::check::rules::session::{RulesSession, StepFailure};
use crate::check::rules::turns::legal_refused;
use crate::rules::Answer;

/// Positions that are sampled.
const POSITIONS: usize = 24;

/// Turns that are tried at a position.
const TURNS: usize = 256;

pub fn check(progress: &mut Progress<'_>) -> Result<(), StepFailure> {
    let mut session = progress.start(Check::Accepted)?;
    let mut budget = Budget::new(progress.plan);
    let (mut accepted, mut positions) = (0, 0);
    for (game, ply) in progress.positions(POSITIONS) {
        let turns = turns(progress, &mut session, game, ply)?;
        for actions in turns {
            if !budget.charge(&mut session) {
                break;
            }
            let game = &progress.games[game];
            if let Some(problem) = refusal(&mut session, game, ply, &actions)? {
                progress.report.add(session.finding(problem));
            }
            accepted += 1;
        }
        positions += 1;
        if !budget.charge(&mut session) {
            break;
        }
    }
    if progress.report.of(Check::Accepted).next().is_none() {
        progress.report.facts.accepted = Some((accepted, positions));
    }
    Ok(())
}

/// The turns to try at a position: all combinations of listed actions where they are few; else each action with a
/// random one of every other seat, and a sample where these are many.
fn turns(
    progress: &mut Progress<'_>,
    session: &mut RulesSession<'_>,
    game: usize,
    ply: usize,
) -> Result<Vec<Actions>, StepFailure> {
    let played = &progress.games[game];
    played.restore(session, ply)?;
    let acting = acting(played.turn(ply)).to_vec();
    let mut lists = Vec::new();
    for seat in acting {
        lists.push((seat, session.legal(seat)?));
    }
    if lists.iter().any(|(_, list)| list.is_empty()) {
        return Ok(Vec::new());
    }
    let combinations: Option<usize> = lists
        .iter()
        .try_fold(1, |all: usize, (_, list)| all.checked_mul(list.len()));
    if let Some(count) = combinations.filter(|count| *count <= TURNS) {
        return Ok((0..count)
            .map(|number| combination(&lists, number))
            .collect());
    }
    let mut turns = Vec::new();
    for (seat, list) in &lists {
        let mut order: Vec<&String> = list.iter().collect();
        crate::game::shuffle(&mut order, &mut progress.chance);
        for action in order.into_iter().take(TURNS) {
            let turn = lists.iter().map(|(other, list)| match other == seat {
                true => (*seat, action.clone()),
                false => (*other, list[progress.below(list.len())].clone()),
            });
            turns.push(turn.collect());
        }
    }
    Ok(turns)
}

/// The combination with a number.
fn combination(lists: &[(u8, Vec<String>)], mut number: usize) -> Actions {
    let choose = |(seat, list): &(u8, Vec<String>)| {
        let action = list[number % list.len()].clone();
        number /= list.len();
        (*seat, action)
    };
    lists.iter().map(choose).collect()
}

/// The problem, if the actions are refused.
fn refusal(
    session: &mut RulesSession<'_>,
    game: &Played,
    ply: usize,
    actions: &Actions,
) -> Result<Option<RulesFlaw>, StepFailure> {
    game.restore(session, ply)?;
    Ok(match session.answer(&Request::Play(actions.clone()))? {
        Answer::Turn(_) => None,
        Answer::Refused(refusal) => Some(legal_refused(actions, refusal)),
    })
}
