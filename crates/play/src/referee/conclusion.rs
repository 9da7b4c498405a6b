//! The end of a game: its result, and the lines that tell the players.

use std::time::Duration;

use super::abort::{Abort, Void};
use super::{GameEnd, GameInPlay, Termination, VOID};
use crate::bot::Values;
use crate::clock::Spent;
use crate::game::{
    Actors, AnyPosition, GameResult, Outcome, PerSeat, Reason, RulesFault, Seat, Seats,
};
use crate::protocol::ToBot;

impl GameInPlay<'_, '_> {
    pub(super) fn conclude(
        &mut self,
        verdict: Result<(), Abort>,
        position: &dyn AnyPosition,
    ) -> Result<GameEnd, Void> {
        let mut end = GameEnd {
            result: GameResult::Nobody,
            termination: Termination::Rules,
            reason: None,
            rules_points: None,
            faults: std::mem::replace(&mut self.dropping.faults, self.spec.game.per_seat(|_| None)),
            plies: position.ply(),
            spent: self.times(),
            left: PerSeat::of(self.clocks.count(), |seat| self.clocks[seat].left()),
        };
        let mut left = self.dropping.left.clone();
        match (verdict, position.outcome().or(self.adjudicated.take())) {
            (Ok(()), Some(outcome)) => {
                let Outcome {
                    result,
                    reason,
                    rules_points,
                } = outcome;
                end.result = result;
                end.reason = Some(reason);
                end.rules_points = rules_points;
                if reason.is_adjudication() {
                    end.termination = Termination::Adjudication;
                }
            }
            (Err(Abort::Resigned(seat)), _) => {
                left.push(Seats::from_iter([seat]));
                end.result = GameResult::Drawn;
                end.reason = Some(Reason::RESIGNED);
            }
            (Err(Abort::Forfeit(mut forfeit)), _) => {
                end.termination = forfeit.termination;
                for (seat, fault) in end.faults.iter_mut() {
                    *fault = forfeit.faults[seat].take().or_else(|| fault.take());
                }
                let gone: Seats = left.iter().flat_map(|set| set.iter()).collect();
                let last = end.forfeiters().iter().filter(|seat| !gone.contains(*seat));
                left.push(last.collect());
                end.result = GameResult::Drawn;
            }
            (Err(Abort::Void(void)), _) => return Err(self.cancel(void)),
            (Ok(()), None) => return Err(self.cancel(RulesFault::NoOutcome.into())),
        }
        if !left.is_empty() {
            let seats = self.spec.game.seat_count();
            end.result = end.result.below_which(seats, &left);
        }
        self.announce(&end);
        Ok(end)
    }

    /// The times of all players. Their opponents may have caused as much of their waits as they used off turn, and nobody is to
    /// spoil a game by that.
    fn times(&mut self) -> PerSeat<Spent> {
        let mut times = self.totals.clone();
        if times.values().all(|spent| spent.waited.is_zero()) {
            return times;
        }
        let off_turn = PerSeat::of(times.count(), |seat| {
            times[seat].idle_cpu + self.player(seat).contention().off_turn
        });
        let all: Duration = off_turn.values().sum();
        for (seat, spent) in times.iter_mut() {
            spent.waited = spent.waited.saturating_sub(all - off_turn[seat]);
        }
        times
    }

    pub(super) fn announce(&mut self, end: &GameEnd) {
        let points = end
            .rules_points
            .as_ref()
            .filter(|points| points.count() != 2);
        let points = points.map(|points| {
            let points: Vec<String> = points.values().map(ToString::to_string).collect();
            points.join(" ")
        });
        for seat in self.seats_left() {
            if let Some(points) = &points {
                self.player(seat).tell(&ToBot::Points { points });
            }
            self.tell_end(
                seat,
                end.result,
                end.termination.name(),
                end.reason_for(seat),
            );
        }
    }

    pub(super) fn cancel(&mut self, void: Void) -> Void {
        for seat in self.seats_left() {
            self.tell_end(seat, GameResult::Nobody, VOID, "");
        }
        void
    }

    pub(super) fn tell_end(
        &mut self,
        seat: Seat,
        result: GameResult,
        termination: &str,
        detail: &str,
    ) {
        let player = &mut self.participants[seat].player;
        player.tell(&ToBot::End {
            winner: &self.spec.game.result_name(result),
            termination,
            detail,
        });
        player.flush();
    }
}

#[derive(Debug, Clone)]
pub struct Ply<'a> {
    /// Its number, from 1.
    pub number: u32,
    pub actors: Actors,
    /// The action of each seat; empty for a seat that did not act.
    pub actions: PerSeat<PlayedAction<'a>>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct PlayedAction<'a> {
    pub action: &'a str,
    /// Public result: tokens separated by spaces.
    pub public: &'a str,
    /// Whether the other seats are not told it, or not as it is.
    pub is_hidden: bool,
    /// The time it took; `None` for a ply of the opening, which no player chose.
    pub spent: Option<Spent>,
    /// Bytes of output besides answers that its bot had written in this game by then.
    pub output: u64,
    pub values: &'a Values,
    /// Time left on the player's clock; `None` without a limit per game.
    pub left: Option<Duration>,
}

impl<'a> Ply<'a> {
    pub fn played(&self) -> impl Iterator<Item = (Seat, PlayedAction<'a>)> {
        self.actors.seats().map(|seat| (seat, self.actions[seat]))
    }

    pub fn is_drop(&self) -> bool {
        self.played().all(|(_, played)| played.action.is_empty())
    }

    pub fn reported(&self) -> PerSeat<Option<&'a Values>> {
        PerSeat::of(self.actions.count(), |seat| {
            self.actors
                .includes(seat)
                .then_some(self.actions[seat].values)
        })
    }

    /// The ply as one word, as in `rock+paper`.
    pub fn word(&self) -> String {
        self.actors
            .join(&self.actions.each_ref().map(|played| played.action))
    }
}

pub trait Witness {
    fn ply(&mut self, ply: &Ply<'_>, position: &dyn AnyPosition);
}

pub(super) struct Unwatched;

impl Witness for Unwatched {
    fn ply(&mut self, _ply: &Ply<'_>, _position: &dyn AnyPosition) {}
}
