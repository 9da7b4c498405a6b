//! The end of a game: its result, and the lines that tell the players.

use super::abort::{Abort, Void};
use super::{GameEnd, GameInPlay, Termination, VOID};
use crate::game::{AnyPosition, GameResult, Outcome, Reason, RulesFault, Seat, Seats};
use crate::protocol::ToBot;

impl GameInPlay<'_, '_> {
    /// Turns a verdict into the end of the game, and tells all players.
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
            spent: self.totals.clone(),
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
                let last = end.blamed().iter().filter(|seat| !gone.contains(*seat));
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

    /// Tells all players how the game ended, with the points where there are not two seats.
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

    /// Tells all players that the game counts for nothing.
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
