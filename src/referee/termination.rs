//! The ends of games. `docs/failures.md` says for each one whose fault it is, how it is recorded and
//! how the run goes on.

use super::PlayerFault;
use crate::bot::LateAnswer;
use crate::clock::Spent;
use crate::game::{
    ActError, AnyPosition, Blame, Game, GameResult, News, PerSeat, Reason, Refusal, Seat,
};
use crate::protocol::{Hello, READY};

/// Kinds of ends of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Termination {
    /// By the rules of the game.
    Rules,
    /// By a limit of the tournament that the game's rules do not have.
    Adjudication,
    /// A player's action was illegal.
    IllegalAction,
    /// A player's answer was not an action, not a line of text, or not requested.
    ProtocolError,
    /// A player used more time than it had.
    Time,
    /// A player gave no answer within the cap on wall time, whatever its clock said.
    Stall,
    /// A player's process ended or closed its stdout.
    Crash,
    /// A player with its descendants exceeded its memory limit.
    Memory,
    /// A player did not complete the handshake, or was not ready for the game.
    Handshake,
    /// A person left the game.
    Left,
    /// The game was not played, since a player failed in the same way in each of its earlier games.
    Unplayed,
}

impl Termination {
    /// All terminations.
    pub const ALL: [Termination; 11] = [
        Termination::Rules,
        Termination::Adjudication,
        Termination::IllegalAction,
        Termination::ProtocolError,
        Termination::Time,
        Termination::Stall,
        Termination::Crash,
        Termination::Memory,
        Termination::Handshake,
        Termination::Left,
        Termination::Unplayed,
    ];

    /// Name in the protocol and in records.
    pub fn name(self) -> &'static str {
        match self {
            Termination::Rules => "rules",
            Termination::Adjudication => "adjudication",
            Termination::IllegalAction => "illegal_action",
            Termination::ProtocolError => "protocol_error",
            Termination::Time => "time",
            Termination::Stall => "stall",
            Termination::Crash => "crash",
            Termination::Memory => "memory",
            Termination::Handshake => "handshake",
            Termination::Left => "left",
            Termination::Unplayed => "unplayed",
        }
    }

    /// The termination with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }
}

/// The end of a game that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameEnd {
    /// Who won.
    pub result: GameResult,
    /// Kind of its end.
    pub termination: Termination,
    /// The rule that ended it, if one did.
    pub reason: Option<Reason>,
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
        match self.faults.each_ref().into_array() {
            [None, None] => Blame::Nobody,
            [Some(_), None] => Blame::Of(Seat::First),
            [None, Some(_)] => Blame::Of(Seat::Second),
            [Some(_), Some(_)] => Blame::Both,
        }
    }

    /// The fault of a seat's player.
    pub fn fault(&self, seat: Seat) -> Option<&PlayerFault> {
        self.faults[seat].as_ref()
    }

    /// The players' faults in words. If there are several, each follows the name of its seat.
    pub fn detail(&self, game: Game) -> String {
        let faults = self.faults.iter();
        let faults = faults.filter_map(|(seat, fault)| Some((seat, fault.as_ref()?)));
        let faults: Vec<(Seat, &PlayerFault)> = faults.collect();
        if let [(_, fault)] = faults[..] {
            return fault.to_string();
        }
        let named = faults.into_iter();
        let named = named.map(|(seat, fault)| format!("{}: {fault}", game.seat_name(seat)));
        named.collect::<Vec<String>>().join("; ")
    }

    /// The rule that ended the game, or the explanation of the players' faults.
    pub fn why(&self, game: Game) -> String {
        match self.reason {
            Some(reason) => reason.name().to_owned(),
            None => self.detail(game),
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
            let is_answer = match self.termination {
                Termination::Handshake => line == READY || Hello::parse(&line).is_ok(),
                _ => matches!(
                    position.act(&line, &mut News::default()),
                    Ok(()) | Err(ActError::Refused(Refusal::Illegal { .. }))
                ),
            };
            fault.late = is_answer.then_some(cause);
        }
    }

    /// The reason of the end, as told to the player of a seat.
    pub(super) fn told(&self, seat: Seat) -> &str {
        match (self.reason, self.fault(seat)) {
            (Some(reason), _) => reason.name(),
            (None, fault) => fault.map_or("", |fault| &fault.detail),
        }
    }
}
