//! Where the hello has `drop`: a seat that forfeited leaves, the others play on, and one alone plays no more.

use super::progress::{Budget, Progress};
use crate::check::rules::played::acting;
use crate::check::rules::report::{Check, RulesFlaw};
use crate::check::rules::request::{Actions, Request};
use crate::check::rules::session::{RulesSession, StepFailure};
use crate::check::rules::turns::{check_turn, legal_refused, list};
use crate::rules::{Answer, Next, Turn};

/// Positions that are sampled.
const POSITIONS: usize = 24;

pub fn check(progress: &mut Progress<'_>) -> Result<(), StepFailure> {
    let mut session = progress.start(Check::Drop)?;
    if !session.hello().has.drop {
        progress.report.miss(Check::Drop, "`has drop`");
        return Ok(());
    }
    let mut budget = Budget::new(progress.plan);
    let mut dropped = 0;
    for (number, (game, ply)) in progress.positions(POSITIONS).into_iter().enumerate() {
        progress.games[game].restore(&mut session, ply)?;
        let mut dropped_game = DroppedGame {
            left: (0..progress.games[game].start.seats).collect(),
            turn: progress.games[game].turn(ply).clone(),
        };
        while dropped_game.left.len() > 1 && dropped_game.goes_on() {
            if !dropped_game.drop_one(progress, &mut session)? {
                return Ok(());
            }
            dropped += 1;
            // At every other position all seats but one leave at once.
            if number % 2 == 0 && !dropped_game.play_on(progress, &mut session)? {
                return Ok(());
            }
        }
        if !budget.charge(&mut session) {
            break;
        }
    }
    match dropped {
        0 => progress.report.miss(Check::Drop, "a game of several seats"),
        seats => progress.report.facts.dropped = Some(seats),
    }
    Ok(())
}

/// A game that seats leave.
struct DroppedGame {
    /// The seats that have not left.
    left: Vec<u8>,
    turn: Turn,
}

impl DroppedGame {
    fn goes_on(&self) -> bool {
        matches!(self.turn.next, Next::Act(_))
    }

    /// Lets a random seat leave. Returns whether the answer is right.
    fn drop_one(
        &mut self,
        progress: &mut Progress<'_>,
        session: &mut RulesSession<'_>,
    ) -> Result<bool, StepFailure> {
        session.check = Check::Drop;
        let seat = self.left.remove(progress.below(self.left.len()));
        self.turn = match session.answer(&Request::Drop(seat))? {
            Answer::Turn(turn) => turn,
            Answer::Refused(refusal) => {
                let words = refusal.words;
                let problem = RulesFlaw::DropRefused { seat, words };
                progress.report.add(session.finding(problem));
                return Ok(false);
            }
        };
        check_turn(session, &mut progress.report, &Vec::new(), &self.turn);
        Ok(self.is_right(progress, session))
    }

    /// Whether only seats that are left act, and more than one is left.
    fn is_right(&self, progress: &mut Progress<'_>, session: &RulesSession<'_>) -> bool {
        let gone = acting(&self.turn)
            .iter()
            .find(|seat| !self.left.contains(seat));
        let problem = match (gone, self.left.as_slice()) {
            (Some(seat), _) => RulesFlaw::DroppedActs { seat: *seat },
            (None, [seat]) if self.goes_on() => RulesFlaw::DropGoesOn { seat: *seat },
            _ => return true,
        };
        progress.report.add(session.finding(problem));
        false
    }

    /// Plays at random, a few plies or to the end. Returns whether the answers are right.
    fn play_on(
        &mut self,
        progress: &mut Progress<'_>,
        session: &mut RulesSession<'_>,
    ) -> Result<bool, StepFailure> {
        for _ in 0..progress.below(2 * self.left.len() + 1) {
            let mut actions = Actions::new();
            for seat in acting(&self.turn) {
                let list = list(session, &mut progress.report, &self.turn, *seat)?;
                if list.is_empty() {
                    return Ok(false);
                }
                actions.push((*seat, list[progress.below(list.len())].clone()));
            }
            if actions.is_empty() {
                return Ok(true);
            }
            self.turn = match session.answer(&Request::Play(actions.clone()))? {
                Answer::Turn(turn) => turn,
                Answer::Refused(refusal) => {
                    let problem = legal_refused(&actions, refusal);
                    progress.report.add(session.finding(problem));
                    return Ok(false);
                }
            };
            check_turn(session, &mut progress.report, &actions, &self.turn);
            if !self.is_right(progress, session) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
