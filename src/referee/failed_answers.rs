//! Attributes a missing or late answer to a player or to the machine.

use std::cmp::Reverse;
use std::time::Duration;

use super::abort::{Abort, Void};
use super::{FaultKind, GameInPlay, Termination};
use crate::bot::{Fault, seconds};
use crate::clock::{Measure, Overrun, TimeControl, Wait};
use crate::game::{Actors, Seat};

impl GameInPlay<'_, '_> {
    /// The consequence of a player's failure to answer.
    pub(super) fn fault(&mut self, seat: Seat, wait: Wait, fault: Fault) -> Abort {
        let Some(kind) = FaultKind::of(&fault) else {
            return match fault {
                Fault::Starved { waited, .. } => {
                    let missing = waited.saturating_sub(wait.wall);
                    self.delayed(seat, missing, &fault.to_string())
                }
                Fault::BrokenOff => Abort::Void(Void::BrokenOff),
                fault => {
                    let seat = self.spec.game.seat_name(seat);
                    Abort::Void(Void::Machine { seat, fault })
                }
            };
        };
        let mut abort = self.forfeit(seat, kind, fault.to_string());
        // By the limit and not by how long was waited: a busy machine may notice a limit late.
        if let Abort::Forfeit(forfeit) = &mut abort
            && kind == FaultKind::Late
            && wait.wall >= self.time(seat).wall_cap
        {
            forfeit.end_by(Termination::Stall);
        }
        abort
    }

    /// The player of `seat` forfeits.
    pub(super) fn forfeit(&self, seat: Seat, kind: FaultKind, detail: String) -> Abort {
        Abort::forfeit(self.spec.game.seat_count(), seat, kind, detail)
    }

    /// The abort of a game by a failure to act. The clock sets the limit.
    pub(super) fn failed_to_act(&mut self, seat: Seat, wait: Wait, fault: Fault) -> Abort {
        let mut abort = self.fault(seat, wait, fault);
        if let Abort::Forfeit(forfeit) = &mut abort
            && forfeit.termination == Termination::Time
            && let Some(fault) = &mut forfeit.faults[seat]
            && matches!(fault.kind, FaultKind::Late | FaultKind::CpuSpent)
        {
            fault.detail.push_str(&self.what_was_allowed(seat));
        }
        abort
    }

    /// The time control of a seat.
    fn time(&self, seat: Seat) -> &TimeControl {
        self.spec.terms[seat].time
    }

    /// Where the limit of an action came from.
    fn what_was_allowed(&self, seat: Seat) -> String {
        let time = self.time(seat);
        let margin = match time.margin.is_zero() {
            true => String::new(),
            false => format!(", and the margin is {}", seconds(time.margin)),
        };
        let left = self.clocks[seat].left();
        match (time.per_move, left.zip(time.per_game)) {
            (Some(limit), left) if left.is_none_or(|(left, _)| limit <= left) => {
                format!("; an action may take {}{margin}", seconds(limit))
            }
            (_, Some((left, all))) => format!(
                "; that was left of its {} for the game{}",
                seconds(all),
                match margin.is_empty() {
                    true => String::new(),
                    false => format!(" ({}{margin})", seconds(left)),
                }
            ),
            _ => String::new(),
        }
    }

    pub(super) fn overrun(&mut self, seat: Seat, overrun: Overrun) -> Abort {
        let time = self.spec.terms[seat].time;
        let (Overrun::PerMove { limit, used } | Overrun::PerGame { left: limit, used }) = overrun;
        let missing = used.saturating_sub(limit.saturating_add(time.margin));
        let measure = match time.measure {
            Measure::Wall => "on the wall",
            Measure::Cpu => "of processor time",
        };
        let detail = match overrun {
            Overrun::PerMove { limit, used } => format!(
                "took {} {measure} for one action; the limit is {}",
                seconds(used),
                seconds(limit)
            ),
            Overrun::PerGame { left, used } => format!(
                "took {} {measure} with {} left of its {} for the game",
                seconds(used),
                seconds(left),
                seconds(time.per_game.unwrap_or_default())
            ),
        };
        // A limit on CPU time needs no such check: CPU time does not grow while a bot waits for a processor.
        let cpu_wait = self.player(seat).contention().cpu_wait;
        if time.measure == Measure::Wall && cpu_wait >= missing {
            let detail = format!(
                "{detail}, and for {} the machine kept the bot from a processor",
                seconds(cpu_wait)
            );
            return self.delayed(seat, missing, &detail);
        }
        self.forfeit(seat, FaultKind::Overrun, detail)
    }

    /// Notes how much processor time the players that are not asked have used since their last answers. They may have
    /// used it in turns of others. With two seats there is no such turn.
    pub(super) fn note_time_used(&mut self, asked: Actors) {
        if self.spec.game.seat_count() == 2 {
            return;
        }
        for seat in self.seats_left() {
            let it = &mut self.participants[seat];
            self.used_before[seat] = match asked.includes(seat) {
                true => Duration::ZERO,
                false => it.player.contention().off_turn,
            };
        }
    }

    /// The abort of a game where a player was late by `missing`, because the machine kept at
    /// least that much time from it. Opponents that compute may keep all processors but one busy.
    /// If they used more than that, by more than `missing`, the one that used most forfeits; otherwise the game is void.
    fn delayed(&mut self, seat: Seat, missing: Duration, detail: &str) -> Abort {
        let contention = self.player(seat).contention();
        let mut used = Vec::new();
        for other in self.seats_left().filter(|other| *other != seat) {
            // A bot that was asked at once with it, and has not answered, used time of its own turn.
            if !self.has_failed.contains(other) {
                let off_turn = self.player(other).contention().off_turn;
                used.push((off_turn.saturating_sub(self.used_before[other]), other));
            }
        }
        let spare = contention.cores.saturating_sub(1);
        let sum: Duration = used.iter().map(|(used, _)| *used).sum();
        let taken = sum.saturating_sub(contention.elapsed.saturating_mul(spare));
        let most = used
            .into_iter()
            .max_by_key(|(used, other)| (*used, Reverse(*other)));
        if let Some((used, other)) = most
            && taken > missing
        {
            let detail = format!(
                "the bot used {} of processor time in the {} in which its opponent was to act, and \
                 so made it late, on a machine with {} for {}",
                seconds(used),
                seconds(contention.elapsed),
                match contention.cores {
                    1 => "one processor".to_owned(),
                    cores => format!("{cores} processors"),
                },
                match self.spec.game.seat_count() {
                    2 => "both",
                    _ => "all",
                }
            );
            return self.forfeit(other, FaultKind::DelayedOpponent, detail);
        }
        Abort::Void(Void::Contention {
            seat: self.spec.game.seat_name(seat),
            detail: detail.to_owned(),
        })
    }
}
