//! How a game can end. `docs/failures.md` says for each end whose fault it is, what is recorded
//! and what happens next.

use crate::clock::Spent;
use crate::game::{AnyPosition, Blame, Game, GameResult, Reason, Refusal, Seat};
use crate::player::LateAnswer;
use crate::protocol::{Hello, READY};

/// What a late player did wrong whose answer lay in a buffer, behind how late it was.
const BUFFERED: &str =
    "; its answer came only when its input was closed: flush standard output after each line";

/// The same, where its answer had no line end.
const UNENDED: &str = "; its answer came without a line end: end each line with a newline";

/// Every way in which a game can end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Termination {
    /// By the rules of the game.
    Rules,
    /// By a limit of ours that the rules of the game do not have.
    Adjudication,
    /// A player played an action that the rules forbid.
    IllegalAction,
    /// A player's answer was not an action at all, was not one line of text, or was not asked for.
    ProtocolError,
    /// A player used more time than it had.
    Time,
    /// A player gave no answer before the cap on the wall, whatever its clock said.
    Stall,
    /// A player's process ended or closed its stdout.
    Crash,
    /// A player with all its descendants held more memory than it may.
    Memory,
    /// A player did not complete the handshake, or did not get ready for the game.
    Handshake,
    /// A person left the game.
    Left,
    /// The game was not played: a player failed in the same way in each of its games before.
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

    /// The name in the protocol and in records.
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

    /// The termination of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }
}

/// How a game that counts ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameEnd {
    /// Who won.
    pub result: GameResult,
    /// In which way the game ended.
    pub termination: Termination,
    /// Through whose fault.
    pub blame: Blame,
    /// By which rule, where it ended by one.
    pub reason: Option<Reason>,
    /// What each player did wrong, by seat, in words that help; empty where it did nothing wrong.
    pub details: [String; 2],
    /// How many plies were played, the opening included.
    pub plies: u32,
    /// The time that each player spent in all, by seat.
    pub spent: [Spent; 2],
}

impl GameEnd {
    /// What the players did wrong; where both did something, each behind the name of its seat.
    pub fn detail(&self, game: Game) -> String {
        let [first, second] = &self.details;
        match self.blame {
            Blame::Both => {
                let [one, other] = game.seat_names();
                format!("{one}: {first}; {other}: {second}")
            }
            Blame::Nobody | Blame::Of(_) => format!("{first}{second}"),
        }
    }

    /// The details that are written as `detail`; `None` if no game with this blame has such a text.
    pub fn split_detail(game: Game, blame: Blame, detail: &str) -> Option<[String; 2]> {
        let mut details = [String::new(), String::new()];
        match blame {
            Blame::Nobody if detail.is_empty() => {}
            Blame::Nobody => return None,
            Blame::Of(seat) => details[seat.index()] = detail.to_owned(),
            Blame::Both => {
                let [one, other] = game.seat_names();
                let rest = detail.strip_prefix(&format!("{one}: "))?;
                let (first, second) = rest.split_once(&format!("; {other}: "))?;
                details = [first.to_owned(), second.to_owned()];
            }
        }
        Some(details)
    }

    /// The rule by which the game ended, or what a player did wrong.
    pub fn why(&self, game: Game) -> String {
        match self.reason {
            Some(reason) => reason.name().to_owned(),
            None => self.detail(game),
        }
    }

    /// Adds to what the players did wrong that their answers lay in a buffer or had no line end, where that
    /// is so. The game ended in `position`.
    pub fn add_late_answers(
        &mut self,
        answers: [Option<LateAnswer>; 2],
        position: &mut dyn AnyPosition,
    ) {
        for (detail, answer) in self.details.iter_mut().zip(answers) {
            let (line, remark) = match answer {
                Some(LateAnswer::Buffered { line }) => (line, BUFFERED),
                Some(LateAnswer::Unended { line }) => (line, UNENDED),
                Some(LateAnswer::Slow { .. }) | None => continue,
            };
            let is_answer = match self.termination {
                Termination::Handshake => line == READY || Hello::parse(&line).is_ok(),
                _ => !matches!(
                    position.act(&line, &mut String::new()),
                    Err(Refusal::Unparsable { .. })
                ),
            };
            if is_answer {
                detail.push_str(remark);
            }
        }
    }

    /// What the player of a seat is told of why the game ended. What became of a late answer is found out
    /// later.
    pub(super) fn told(&self, seat: Seat) -> &str {
        match self.reason {
            Some(reason) => reason.name(),
            None => {
                let detail = &self.details[seat.index()];
                let remarks = [BUFFERED, UNENDED].into_iter();
                let mut short = remarks.filter_map(|remark| detail.strip_suffix(remark));
                short.next().unwrap_or(detail)
            }
        }
    }
}
