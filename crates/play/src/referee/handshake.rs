//! The handshake with the players, and the start of a game.

use std::time::Duration;

use super::abort::Abort;
use super::{EXCERPT, FaultKind, GameInPlay, Participant, SeatTerms, Termination};
use crate::bot::millis;
use crate::clock::Wait;
use crate::game::{Actors, AnyPosition, Chance, PerSeat, RulesFault};
use crate::protocol::{Hello, READY, Start, TimeTerms, ToBot, VERSION};
use crate::text::{answer_quoted, excerpt};

impl GameInPlay<'_, '_> {
    /// Exchanges the handshake with each new player. All are asked before one is awaited, so that slow starts overlap.
    pub(super) fn greet(&mut self) -> Result<(), Abort> {
        let new = self.participants.iter();
        let new = new.filter(|(_, it)| it.hello.is_none());
        let new = Actors::those(new.map(|(seat, _)| seat).collect());
        for seat in new.seats() {
            self.player(seat).await_start();
        }
        self.note_time_used(new);
        for seat in new.seats() {
            let player = self.player(seat);
            player.tell(&ToBot::Hello { version: VERSION });
            player.request();
        }
        let mut failures = self.expect(new, |terms| terms.handshake);
        // Several players may forfeit.
        let verdicts = self.spec.game.per_seat(|seat| {
            if let Some(abort) = failures[seat].take() {
                return Err(abort);
            }
            if !new.includes(seat) {
                return Ok(());
            }
            let hello = Hello::parse(&self.answers[seat]).map_err(|problem| {
                self.forfeit(
                    seat,
                    FaultKind::BadHello,
                    format!(
                        "answered {} to the handshake: {problem}",
                        answer_quoted(&self.answers[seat], EXCERPT)
                    ),
                )
            })?;
            let takes_options = hello.tunes || self.participants[seat].options.is_empty();
            self.participants[seat].hello = Some(hello);
            if takes_options {
                return Ok(());
            }
            let answer = excerpt(&self.answers[seat], EXCERPT);
            let detail = format!(
                "answered `{answer}` to the handshake: a player with `options` is told them by `set`, and says \
                 `tunes` after its name"
            );
            Err(self.forfeit(seat, FaultKind::BadHello, detail))
        });
        Abort::all(verdicts)
    }

    /// Tells all players that the game begins, and waits until all are ready. All are asked first, as in
    /// [`Self::greet`].
    pub(super) fn start(&mut self) -> Result<(), Abort> {
        let spec = self.spec;
        let all = Actors::those(self.seats_left().collect());
        self.note_time_used(all);
        for seat in all.seats() {
            let time = spec.terms[seat].time;
            let start = ToBot::Start(Start {
                game: spec.game.name(),
                seat: spec.game.seat_name(seat),
                seed: spec.bot_seeds[seat],
                seats: spec.game.seat_count(),
                time: TimeTerms {
                    measure: time.measure.name(),
                    per_game: millis(time.per_game),
                    increment: millis(Some(time.increment)),
                    per_move: millis(time.per_move),
                    period: time.period,
                },
                options: spec
                    .options
                    .iter()
                    .map(|(key, value)| (*key, value.as_str()))
                    .collect(),
            });
            let Participant {
                options, player, ..
            } = &mut *self.participants[seat];
            for (name, value) in &*options {
                player.tell(&ToBot::Set { name, value });
            }
            player.tell(&start);
            player.request();
        }
        let mut failures = self.expect(all, |terms| terms.start);
        let verdicts = self.spec.game.per_seat(|seat| {
            if let Some(abort) = failures[seat].take() {
                return Err(abort);
            }
            if !all.includes(seat) || self.answers[seat] == READY {
                return Ok(());
            }
            Err(self.forfeit(
                seat,
                FaultKind::NotReady,
                format!(
                    "answered {} to the start of the game: expected `{READY}`",
                    answer_quoted(&self.answers[seat], EXCERPT)
                ),
            ))
        });
        Abort::all(verdicts)
    }

    /// Waits for a line of each of these players, which costs no time on their clocks. Each has its own deadline.
    fn expect(
        &mut self,
        asked: Actors,
        limit: impl Fn(&SeatTerms<'_>) -> Duration,
    ) -> PerSeat<Option<Abort>> {
        let waits = self.spec.game.per_seat(|seat| Wait {
            wall: limit(&self.spec.terms[seat]),
            cpu: None,
        });
        let mut results = self.await_answers(asked, &waits);
        self.spec.game.per_seat(|seat| {
            let unanswered = results[seat].take()?.err()?;
            Some(match self.fault(seat, waits[seat], unanswered) {
                // No clock runs yet, so a timeout or a crash here is a failed handshake.
                Abort::Forfeit(mut forfeit) => {
                    forfeit.end_by(Termination::Handshake);
                    Abort::Forfeit(forfeit)
                }
                other @ (Abort::Void(_) | Abort::Resigned(_)) => other,
            })
        })
    }
}

pub trait Opening {
    /// The next ply in a position that is not over, as one word.
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<String, RulesFault>;
}

/// A random opening: each legal action is equally likely, for each seat that acts.
impl<C: Chance> Opening for C {
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<String, RulesFault> {
        let actors = position.to_act();
        let mut actions = PerSeat::<String>::defaults(position.seats());
        for seat in actors.seats() {
            let mut legal = position.choices(seat)?;
            actions[seat] = legal.swap_remove(self.below(legal.len() as u32) as usize);
        }
        Ok(actors.join(&actions.each_ref().map(String::as_str)))
    }
}

#[derive(Debug, Clone)]
pub struct Line(pub Vec<String>);

impl Opening for Line {
    /// The word for the position's ply. An empty string after the last one, which no game accepts.
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<String, RulesFault> {
        let ply = self.0.get(position.ply() as usize);
        Ok(ply.cloned().unwrap_or_default())
    }
}
