//! Attributes a missing or late answer to a player or to the machine.

use std::cmp::Reverse;
use std::time::Duration;

use super::abort::{Abort, Void};
use super::game_end::is_start_answer;
use super::{EXCERPT, FaultKind, GameInPlay, PlayerFault, Termination};
use crate::bot::{Fault, LateAnswer, LateCause, Unanswered, seconds};
use crate::clock::{Measure, Overrun, Spent, TimeControl, Wait};
use crate::game::{
    Actors, AnyPosition, GameResult, PerSeat, Reason, Refusal, RulesFault, Seat, Seats,
};
use crate::protocol::said_illegal;
use crate::text::{answer_quoted, excerpt};

impl GameInPlay<'_, '_> {
    pub(super) fn fault(&mut self, seat: Seat, wait: Wait, unanswered: Unanswered) -> Abort {
        let Unanswered { fault, spent } = unanswered;
        let Some(kind) = FaultKind::of(&fault) else {
            return match fault {
                Fault::Starved { waited, .. } => {
                    let missing = waited.saturating_sub(wait.wall);
                    match self.delayed_by_opponent(seat, missing) {
                        Ok(by) => Abort::Void(Void::Contention {
                            seat: self.spec.game.seat_name(seat),
                            detail: fault.to_string(),
                            by,
                        }),
                        Err(forfeit) => forfeit,
                    }
                }
                Fault::BrokenOff => Abort::Void(Void::BrokenOff),
                fault => {
                    let seat = self.spec.game.seat_name(seat);
                    Abort::Void(Void::Machine { seat, fault })
                }
            };
        };
        let has_line = matches!(&fault, Fault::Late { missing, .. } if !missing.unended.is_empty());
        let mut abort = self.forfeit(seat, kind, fault.to_string());
        // By the limit and not by how long was waited: a busy machine may notice a limit late.
        if let Abort::Forfeit(forfeit) = &mut abort
            && kind == FaultKind::Late
        {
            if wait.wall >= self.time(seat).wall_cap {
                forfeit.end_by(Termination::Stall);
            }
            if let Some(fault) = &mut forfeit.faults[seat] {
                // A bot that wrote a line did not wait.
                fault.late = LateCause::without_answer(spent)
                    .filter(|cause| !has_line || *cause != LateCause::Waiting);
            }
        }
        abort
    }

    pub(super) fn forfeit(&self, seat: Seat, kind: FaultKind, detail: String) -> Abort {
        Abort::forfeit(self.spec.game.seat_count(), seat, kind, detail)
    }

    pub(super) fn failed_to_act(
        &mut self,
        seat: Seat,
        wait: Wait,
        unanswered: Unanswered,
    ) -> Abort {
        let mut abort = self.fault(seat, wait, unanswered);
        if let Abort::Forfeit(forfeit) = &mut abort
            && forfeit.termination == Termination::Time
            && let Some(fault) = &mut forfeit.faults[seat]
            && matches!(fault.kind, FaultKind::Late | FaultKind::CpuSpent)
        {
            fault.detail.push_str(&self.what_was_allowed(seat));
        }
        abort
    }

    fn time(&self, seat: Seat) -> &TimeControl {
        self.spec.terms[seat].time
    }

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
                "; that was left of its {} for {}{}",
                seconds(all),
                what_for(time),
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
                "took {} {measure} with {} left of its {} for {}",
                seconds(used),
                seconds(left),
                seconds(time.per_game.unwrap_or_default()),
                what_for(time)
            ),
        };
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

    /// Fails if a player was in time only because it is not charged for waits that its opponent caused.
    pub(super) fn kept_waiting(
        &mut self,
        seat: Seat,
        wait: Wait,
        spent: Spent,
    ) -> Result<(), Abort> {
        let missing = (spent.wall + spent.waited).saturating_sub(wait.wall);
        if spent.waited.is_zero() || missing.is_zero() {
            return Ok(());
        }
        self.delayed_by_opponent(seat, missing).map(|_| ())
    }

    /// Whether opponents made a player late by `missing`: the machine kept at least that much time from it. Opponents that
    /// compute may keep all processors but one busy. If they used more than that, by more than `missing`, the one that used
    /// most forfeits. By more than a quarter of it, the one without which they would not have is returned; it forfeits in
    /// the last attempt at a game if it was that one in all earlier ones.
    fn delayed_by_opponent(
        &mut self,
        seat: Seat,
        missing: Duration,
    ) -> Result<Option<Seat>, Abort> {
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
        let allowed = contention.elapsed.saturating_mul(spare);
        let taken = sum.saturating_sub(allowed);
        let most = used
            .into_iter()
            .max_by_key(|(used, other)| (*used, Reverse(*other)));
        let Some((used, other)) = most else {
            return Ok(None);
        };
        let is_culprit = 4 * taken > missing && sum - used <= allowed;
        if taken > missing || is_culprit && self.participants[other].has_delayed {
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
            return Err(self.forfeit(other, FaultKind::DelayedOpponent, detail));
        }
        Ok(is_culprit.then_some(other))
    }
}

