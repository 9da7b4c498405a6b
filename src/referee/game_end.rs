//! The end of a game that counts.

use super::fault::{FaultKind, PlayerFault};
use super::termination::Termination;
use crate::bot::LateAnswer;
use crate::clock::Spent;
use crate::game::{
    ActError, Actors, AnyPosition, Blame, Game, GameResult, News, PerSeat, Reason, Refusal,
    RulesPoints, Seat, Seats,
};
use crate::protocol::{Hello, READY};

/// The end of a game that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameEnd {
    /// Who won.
    pub result: GameResult,
    /// Kind of its end.
    pub termination: Termination,
    /// The rule that ended it, if one did.
    pub reason: Option<Reason>,
    /// Points of the seats by the rules, where these count some.
    pub rules_points: Option<PerSeat<RulesPoints>>,
    /// The players' faults.
    pub faults: PerSeat<Option<PlayerFault>>,
    /// Number of plies, opening included.
    pub plies: u32,
    /// The time that each player spent in all.
    pub spent: PerSeat<Spent>,
}

impl GameEnd {
    /// The players whose fault ended the game.
    pub fn blame(&self) -> Blame {
        Blame::of(self.blamed())
    }

    /// The seats whose players' fault ended the game.
    pub fn blamed(&self) -> Seats {
        let faults = self.faults.iter();
        let faults = faults.filter_map(|(seat, fault)| fault.as_ref().map(|_| seat));
        faults.collect()
    }

    /// The fault of a seat's player.
    pub fn fault(&self, seat: Seat) -> Option<&PlayerFault> {
        self.faults[seat].as_ref()
    }

    /// The termination that is counted for a seat: of two seats the game's, of more the one that its fault led to.
    pub fn counted_termination(&self, seat: Seat) -> Termination {
        match self.faults.count() {
            2 => self.termination,
            _ => self.termination_for(seat),
        }
    }

    /// The kind of end that the fault of a seat's player led to. Where both of two acted at once and failed, the fault of
    /// the first seat names the termination of the game.
    pub fn termination_for(&self, seat: Seat) -> Termination {
        if let Some(fault) = self.fault(seat)
            && self.faults.count() > 2
        {
            return fault.termination;
        }
        let is_named_by_another = self
            .blamed()
            .iter()
            .next()
            .is_some_and(|first| first < seat);
        match self.fault(seat) {
            Some(fault) if is_named_by_another && !self.termination.is_before_play() => {
                fault.kind.termination()
            }
            _ => self.termination,
        }
    }

    /// The players' faults in words. If there are several, each follows the name of its seat.
    pub fn detail(&self, game: Game) -> String {
        let mut faults = self.faults.values().flatten();
        if let (Some(fault), None) = (faults.next(), faults.next()) {
            return fault.to_string();
        }
        self.named_faults(game)
    }

    /// The players' faults in words, each after the name of its seat.
    fn named_faults(&self, game: Game) -> String {
        let faults = self.faults.iter();
        let named = faults.filter_map(|(seat, fault)| {
            Some(format!("{}: {}", game.seat_name(seat), fault.as_ref()?))
        });
        named.collect::<Vec<String>>().join("; ")
    }

    /// The rule that ended the game, and the faults of players that it went on without; or the explanation of the faults.
    pub fn why(&self, game: Game) -> String {
        match self.reason {
            None => self.detail(game),
            Some(reason) if self.blamed().is_empty() => reason.name().to_owned(),
            Some(reason) => format!("{}; {}", reason.name(), self.named_faults(game)),
        }
    }

    /// Leaves out what the program of another seat wrote before it failed, and where it lies: the kind of its fault says enough.
    pub fn hide_words_of_others(&mut self, own: Seat) {
        for (seat, fault) in self.faults.iter_mut() {
            let Some(fault) = fault.as_mut().filter(|_| seat != own) else {
                continue;
            };
            let told = match fault.kind {
                FaultKind::NotBuilt => "the build failed",
                FaultKind::NotStarted => "the bot's program cannot be run",
                FaultKind::Exited => "the bot's process ended",
                _ => continue,
            };
            told.clone_into(&mut fault.detail);
        }
    }

    /// Notes the cause of each late line that would have been an answer. The game ended in `position`.
    pub fn add_late_answers(
        &mut self,
        mut answers: PerSeat<Option<LateAnswer>>,
        position: &mut dyn AnyPosition,
    ) {
        for (seat, fault) in self.faults.iter_mut() {
            let answer = answers[seat].take();
            let Some((fault, LateAnswer { line, cause, .. })) = fault.as_mut().zip(answer) else {
                continue;
            };
            let is_answer = match fault.termination {
                Termination::Handshake => is_start_answer(&line),
                _ => is_action(seat, &line, position),
            };
            fault.late = is_answer.then_some(cause);
        }
    }

    /// The reason of the end, as told to the player of a seat.
    pub(super) fn reason_for(&self, seat: Seat) -> &str {
        match (self.reason, self.fault(seat)) {
            (Some(reason), _) => reason.name(),
            (None, fault) => fault.map_or("", |fault| &fault.detail),
        }
    }
}

/// Whether a line answers the handshake or the start of a game.
pub(super) fn is_start_answer(line: &str) -> bool {
    line == READY || Hello::parse(line).is_ok()
}

/// Whether a line is an action that a seat may have chosen in `position`, which a legal one changes.
fn is_action(seat: Seat, line: &str, position: &mut dyn AnyPosition) -> bool {
    match position.to_act() {
        Actors::AtOnce(_) => {
            let legal = position.legal(seat);
            legal.is_ok_and(|legal| legal.iter().any(|action| action == line))
        }
        Actors::One(_) | Actors::Nobody => matches!(
            position.act(line, &mut News::default()),
            Ok(()) | Err(ActError::Refused(Refusal::Illegal { .. }))
        ),
    }
}
