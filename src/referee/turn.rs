//! The turn of the players that act: they are asked, charged and judged.

use super::GameInPlay;
use super::abort::Abort;
use crate::bot::{Player, Unanswered, answer_of, answers_at_once, millis};
use crate::clock::{Spent, Wait};
use crate::game::{ActError, Actors, AnyPosition, AtOnceError, PerSeat, Seat};
use crate::protocol::{RESIGN, ToBot};

impl GameInPlay<'_, '_> {
    /// Asks the players of the seats that act, and charges each clock its own time. Where both act, each has its own
    /// deadline, and both are waited for before anything else happens.
    pub(super) fn ask(&mut self, actors: Actors) -> Result<PerSeat<Option<Spent>>, Abort> {
        let waits = PerSeat::of(|seat| self.clocks[seat].wait(self.spec.terms[seat].time));
        for seat in actors.seats() {
            let request = ToBot::Act {
                mine: millis(self.clocks[seat].left()),
                theirs: millis(self.clocks[seat.other()].left()),
            };
            self.player(seat).tell(&request);
        }
        if actors == Actors::Both {
            for seat in Seat::BOTH {
                self.player(seat).act_beside_another();
            }
        }
        for seat in actors.seats() {
            self.player(seat).request();
        }
        let mut results = self.await_answers(actors, waits);
        let mut spent = PerSeat::default();
        Abort::all(PerSeat::of(|seat| {
            let Some(result) = results[seat].take() else {
                return Ok(());
            };
            spent[seat] = Some(self.charge(seat, waits[seat], result)?);
            Ok(())
        }))?;
        Ok(spent)
    }

    /// The results of the players that were asked, once there are all.
    pub(super) fn await_answers(
        &mut self,
        actors: Actors,
        waits: PerSeat<Wait>,
    ) -> PerSeat<Option<Result<Spent, Unanswered>>> {
        let mut results = PerSeat::default();
        match actors {
            Actors::Nobody => {}
            Actors::One(seat) => {
                let player = &mut self.participants[seat].player;
                results[seat] = Some(answer_of(player, waits[seat], &mut self.answers[seat]));
            }
            Actors::Both => {
                let players = self.participants.each_mut().into_array();
                let players = players.map(|it| &mut it.player as &mut dyn Player);
                let answers = self.answers.each_mut().into_array();
                let both = answers_at_once(players, waits.into_array(), answers);
                results = both.map(Some).into();
            }
        }
        self.has_failed = PerSeat::of(|seat| matches!(results[seat], Some(Err(_))));
        results
    }

    /// Charges a player its time, answered or not.
    fn charge(
        &mut self,
        seat: Seat,
        wait: Wait,
        result: Result<Spent, Unanswered>,
    ) -> Result<Spent, Abort> {
        match result {
            Ok(spent) => {
                self.add_up(seat, spent);
                let charged = self.clocks[seat].charge(self.spec.terms[seat].time, spent);
                match charged {
                    Ok(()) => Ok(spent),
                    Err(overrun) => Err(self.overrun(seat, overrun)),
                }
            }
            Err(Unanswered { fault, spent }) => {
                // The time spent on a failed action counts in the game's totals too.
                self.add_up(seat, spent);
                Err(self.failed_to_act(seat, wait, fault))
            }
        }
    }

    fn add_up(&mut self, seat: Seat, spent: Spent) {
        let total = &mut self.totals[seat];
        total.wall += spent.wall;
        total.cpu += spent.cpu;
        total.idle_cpu += spent.idle_cpu;
    }

    /// Plays the actions that the players have answered, or judges who is at fault.
    pub(super) fn judge(
        &mut self,
        actors: Actors,
        position: &mut dyn AnyPosition,
    ) -> Result<(), Abort> {
        self.news.clear();
        match actors {
            Actors::Nobody => Ok(()),
            Actors::One(seat) => {
                let acted = position.act(&self.answers[seat], &mut self.news);
                acted.map_err(|error| match error {
                    ActError::Rules(fault) => fault.into(),
                    ActError::Refused(_) if self.answers[seat] == RESIGN => Abort::Resigned(seat),
                    ActError::Refused(refusal) => self.refuse(seat, position, &refusal),
                })
            }
            Actors::Both => {
                let actions = self.answers.each_ref().map(String::as_str);
                let refusals = match position.act_at_once(actions, &mut self.news) {
                    Ok(()) => return Ok(()),
                    Err(AtOnceError::Rules(fault)) => return Err(fault.into()),
                    Err(AtOnceError::Refused(refusals)) => refusals,
                };
                Abort::all(PerSeat::of(|seat| match refusals.of(seat) {
                    None => Ok(()),
                    Some(refusal) => Err(self.refuse(seat, position, refusal)),
                }))
            }
        }
    }
}
