//! The answers of bots that were asked at once. Each has its own deadline, and each is waited for to its end.

use std::io;
use std::ops::ControlFlow;

use super::fault::Fault;
use super::pipes::{ReadyStreams, Streams};
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

enum Progress {
    Waits(AnswerWait),
    Over(Result<Spent, Unanswered>),
}

/// A player behind pipes whose answer is awaited beside others'.
struct Awaited<'a> {
    index: usize,
    player: &'a mut dyn Piped,
    answer: &'a mut String,
    progress: Progress,
}

pub fn answer_of(
    player: &mut dyn Player,
    wait: Wait,
    answer: &mut String,
) -> Result<Spent, Unanswered> {
    player.answer(wait, answer).map_err(|fault| Unanswered {
        fault,
        spent: player.unanswered(),
    })
}

/// Waits until each of the players that were asked has answered or failed. Returns what became of each, in their order.
pub fn answers_at_once(asked: Vec<Asked<'_>>) -> Vec<Result<Spent, Unanswered>> {
    let mut awaited = Vec::with_capacity(asked.len());
    let mut in_process = Vec::new();
    for (index, asked) in asked.into_iter().enumerate() {
        if asked.player.piped().is_none() {
            in_process.push((index, asked));
            continue;
        }
        let Asked {
            player,
            wait,
            answer,
        } = asked;
        if let Some(player) = player.piped() {
            awaited.push(Awaited::begin(index, player, wait, answer));
        }
    }
    while awaited.iter().any(Awaited::waits) {
        go_on(&mut awaited);
    }
    let mut results: Vec<_> = awaited
        .into_iter()
        .filter_map(|it| match it.progress {
            Progress::Over(result) => Some((it.index, result)),
            Progress::Waits(_) => None,
        })
        .collect();
    // A player in this process answers when it is asked, and may be a person who thinks: pipes are read first.
    results.extend(
        in_process
            .into_iter()
            .map(|(index, asked)| (index, answer_of(asked.player, asked.wait, asked.answer))),
    );
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Waits until a stream is ready of a player whose wait is not over, and reads it.
fn go_on(awaited: &mut [Awaited<'_>]) {
    let streams = awaited.iter().filter(|it| it.waits()).map(Awaited::streams);
    let ready = streams
        .collect::<io::Result<Vec<Streams<'_>>>>()
        .and_then(Streams::wait_for_any);
    let waiting = awaited.iter_mut().filter(|it| it.waits());
    match ready {
        Ok(ready) => waiting.zip(ready).for_each(|(it, ready)| it.go_on(ready)),
        Err(error) => waiting.for_each(|it| it.failed(Fault::Machine(error.kind().into()))),
    }
}

impl<'a> Awaited<'a> {
    fn begin(index: usize, player: &'a mut dyn Piped, wait: Wait, answer: &'a mut String) -> Self {
        let progress = match player.begin_wait(wait, answer) {
            Ok(ControlFlow::Continue(waiting)) => Progress::Waits(waiting),
            Ok(ControlFlow::Break(spent)) => Progress::Over(Ok(spent)),
            Err(fault) => Progress::Over(Err(Unanswered {
                fault,
                spent: player.unanswered(),
            })),
        };
        Self {
            index,
            player,
            answer,
            progress,
        }
    }

    fn waits(&self) -> bool {
        matches!(self.progress, Progress::Waits(_))
    }

    fn streams(&self) -> io::Result<Streams<'_>> {
        let streams = match &self.progress {
            Progress::Waits(waiting) => self.player.streams(waiting),
            Progress::Over(_) => None,
        };
        streams.ok_or(io::ErrorKind::BrokenPipe.into())
    }

    fn go_on(&mut self, ready: ReadyStreams) {
        let Progress::Waits(waiting) = &mut self.progress else {
            return;
        };
        match self.player.wait_on(waiting, ready, self.answer) {
            Ok(None) => {}
            Ok(Some(spent)) => self.progress = Progress::Over(Ok(spent)),
            Err(fault) => self.failed(fault),
        }
    }

    fn failed(&mut self, fault: Fault) {
        let spent = self.player.unanswered();
        self.progress = Progress::Over(Err(Unanswered { fault, spent }));
    }
}
