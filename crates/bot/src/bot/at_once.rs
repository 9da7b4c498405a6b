//! The answers of bots that were asked at once. Each has its own deadline, and each is waited for to its end.

use std::io;
use std::ops::ControlFlow;

use super::fault::Fault;
use super::pipes::Streams;
use super::player::{AnswerWait, Piped, Player};
use crate::clock::{Spent, Wait};

/// The fault of a bot, and the time that it had spent by then.
#[derive(Debug)]
pub struct Unanswered {
    pub fault: Fault,
    pub spent: Spent,
}

pub struct Asked<'a> {
    pub player: &'a mut dyn Player,
    pub wait: Wait,
    pub answer: &'a mut String,
}

/// A player behind pipes whose answer is awaited beside others'.
struct Awaited<'a> {
    index: usize,
    player: &'a mut dyn Piped,
    answer: &'a mut String,
    waiting: AnswerWait,
}

pub fn answer_of(
    player: &mut dyn Player,
    wait: Wait,
    answer: &mut String,
) -> Result<Spent, Unanswered> {
    let answered = player.answer(wait, answer);
    answered.map_err(|fault| unanswered(player, fault))
}

fn unanswered(player: &mut dyn Player, fault: Fault) -> Unanswered {
    let spent = player.unanswered();
    Unanswered { fault, spent }
}

/// Waits until each of the players that were asked has answered or failed. Returns what became of each, in their order.
pub fn answers_at_once(asked: Vec<Asked<'_>>) -> Vec<Result<Spent, Unanswered>> {
    let mut results = Vec::with_capacity(asked.len());
    let (mut awaited, mut in_process) = (Vec::new(), Vec::new());
    for (index, asked) in asked.into_iter().enumerate() {
        if asked.player.piped().is_none() {
            in_process.push((index, asked));
            continue;
        }
        let (wait, answer) = (asked.wait, asked.answer);
        let Some(player) = asked.player.piped() else {
            continue;
        };
        match player.begin_wait(wait, answer) {
            Ok(ControlFlow::Continue(waiting)) => awaited.push(Awaited {
                index,
                player,
                answer,
                waiting,
            }),
            Ok(ControlFlow::Break(spent)) => results.push((index, Ok(spent))),
            Err(fault) => results.push((index, Err(unanswered(player, fault)))),
        }
    }
    while !awaited.is_empty() {
        go_on(&mut awaited, &mut results);
    }
    // A player in this process answers when it is asked, and may be a person who thinks: pipes are read first.
    results.extend(
        in_process
            .into_iter()
            .map(|(index, asked)| (index, answer_of(asked.player, asked.wait, asked.answer))),
    );
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Waits until a stream of one of the players is ready, and reads it. Players that are over go to the results.
fn go_on(awaited: &mut Vec<Awaited<'_>>, results: &mut Vec<(usize, Result<Spent, Unanswered>)>) {
    let streams = awaited.iter().map(|it| {
        let streams = it.player.streams(&it.waiting);
        streams.ok_or(io::ErrorKind::BrokenPipe.into())
    });
    let ready = streams
        .collect::<io::Result<Vec<Streams<'_>>>>()
        .and_then(Streams::wait_for_any);
    let mut ready = ready.map(Vec::into_iter);
    awaited.retain_mut(|it| {
        let answered = match &mut ready {
            Ok(ready) => match ready.next() {
                Some(ready) => it.player.wait_on(&mut it.waiting, ready, it.answer),
                None => Ok(None),
            },
            Err(error) => Err(Fault::Machine(error.kind().into())),
        };
        let result = match answered {
            Ok(None) => return true,
            Ok(Some(spent)) => Ok(spent),
            Err(fault) => Err(unanswered(&mut *it.player, fault)),
        };
        results.push((it.index, result));
        false
    });
}
