//! What a row says that a player did wrong, against how the game ended.

use crate::clock::Wait;
use crate::game::{Blame, Seat};
use crate::record::GameRow;
use crate::referee::Termination;

/// What is wrong with how a forfeit is recorded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum DetailProblem {
    /// Nothing is said of a player that forfeited.
    #[error("`detail` does not say what {seat} did wrong")]
    Missing { seat: &'static str },
    /// The words are of another termination.
    #[error("`termination` is `{found}`, and the words of `detail` are of {expected}")]
    Termination {
        found: &'static str,
        expected: String,
    },
    /// A handshake comes before the first ply, and every other end after both.
    #[error("`termination` is `{termination}`, and {plies} plies were played")]
    Plies {
        termination: &'static str,
        plies: u32,
    },
    /// Both players fail in the handshake only.
    #[error("`forfeited_by` is `both`, which can be in a handshake only, not by `{termination}`")]
    Both { termination: &'static str },
    /// Another seat was to act.
    #[error("`forfeited_by` is the player of {blamed}, and {to_act} was to act")]
    Seat {
        blamed: &'static str,
        to_act: &'static str,
    },
    /// The words name another ply.
    #[error("`detail` does not name ply {ply}, which was to be played")]
    Ply { ply: u32 },
}

/// Which kind of fault a detail describes. Words of an older or a later version may be of none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// An answer that cannot be played: "answered `x` at ply 3", where it is not an action.
    NotAnAction,
    /// An action that the rules forbid.
    Refused,
    /// A wrong answer to the handshake or to `start`.
    Greeting,
    /// An answer that came, too late.
    Overran,
    /// No answer came in time on the wall.
    NoAnswer,
    /// No answer before the processor time was used up.
    CpuSpent,
    /// It computed while its opponent was to act.
    OffTurn,
    /// The process ended, or never began.
    Ended,
    /// A person went away.
    Left,
    Memory,
    /// Output that nobody can use.
    BadOutput,
    /// The game was not played.
    NotPlayed,
}

impl Words {
    /// The kind of fault that a detail describes.
    pub fn of(detail: &str) -> Option<Self> {
        let begins = |begin: &str| detail.starts_with(begin);
        let has = |part: &str| detail.contains(part);
        Some(match detail {
            _ if begins("answered `") && has("` to the ") => Words::Greeting,
            _ if begins("answered `") && has("` at ply ") => Words::NotAnAction,
            _ if begins("played `") || begins("at ply ") => Words::Refused,
            _ if begins("took ") => Words::Overran,
            _ if begins("no answer within ") => Words::NoAnswer,
            _ if begins("no answer after ") => Words::CpuSpent,
            _ if begins("the bot used ") => Words::OffTurn,
            _ if begins("the bot and its descendants held ") => Words::Memory,
            _ if begins("the bot wrote ") => Words::BadOutput,
            _ if begins("the player left") => Words::Left,
            _ if begins("not played: ") => Words::NotPlayed,
            _ if ENDED.iter().any(|begin| begins(begin)) => Words::Ended,
            _ => return None,
        })
    }

    /// How a game can end by such a fault, if not in the handshake.
    fn terminations(self) -> &'static [Termination] {
        match self {
            Words::NotAnAction | Words::BadOutput => &[Termination::ProtocolError],
            Words::Refused => &[Termination::IllegalAction],
            Words::Greeting => &[],
            Words::Overran | Words::CpuSpent => &[Termination::Time],
            Words::NoAnswer | Words::OffTurn => &[Termination::Time, Termination::Stall],
            Words::Ended => &[Termination::Crash],
            Words::Left => &[Termination::Left],
            Words::Memory => &[Termination::Memory],
            Words::NotPlayed => &[Termination::Unplayed],
        }
    }

    /// Whether the fault can be in the handshake.
    fn in_handshake(self) -> bool {
        !matches!(
            self,
            Words::NotAnAction | Words::Refused | Words::Overran | Words::Left | Words::NotPlayed
        )
    }
}

/// How the details begin of bots that are not there.
const ENDED: [&str; 4] = [
    "the bot's process ",
    "the bot closed its standard output",
    "the bot's program cannot be run",
    "the build failed",
];

