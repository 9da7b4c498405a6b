//! The turn of the players that act: they are asked, charged and judged.

use std::borrow::Cow;

use super::GameInPlay;
use super::abort::Abort;
use crate::bot::{Asked, Player, Unanswered, answer_of, answers_at_once, millis};
use crate::clock::{Spent, Wait};
use crate::game::{ActError, Actors, AnyPosition, AtOnceError, PerSeat, Seat, Seats};
use crate::protocol::{RESIGN, ToBot};

impl GameInPlay<'_, '_> {
    /// Asks the players of the seats that act, and charges each clock its own time. Where several act, each has its own
    /// deadline, and all are waited for before anything else happens.
    pub(super) fn ask(&mut self, actors: Actors) -> Result<(), Abort> {
        let game = self.spec.game;
        for seat in actors.seats() {
            let others = game.seats().filter(|other| *other != seat);
            let mut told = std::mem::take(&mut self.told);
            told.clear();
            told.extend(others.map(|other| millis(self.clocks[other].left())));
            let mine = millis(self.clocks[seat].left());
            self.player(seat).tell(&ToBot::Act {
                mine,
                others: Cow::Borrowed(&told),
            });
            self.told = told;
        }
        if actors.are_several() {
            for seat in actors.seats() {
                self.player(seat).act_beside_another();
            }
        }
        self.note_time_used(actors);
        for seat in actors.seats() {
            self.player(seat).request();
        }
        self.spent = game.per_seat(|_| None);
        let wait_of = |seat: Seat| self.clocks[seat].wait(self.spec.terms[seat].time);
        if let Actors::One(seat) = actors {
            let wait = wait_of(seat);
            let result = self.await_answer(seat, wait);
            return self.charge(seat, wait, result);
        }
        let waits = game.per_seat(wait_of);
        let mut results = self.await_answers(actors, &waits);
        Abort::all(game.per_seat(|seat| match results[seat].take() {
            Some(result) => self.charge(seat, waits[seat], result),
            None => Ok(()),
        }))
    }

    /// The result of the one player that was asked.
    fn await_answer(&mut self, seat: Seat, wait: Wait) -> Result<Spent, Unanswered> {
        let player = &mut self.participants[seat].player;
        let result = answer_of(player, wait, &mut self.answers[seat]);
        self.has_failed = Seats::default();
        if result.is_err() {
            self.has_failed.insert(seat);
        }
        result
    }

    /// The results of the players that were asked, once there are all.
    pub(super) fn await_answers(
        &mut self,
        actors: Actors,
        waits: &PerSeat<Wait>,
    ) -> PerSeat<Option<Result<Spent, Unanswered>>> {
        let mut results = self.spec.game.per_seat(|_| None);
        match actors {
            Actors::Nobody => {}
            Actors::One(seat) => {
                results[seat] = Some(self.await_answer(seat, waits[seat]));
            }
            Actors::AtOnce(seats) => {
                let players = self.participants.iter_mut().zip(self.answers.iter_mut());
                let asked = players.filter(|((seat, _), _)| seats.contains(*seat));
                let asked = asked.map(|((seat, it), (_, answer))| Asked {
                    player: &mut it.player as &mut dyn Player,
                    wait: waits[seat],
                    answer,
                });
                let answered = answers_at_once(asked.collect());
                for (seat, result) in seats.iter().zip(answered) {
                    results[seat] = Some(result);
                }
            }
        }
        let failed = results.iter();
        let failed = failed.filter(|(_, result)| matches!(result, Some(Err(_))));
        self.has_failed = failed.map(|(seat, _)| seat).collect();
        results
    }

    /// Charges a player its time, answered or not.
    fn charge(
        &mut self,
        seat: Seat,
        wait: Wait,
        result: Result<Spent, Unanswered>,
    ) -> Result<(), Abort> {
        match result {
            Ok(spent) => {
                self.add_up(seat, spent);
                let charged = self.clocks[seat].charge(self.spec.terms[seat].time, spent);
                charged.map_err(|overrun| self.overrun(seat, overrun))
            }
            Err(Unanswered { fault, spent }) => {
                // The time spent on a failed action counts in the game's totals too.
                self.add_up(seat, spent);
                Err(self.failed_to_act(seat, wait, fault))
            }
        }
    }

    fn add_up(&mut self, seat: Seat, spent: Spent) {
        self.spent[seat] = Some(spent);
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
            Actors::AtOnce(_) => {
                let actions = self.answers.each_ref().map(String::as_str);
                let refusals = match position.act_at_once(&actions, &mut self.news) {
                    Ok(()) => return Ok(()),
                    Err(AtOnceError::Rules(fault)) => return Err(fault.into()),
                    Err(AtOnceError::Refused(refusals)) => refusals,
                };
                Abort::all(self.spec.game.per_seat(|seat| match refusals.of(seat) {
                    None => Ok(()),
                    Some(refusal) => Err(self.refuse(seat, position, refusal)),
                }))
            }
        }
    }
}
