//! The handshake with the players, and the start of a game.

use std::time::Duration;

use super::abort::{Abort, Forfeit};
use super::{EXCERPT, FaultKind, GameInPlay, Termination};
use crate::bot::millis;
use crate::clock::Wait;
use crate::game::{PerSeat, Seat};
use crate::protocol::{Hello, READY, Start, TimeTerms, ToBot, VERSION};
use crate::text::excerpt;

impl GameInPlay<'_, '_> {
    /// Exchanges the handshake with each new player. Both are asked before either is awaited, so that slow
    /// starts overlap.
    pub(super) fn greet(&mut self) -> Result<(), Abort> {
        let new = self.participants.each_ref().map(|it| it.hello.is_none());
        for seat in Seat::BOTH.into_iter().filter(|seat| new[*seat]) {
            let player = self.player(seat);
            player.tell(&ToBot::Hello { version: VERSION });
            player.request();
        }
        // The second answer is read even if the first one fails: both players may forfeit.
        let verdicts = PerSeat::of(|seat| {
            if !new[seat] {
                return Ok(());
            }
            self.expect(seat, self.spec.terms[seat].handshake)?;
            let hello = Hello::parse(&self.answers[seat]).map_err(|problem| {
                Abort::forfeit(
                    seat,
                    FaultKind::BadHello,
                    format!(
                        "answered `{}` to the handshake: {problem}",
                        excerpt(&self.answers[seat], EXCERPT)
                    ),
                )
            })?;
            self.participants[seat].hello = Some(hello);
            Ok(())
        });
        Abort::all(verdicts)
    }

    /// Tells both players that the game begins, and waits until both are ready. Both are asked first, as in
    /// [`Self::greet`].
    pub(super) fn start(&mut self) -> Result<(), Abort> {
        let spec = self.spec;
        for seat in Seat::BOTH {
            let time = spec.terms[seat].time;
            let start = ToBot::Start(Start {
                game: spec.game.name(),
                seat: spec.game.seat_name(seat),
                seed: spec.bot_seeds[seat],
                time: TimeTerms {
                    measure: time.measure.name(),
                    per_game: millis(time.per_game),
                    increment: millis(Some(time.increment)),
                    per_move: millis(time.per_move),
                },
                options: spec
                    .options
                    .iter()
                    .map(|(key, value)| (*key, value.as_str()))
                    .collect(),
            });
            let player = self.player(seat);
            player.tell(&start);
            player.request();
        }
        let verdicts = PerSeat::of(|seat| {
            self.expect(seat, self.spec.terms[seat].start)?;
            if self.answers[seat] == READY {
                return Ok(());
            }
            Err(Abort::forfeit(
                seat,
                FaultKind::NotReady,
                format!(
                    "answered `{}` to the start of the game: expected `{READY}`",
                    excerpt(&self.answers[seat], EXCERPT)
                ),
            ))
        });
        Abort::all(verdicts)
    }

    /// Waits for a line that costs no time on the player's clock.
    fn expect(&mut self, seat: Seat, wall: Duration) -> Result<(), Abort> {
        let wait = Wait { wall, cpu: None };
        let player = &mut self.participants[seat].player;
        match player.answer(wait, &mut self.answers[seat]) {
            Ok(_) => Ok(()),
            Err(fault) => Err(match self.fault(seat, wait, fault) {
                // No clock runs yet, so a timeout or a crash here is a failed handshake.
                Abort::Forfeit(forfeit) => Abort::Forfeit(Forfeit {
                    termination: Termination::Handshake,
                    ..forfeit
                }),
                other @ (Abort::Void(_) | Abort::Resigned(_)) => other,
            }),
        }
    }
}
