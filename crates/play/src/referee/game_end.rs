//! The end of a game that counts.

use std::fmt::{self, Display};
use std::time::Duration;

use crate::bot::{Fault, LateAnswer, LateCause};
use crate::clock::Spent;
use crate::game::{
    ActError, Actors, AnyPosition, ForfeitedBy, Game, GameResult, News, PerSeat, Reason, Refusal,
    RulesPoints, Seat, Seats,
};
use crate::protocol::{Hello, READY};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameEnd {
    pub result: GameResult,
    pub termination: Termination,
    pub reason: Option<Reason>,
    pub rules_points: Option<PerSeat<RulesPoints>>,
    pub faults: PerSeat<Option<PlayerFault>>,
    /// Number of plies, opening included.
    pub plies: u32,
    pub spent: PerSeat<Spent>,
    /// The time that each player had left for the game, if it has such a limit. Files do not have it.
    pub left: PerSeat<Option<Duration>>,
}

impl GameEnd {
    pub fn forfeited_by(&self) -> ForfeitedBy {
        ForfeitedBy::of(self.forfeiters())
    }

    pub fn forfeiters(&self) -> Seats {
        let faults = self.faults.iter();
        let faults = faults.filter_map(|(seat, fault)| fault.as_ref().map(|_| seat));
        faults.collect()
    }

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
        let first = self.forfeiters().iter().next();
        let is_named_by_another = first.is_some_and(|first| first < seat);
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
            Some(reason) if self.forfeiters().is_empty() => reason.name().to_owned(),
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
            fault.late = is_answer.then(|| cause.after(fault.late)).or(fault.late);
        }
    }

    pub(super) fn reason_for(&self, seat: Seat) -> &str {
        match (self.reason, self.fault(seat)) {
            (Some(reason), _) => reason.name(),
            (None, fault) => fault.map_or("", |fault| &fault.detail),
        }
    }
}

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

crate::named! {
    /// Their names are those of the protocol and of records.
    #[derive(PartialOrd, Ord)]
    pub enum Termination {
        Rules = "rules",
        /// By a limit of the tournament that the game's rules do not have.
        Adjudication = "adjudication",
        IllegalAction = "illegal_action",
        /// A player's answer was not an action, not a line of text, or not requested.
        ProtocolError = "protocol_error",
        Time = "time",
        /// A player gave no answer within the cap on wall time, whatever its clock said.
        Stall = "stall",
        /// A player's process ended or closed its stdout.
        Crash = "crash",
        /// A player with its descendants exceeded its memory limit.
        Memory = "memory",
        /// A player did not complete the handshake, or was not ready for the game.
        Handshake = "handshake",
        Left = "left",
    }
}

impl Termination {
    /// Whether no forfeit ended such a game: the rules did, or a limit.
    pub fn is_by_rules(self) -> bool {
        matches!(self, Termination::Rules | Termination::Adjudication)
    }

    /// Whether such a game ended before its first request for an action.
    pub fn is_before_play(self) -> bool {
        self == Termination::Handshake
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerFault {
    pub kind: FaultKind,
    pub termination: Termination,
    /// An explanation, also sent to the bot.
    pub detail: String,
    /// Cause of an answer after the deadline, or of none. It is known only when the bot is closed, so the bot is not told.
    pub late: Option<LateCause>,
}

impl Display for PlayerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let remark = match self.late {
            Some(LateCause::Buffered) => {
                "; its answer came only when its input was closed: flush standard output after each line"
            }
            Some(LateCause::Unended) => {
                "; its answer came without a line end: end each line with a newline"
            }
            Some(LateCause::Computing) => {
                "; it computed all that time: an endless loop, or a search that does not look at the clock"
            }
            Some(LateCause::Waiting) => {
                "; it used next to no processor time: it slept, or waited for input or another program"
            }
            Some(LateCause::NextLine) => {
                "; its answer came only with the next line that it was sent: it reads a line too many before it answers"
            }
            Some(LateCause::Slow) | None => "",
        };
        write!(f, "{}{remark}", self.detail)
    }
}