/// Checks what a row alone says.
pub(super) fn check_row(row: &GameRow) -> Result<(), DetailProblem> {
    let end = &row.end;
    let found = end.termination.name();
    let handshake = end.termination == Termination::Handshake;
    let before_play = handshake || end.termination == Termination::Unplayed;
    if end.blame == Blame::Both && !before_play {
        return Err(DetailProblem::Both { termination: found });
    }
    if before_play && end.plies > 0 {
        return Err(DetailProblem::Plies {
            termination: found,
            plies: end.plies,
        });
    }
    for seat in Seat::BOTH
        .into_iter()
        .filter(|seat| end.blame.includes(*seat))
    {
        let detail = &end.details[seat.index()];
        if detail.is_empty() {
            let seat = row.game.seat_name(seat);
            return Err(DetailProblem::Missing { seat });
        }
        let Some(words) = Words::of(detail) else {
            continue;
        };
        let fits = match handshake {
            true => words.in_handshake(),
            false => words.terminations().contains(&end.termination),
        };
        if !fits {
            return Err(DetailProblem::Termination {
                found,
                expected: expected(words),
            });
        }
    }
    Ok(())
}

fn expected(words: Words) -> String {
    let handshake = words.in_handshake().then_some(&Termination::Handshake);
    let all = words.terminations().iter().chain(handshake);
    let names: Vec<String> = all.map(|end| format!("`{}`", end.name())).collect();
    names.join(" or ")
}

/// Checks the end of a game that was forfeited while `to_act` was to act, whose answers could be waited
/// for so long.
pub(super) fn check_end(
    row: &GameRow,
    to_act: Seat,
    waits: [Wait; 2],
    wall_cap: std::time::Duration,
) -> Result<(), DetailProblem> {
    let end = &row.end;
    let Blame::Of(blamed) = end.blame else {
        return Ok(());
    };
    let detail = &end.details[blamed.index()];
    let words = Words::of(detail);
    let before_play = [Termination::Handshake, Termination::Unplayed];
    if before_play.contains(&end.termination) || words.is_none_or(|it| it == Words::OffTurn) {
        return Ok(());
    }
    if blamed != to_act {
        return Err(DetailProblem::Seat {
            blamed: row.game.seat_name(blamed),
            to_act: row.game.seat_name(to_act),
        });
    }
    if words == Some(Words::NoAnswer) {
        let due = match waits[to_act.index()].wall >= wall_cap {
            true => Termination::Stall,
            false => Termination::Time,
        };
        if end.termination != due {
            return Err(DetailProblem::Termination {
                found: end.termination.name(),
                expected: format!("`{}` with this clock", due.name()),
            });
        }
    }
    let ply = end.plies + 1;
    let names_ply = matches!(words, Some(Words::Refused | Words::NotAnAction));
    match names_ply && !detail.contains(&format!("at ply {ply}:")) {
        true => Err(DetailProblem::Ply { ply }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::player::Fault;

    /// Every message that a fault has today is recognised.
    #[test]
    fn the_words_of_every_fault_are_known() {
        let second = Duration::from_secs(1);
        let text = || "x".to_owned();
        let faults = [
            (Fault::NotStarted { problem: text() }, Words::Ended),
            (Fault::NotBuilt { problem: text() }, Words::Ended),
            (
                Fault::Late {
                    limit: second,
                    waited: second,
                },
                Words::NoAnswer,
            ),
            (Fault::CpuSpent { used: second }, Words::CpuSpent),
            (Fault::OffTurn { used: second }, Words::OffTurn),
            (Fault::Exited { how: text() }, Words::Ended),
            (Fault::Memory { held: 2, limit: 1 }, Words::Memory),
            (Fault::HungUp, Words::Ended),
            (Fault::Left, Words::Left),
            (Fault::OutOfTurn { line: text() }, Words::BadOutput),
            (Fault::LineTooLong { limit: 1 }, Words::BadOutput),
            (Fault::Flood { limit: 1 }, Words::BadOutput),
            (Fault::NotText, Words::BadOutput),
        ];
        for (fault, words) in faults {
            let detail = fault.to_string();
            assert_eq!(Words::of(&detail), Some(words), "{detail}");
        }
    }
}