const LISTED: usize = 5;

/// Maximum length of a bot's own explanation for an illegal action, in characters.
const OWN_WORDS: usize = 300;

impl GameInPlay<'_, '_> {
    pub(super) fn refuse(
        &self,
        seat: Seat,
        position: &dyn AnyPosition,
        refusal: &Refusal,
    ) -> Abort {
        let ply = position.ply() + 1;
        if let Some(words) = said_illegal(&self.answers[seat]) {
            let detail = format!("at ply {ply}: {}", excerpt(words, OWN_WORDS));
            return self.forfeit(seat, FaultKind::NoAction, detail);
        }
        let token = answer_quoted(&self.answers[seat], EXCERPT);
        let meant = self.meant(seat, position).unwrap_or_default();
        match refusal {
            Refusal::Unparsable { expected } => self.forfeit(
                seat,
                FaultKind::NotAnAction,
                format!("answered {token} at ply {ply}: expected {expected}{meant}"),
            ),
            Refusal::Illegal { rule } => match self.legal_and_board(seat, position) {
                Ok(there) => {
                    let detail = format!("played {token} at ply {ply}: {rule}{meant}{there}");
                    self.forfeit(seat, FaultKind::Illegal, detail)
                }
                Err(fault) => fault.into(),
            },
        }
    }

    /// The abort of a game after the rules failed on the actions of these players. A player whose action is not among the
    /// listed ones forfeits: it is illegal, whatever the rules did with it.
    pub(super) fn rules_failed(
        &self,
        actors: Actors,
        fault: RulesFault,
        position: &dyn AnyPosition,
    ) -> Abort {
        if fault == RulesFault::BrokenOff || fault.is_of_machine() {
            return fault.into();
        }
        let ply = position.ply() + 1;
        let token = |seat: Seat| excerpt(&self.answers[seat], EXCERPT);
        let verdicts = self.spec.game.per_seat(|seat| {
            let is_asked = actors.includes(seat);
            let listed = is_asked.then(|| position.listed_again(seat).unwrap_or_default());
            let listed = listed.filter(|listed| !listed.is_empty());
            if listed.is_none_or(|listed| listed.contains(&self.answers[seat])) {
                return Ok(());
            }
            let token = token(seat);
            let detail = format!(
                "played `{token}` at ply {ply}, which is not among the legal actions, and the rules failed on it: {fault}"
            );
            Err(self.forfeit(seat, FaultKind::Illegal, detail))
        });
        if let Err(abort) = Abort::all(verdicts) {
            return abort;
        }
        let actions = actors
            .seats()
            .map(|seat| format!("`{}` by {}", token(seat), self.spec.game.seat_name(seat)));
        Abort::Void(Void::RulesAfter {
            actors: actors.seats().collect(),
            actions: actions.collect::<Vec<_>>().join(" and "),
            fault,
        })
    }

    /// Names the legal action that differs from the answer in capitals and signs only.
    fn meant(&self, seat: Seat, position: &dyn AnyPosition) -> Option<String> {
        let plain = |word: &str| {
            let letters = word.chars().filter(|c| c.is_alphanumeric());
            letters.collect::<String>().to_lowercase()
        };
        let answer = plain(&self.answers[seat]);
        let near = position.legal_near(seat, &self.answers[seat]).ok()?;
        let action = near.iter().find(|action| plain(action) == answer)?;
        (!answer.is_empty()).then(|| format!("; write it as `{action}`"))
    }

    fn legal_and_board(
        &self,
        seat: Seat,
        position: &dyn AnyPosition,
    ) -> Result<String, RulesFault> {
        let legal = position.legal_near(seat, &self.answers[seat])?;
        let near = legal[..legal.len().min(LISTED)].join(" ");
        let others = match legal.len().saturating_sub(LISTED) {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        let board = position.drawing(Some(seat))?.board;
        let board = board.map(|board| format!("board: {}", board.rows()));
        let legal = format!("legal, the closest first: {near}{others}");
        let legal = (!near.is_empty()).then_some(legal);
        let parts = legal.into_iter().chain(board);
        Ok(parts.map(|part| format!("; {part}")).collect())
    }
}

/// Time that the bot of a seat that leaves has to exit. Nobody is asked meanwhile.
const GRACE: Duration = Duration::from_millis(200);

impl GameInPlay<'_, '_> {
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
                fault.late = is_answer.then(|| cause.after(fault.late)).or(fault.late);
            }
        }
        Ok(())
    }
}

fn what_for(time: &TimeControl) -> String {
    match time.period {
        None => "the game".to_owned(),
        Some(period) => format!("each {period} actions"),
    }
}
