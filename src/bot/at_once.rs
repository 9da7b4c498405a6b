//! The answers of two bots that were asked at once. Each has its own deadline, and each is waited for to its end.

use std::io;
use std::ops::ControlFlow;

use super::answer_wait::AnswerWait;
use super::fault::Fault;
use super::pipes::{ReadyStreams, Streams};
use super::player::{Piped, Player};
use crate::clock::{Spent, Wait};

/// The fault of a bot, and the time that it had spent by then.
#[derive(Debug)]
pub struct Unanswered {
    /// Why there is no answer.
    pub fault: Fault,
    /// The time spent.
    pub spent: Spent,
}

/// A player whose answer is awaited beside another's.
struct Side<'a> {
    player: &'a mut dyn Piped,
    answer: &'a mut String,
}

enum Progress {
    Waits(AnswerWait),
    Over(Result<Spent, Unanswered>),
}

/// Waits for one answer.
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

/// Waits until each of two players that were asked has answered or failed.
pub fn answers_at_once(
    [one, other]: [&mut dyn Player; 2],
    waits: [Wait; 2],
    [first, second]: [&mut String; 2],
) -> [Result<Spent, Unanswered>; 2] {
    let is_piped = [one.piped().is_some(), other.piped().is_some()];
    if let (Some(one), Some(other)) = (one.piped(), other.piped()) {
        let one = Side {
            player: one,
            answer: first,
        };
        let other = Side {
            player: other,
            answer: second,
        };
        return until_both_are_over([one, other], waits);
    }
    // A player in this process answers when it is asked, and may be a person who thinks: pipes are read first.
    if is_piped == [false, true] {
        let second = answer_of(other, waits[1], second);
        return [answer_of(one, waits[0], first), second];
    }
    [
        answer_of(one, waits[0], first),
        answer_of(other, waits[1], second),
    ]
}

fn until_both_are_over(
    mut sides: [Side<'_>; 2],
    [one, other]: [Wait; 2],
) -> [Result<Spent, Unanswered>; 2] {
    let mut progress = [sides[0].begin(one), sides[1].begin(other)];
    loop {
        progress = match progress {
            [Progress::Over(one), Progress::Over(other)] => return [one, other],
            [one, other] => {
                let ready = wait_for(&sides, [&one, &other]);
                let [first, second] = &mut sides;
                match ready {
                    Ok([ready, others]) => [first.go_on(one, ready), second.go_on(other, others)],
                    Err(error) => [first.fail(one, &error), second.fail(other, &error)],
                }
            }
        };
    }
}

/// Waits until a stream is ready of a player whose wait is not over.
fn wait_for(
    sides: &[Side<'_>; 2],
    progress: [&Progress; 2],
) -> io::Result<[Option<ReadyStreams>; 2]> {
    Ok(
        match [
            sides[0].streams(progress[0])?,
            sides[1].streams(progress[1])?,
        ] {
            [Some(one), Some(other)] => Streams::wait_for_both([one, other])?.map(Some),
            [one, other] => [
                one.map(Streams::wait).transpose()?,
                other.map(Streams::wait).transpose()?,
            ],
        },
    )
}

impl Side<'_> {
    fn begin(&mut self, wait: Wait) -> Progress {
        match self.player.begin_wait(wait, self.answer) {
            Ok(ControlFlow::Continue(waiting)) => Progress::Waits(waiting),
            Ok(ControlFlow::Break(spent)) => Progress::Over(Ok(spent)),
            Err(fault) => self.failed(fault),
        }
    }

    /// The streams to wait for, unless the wait is over.
    fn streams(&self, progress: &Progress) -> io::Result<Option<Streams<'_>>> {
        match progress {
            Progress::Waits(waiting) => {
                let streams = self.player.streams(waiting);
                streams.map(Some).ok_or(io::ErrorKind::BrokenPipe.into())
            }
            Progress::Over(_) => Ok(None),
        }
    }

    fn go_on(&mut self, progress: Progress, ready: Option<ReadyStreams>) -> Progress {
        let (mut waiting, ready) = match (progress, ready) {
            (Progress::Waits(waiting), Some(ready)) => (waiting, ready),
            (progress, _) => return progress,
        };
        match self.player.wait_on(&mut waiting, ready, self.answer) {
            Ok(None) => Progress::Waits(waiting),
            Ok(Some(spent)) => Progress::Over(Ok(spent)),
            Err(fault) => self.failed(fault),
        }
    }

    /// Ends a wait that the machine does not let go on.
    fn fail(&mut self, progress: Progress, error: &io::Error) -> Progress {
        match progress {
            Progress::Waits(_) => self.failed(Fault::Machine(error.kind().into())),
            over @ Progress::Over(_) => over,
        }
    }

    fn failed(&mut self, fault: Fault) -> Progress {
        let spent = self.player.unanswered();
        Progress::Over(Err(Unanswered { fault, spent }))
    }
}
