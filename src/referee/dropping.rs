//! Games that go on without the seats whose players forfeit.

use std::time::Duration;

use super::abort::Abort;
use super::game_end::is_start_answer;
use super::{FaultKind, GameInPlay, PlayerFault, Termination};
use crate::bot::LateAnswer;
use crate::game::{Actors, AnyPosition, GameResult, PerSeat, Reason, RulesFault, Seat, Seats};

/// Time that the bot of a seat that leaves has to exit. Nobody is asked meanwhile.
const GRACE: Duration = Duration::from_millis(200);

impl GameInPlay<'_, '_> {
    /// The players that are left, with their seats.
    pub(super) fn seats_left(&self) -> impl Iterator<Item = Seat> + use<> {
        let gone = self.dropping.gone();
        self.spec
            .game
            .seats()
            .filter(move |seat| !gone.contains(*seat))
    }

    /// Whether the game goes on without these seats: others are left, and no player at fault spoilt the turn of another, or
    /// was a person who left.
    fn goes_on_without(&self, leaving: Seats, faults: &PerSeat<Option<PlayerFault>>) -> bool {
        let ends_all = |fault: &PlayerFault| {
            matches!(fault.kind, FaultKind::DelayedOpponent | FaultKind::Left)
        };
        self.spec.drops
            && self.seats_left().any(|seat| !leaving.contains(seat))
            && !faults.values().flatten().any(ends_all)
    }

    /// The seats that leave where the game goes on without them.
    ///
    /// # Errors
    /// The game cannot go on.
    fn leaving(&mut self, abort: Abort) -> Result<Seats, Abort> {
        match abort {
            Abort::Resigned(seat) => {
                let leaving = Seats::from_iter([seat]);
                let faults = PerSeat::defaults(self.spec.game.seat_count());
                match self.goes_on_without(leaving, &faults) {
                    true => Ok(leaving),
                    false => Err(abort),
                }
            }
            Abort::Forfeit(forfeit) => {
                let faults = &forfeit.faults;
                let at_fault = faults.iter().filter(|(_, fault)| fault.is_some());
                let leaving = at_fault.map(|(seat, _)| seat).collect();
                if !self.goes_on_without(leaving, faults) {
                    return Err(Abort::Forfeit(forfeit));
                }
                for (seat, fault) in faults.iter().filter(|(_, fault)| fault.is_some()) {
                    self.dropping.faults[seat].clone_from(fault);
                }
                Ok(leaving)
            }
            Abort::Void(_) => Err(abort),
        }
    }

    /// Goes on after the handshake or the start where players failed it, if the game drops them.
    pub(super) fn or_without(
        &mut self,
        prepared: Result<(), Abort>,
        position: &dyn AnyPosition,
    ) -> Result<(), Abort> {
        let Err(abort) = prepared else {
            return Ok(());
        };
        let leaving = self.leaving(abort)?;
        self.see_off(leaving, position)?;
        leaving
            .iter()
            .for_each(|seat| self.dropping.early.insert(seat));
        Ok(())
    }

    /// The turn of the seats that act. Returns the seats that leave instead of a ply; none where it was played.
    pub(super) fn turn(
        &mut self,
        actors: Actors,
        position: &mut dyn AnyPosition,
    ) -> Result<Seats, Abort> {
        let early = std::mem::take(&mut self.dropping.early);
        if !early.is_empty() {
            self.leave(early, Seats::default(), position)?;
            return Ok(early);
        }
        let Err(abort) = self.act(actors, position) else {
            self.dropping.standing = Seats::default();
            return Ok(Seats::default());
        };
        let leaving = self.leaving(abort)?;
        self.see_off(leaving, position)?;
        let mut standing = actors.set();
        leaving.iter().for_each(|seat| standing.remove(seat));
        self.leave(leaving, standing, position)?;
        Ok(leaving)
    }

    /// The players that act are asked, unless their answers stand, and their actions are played.
    fn act(&mut self, actors: Actors, position: &mut dyn AnyPosition) -> Result<(), Abort> {
        if self.dropping.standing.is_empty() {
            for seat in actors.seats() {
                self.tell_legal(seat, position)?;
            }
            if self.spec.drops && actors.are_several() {
                self.dropping.before = Some((self.clocks.clone(), self.totals.clone()));
            }
            self.ask(actors)?;
        }
        self.judge(actors, position)
    }

    /// Seats leave. The answers of the others that acted stand if just these act now; else their time is given back.
    fn leave(
        &mut self,
        leaving: Seats,
        standing: Seats,
        position: &mut dyn AnyPosition,
    ) -> Result<(), RulesFault> {
        self.dropping.left.push(leaving);
        self.news.clear();
        position.drop_seats(leaving, &mut self.news)?;
        self.dropping.standing = standing;
        if position.to_act().set() != standing {
            self.dropping.standing = Seats::default();
            if let Some((clocks, totals)) = &self.dropping.before {
                for seat in standing.iter() {
                    self.clocks[seat] = clocks[seat].clone();
                    self.totals[seat] = totals[seat];
                }
            }
        }
        Ok(())
    }

    /// Tells the players of seats that leave their end, and ends their bots.
    fn see_off(&mut self, leaving: Seats, position: &dyn AnyPosition) -> Result<(), RulesFault> {
        for seat in leaving.iter() {
            let recorded = self.recorded.and_then(|end| end.fault(seat));
            let fault = recorded.or(self.dropping.faults[seat].as_ref());
            let (termination, detail) = match fault {
                Some(fault) => (fault.termination, fault.detail.clone()),
                None => (Termination::Rules, Reason::RESIGNED.name().to_owned()),
            };
            self.tell_end(seat, GameResult::Nobody, termination.name(), &detail);
            self.participants[seat].dismiss();
        }
        for seat in leaving.iter() {
            let late = self.participants[seat].end(GRACE);
            if let Some(fault) = &mut self.dropping.faults[seat]
                && let Some(LateAnswer { line, cause, .. }) = late
            {
                let is_answer = match fault.termination.is_before_play() {
                    true => is_start_answer(&line),
                    false => position.listed(seat)?.contains(&line),
                };
                fault.late = is_answer.then_some(cause);
            }
        }
        Ok(())
    }
}