crate::named! {
    #[derive(PartialOrd, Ord)]
    pub enum FaultKind {
        NotStarted = "not_started",
        NotBuilt = "not_built",
        Late = "late",
        CpuSpent = "cpu_spent",
        OffTurn = "off_turn",
        Uncounted = "uncounted",
        Exited = "exited",
        Memory = "memory",
        HungUp = "hung_up",
        Left = "left",
        /// [`Fault::OutOfTurn`], [`Fault::MoveUnasked`].
        OutOfTurn = "out_of_turn",
        LineTooLong = "line_too_long",
        Flood = "flood",
        NotText = "not_text",
        /// The answer to the handshake was wrong, or [`Fault::EngineOption`].
        BadHello = "bad_hello",
        Refused = "refused",
        NotReady = "not_ready",
        NotAnAction = "not_an_action",
        Illegal = "illegal",
        /// An adapter reports that the program behind it gave no action.
        NoAction = "no_action",
        /// The answer came, and took longer than the clock allows.
        Overrun = "overrun",
        /// It used so much CPU time off turn that its opponent was late.
        DelayedOpponent = "delayed_opponent",
    }
}

impl FaultKind {
    /// The kind of a bot's failure to answer; `None` if the bot is not to blame.
    pub fn of(fault: &Fault) -> Option<Self> {
        Some(match fault {
            Fault::NotStarted { .. } => FaultKind::NotStarted,
            Fault::NotBuilt { .. } => FaultKind::NotBuilt,
            Fault::Late { .. } => FaultKind::Late,
            Fault::CpuSpent { .. } => FaultKind::CpuSpent,
            Fault::OffTurn { .. } => FaultKind::OffTurn,
            Fault::Uncounted => FaultKind::Uncounted,
            Fault::Exited { .. } => FaultKind::Exited,
            Fault::Memory { .. } => FaultKind::Memory,
            Fault::HungUp => FaultKind::HungUp,
            Fault::Left => FaultKind::Left,
            Fault::OutOfTurn { .. } | Fault::MoveUnasked { .. } => FaultKind::OutOfTurn,
            Fault::EngineOption { .. } => FaultKind::BadHello,
            Fault::Refused { .. } => FaultKind::Refused,
            Fault::LineTooLong { .. } => FaultKind::LineTooLong,
            Fault::Flood { .. } => FaultKind::Flood,
            Fault::NotText { .. } => FaultKind::NotText,
            Fault::Starved { .. } | Fault::BrokenOff | Fault::Machine(_) => return None,
        })
    }

    /// Termination of a game by such a fault after the handshake. An answer that is [late](Self::Late)
    /// beyond the cap on wall time makes it a stall instead.
    pub fn termination(self) -> Termination {
        match self {
            Self::NotStarted | Self::NotBuilt | Self::Exited | Self::HungUp => Termination::Crash,
            Self::Late | Self::CpuSpent | Self::OffTurn | Self::Uncounted => Termination::Time,
            Self::Overrun | Self::DelayedOpponent => Termination::Time,
            Self::Memory => Termination::Memory,
            Self::Left => Termination::Left,
            Self::BadHello | Self::NotReady => Termination::Handshake,
            Self::Illegal | Self::NoAction => Termination::IllegalAction,
            Self::OutOfTurn | Self::LineTooLong | Self::Flood => Termination::ProtocolError,
            Self::NotText | Self::Refused | Self::NotAnAction => Termination::ProtocolError,
        }
    }

    pub fn fits(self, termination: Termination) -> bool {
        match termination {
            Termination::Handshake => !matches!(
                self,
                FaultKind::NotAnAction
                    | FaultKind::Illegal
                    | FaultKind::NoAction
                    | FaultKind::Overrun
                    | FaultKind::Left
            ),
            Termination::Stall => self == FaultKind::Late,
            termination => termination == self.termination(),
        }
    }
}
