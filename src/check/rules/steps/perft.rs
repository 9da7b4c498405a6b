//! Counts of all sequences of turns of each length.

use super::progress::Progress;
use crate::check::rules::played::replies;
use crate::check::rules::report::Check;
use crate::check::rules::request::{Actions, Request, Start};
use crate::check::rules::session::{Reply, RulesSession, StepFailure};
use crate::rules::{Answer, Next};

pub fn count(progress: &mut Progress<'_>) -> Result<(), StepFailure> {
    let mut session = progress.start(Check::Legal)?;
    let start = progress.start_of(0);
    let depth = progress.plan.perft as usize;
    let mut counts = vec![0; depth];
    let mut turns = Vec::new();
    visit(&mut session, &start, &mut turns, &mut counts)?;
    progress.report.facts.perft = counts;
    Ok(())
}

/// Counts the continuations of some turns, and visits them where longer ones are wanted.
fn visit(
    session: &mut RulesSession<'_>,
    start: &Start,
    turns: &mut Vec<Actions>,
    counts: &mut [u64],
) -> Result<(), StepFailure> {
    let mut lists = Vec::new();
    for seat in acting(session, start, turns)? {
        lists.push((seat, session.legal(seat)?));
    }
    if lists.is_empty() {
        return Ok(());
    }
    let depth = turns.len();
    let sizes = lists.iter().map(|(_, list)| list.len() as u64);
    let count: u64 = sizes.fold(1, u64::saturating_mul);
    counts[depth] = counts[depth].saturating_add(count);
    if depth + 1 == counts.len() {
        return Ok(());
    }
    for number in 0..count {
        let mut rest = number;
        let choose = |(seat, list): &(u8, Vec<String>)| {
            let size = list.len() as u64;
            let index = (rest % size) as usize;
            rest /= size;
            (*seat, list[index].clone())
        };
        turns.push(lists.iter().map(choose).collect());
        visit(session, start, turns, counts)?;
        turns.pop();
    }
    Ok(())
}

/// The seats that act after some turns.
fn acting(
    session: &mut RulesSession<'_>,
    start: &Start,
    turns: &[Actions],
) -> Result<Vec<u8>, StepFailure> {
    let plays = turns.iter().map(|actions| Request::Play(actions.clone()));
    let requests: Vec<Request> = std::iter::once(Request::New(start.clone()))
        .chain(plays)
        .collect();
    Ok(match replies(session, &requests)?.pop() {
        Some(Reply::Answer(Answer::Turn(turn))) => match turn.next {
            Next::Act(seats) => seats,
            Next::End { .. } => Vec::new(),
        },
        _ => Vec::new(),
    })
}
