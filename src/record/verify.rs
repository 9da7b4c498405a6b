//! Playing the games of a run again from their logs, to see whether the records are true.

use std::path::Path;
use std::time::Duration;

use super::row::RowError;
use super::{GameRow, PLY_COLUMNS, RecordError, game_path};
use crate::game::{AnyPosition, Blame, Game, GameResult, Outcome, Reason};
use crate::referee::{GameEnd, Opening, Termination};

/// One ply of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedPly {
    /// Who acted, by the name of the seat.
    pub seat: String,
    /// The action.
    pub action: String,
    /// What became public by it.
    pub public: String,
    /// How long it took on the wall; `None` in the opening, which no player chose.
    pub wall: Option<Duration>,
    /// What was left on the player's clock after it, where there is a limit per game.
    pub left: Option<Duration>,
}

/// Reads the log of one game.
pub fn read_log(run: &Path, id: u64) -> Result<Vec<LoggedPly>, RecordError> {
    let path = game_path(run, "games", id, ".csv");
    let bad = |problem: String| RecordError::new(&path, problem);
    let mut reader =
        csv::Reader::from_path(&path).map_err(|error| bad(format!("cannot be read: {error}")))?;
    if reader
        .headers()
        .map_or(true, |header| header.iter().ne(PLY_COLUMNS))
    {
        return Err(bad("line 1 is not the header of a game's log".to_owned()));
    }
    let mut plies = Vec::new();
    for (index, record) in reader.records().enumerate() {
        let line = index + 2;
        let record = record.map_err(|error| bad(format!("line {line}: {error}")))?;
        let field = |column: usize| record.get(column).unwrap_or_default();
        let time = |column: usize| match field(column) {
            "" => Ok(None),
            number => number
                .parse()
                .map(|micros| Some(Duration::from_micros(micros)))
                .map_err(|_| {
                    bad(format!(
                        "line {line} has `{number}` as `{}`: expected a whole number",
                        PLY_COLUMNS[column]
                    ))
                }),
        };
        if field(0) != (index + 1).to_string() {
            return Err(bad(format!(
                "line {line} has ply {}, expected {}",
                field(0),
                index + 1
            )));
        }
        plies.push(LoggedPly {
            seat: field(1).to_owned(),
            action: field(2).to_owned(),
            public: field(3).to_owned(),
            wall: time(4)?,
            left: time(7)?,
        });
    }
    Ok(plies)
}

/// Plays a game again from the position at its start, with the first plies of the opening, and
/// shows every position to `each`, the one at the start too. The error says at which ply, and what is not true.
pub fn replay(
    row: &GameRow,
    plies: &[LoggedPly],
    game: Game,
    position: &mut dyn AnyPosition,
    (opening_plies, opening): (u32, &mut dyn Opening),
    each: &mut dyn FnMut(&dyn AnyPosition),
) -> Result<(), String> {
    let mut public = String::new();
    each(position);
    for ply in plies {
        let number = position.ply() + 1;
        let seat = position
            .to_act()
            .ok_or_else(|| format!("ply {number}: the game was over already"))?;
        let expected = game.seat_name(seat);
        if ply.seat != expected {
            return Err(format!(
                "ply {number}: it was {expected}'s turn, not {}'s",
                ply.seat
            ));
        }
        if number <= opening_plies {
            let drawn = opening.choose(position);
            if drawn != ply.action || ply.wall.is_some() {
                return Err(format!(
                    "ply {number}: the opening is `{}`, and the seed says `{drawn}`",
                    ply.action
                ));
            }
        } else if ply.wall.is_none() {
            return Err(format!(
                "ply {number}: it has no time, and is not of the opening"
            ));
        }
        public.clear();
        position
            .act(&ply.action, &mut public)
            .map_err(|refusal| format!("ply {number}: `{}` is {refusal}", ply.action))?;
        if public != ply.public {
            return Err(format!(
                "ply {number}: `{}` made `{}` public, and the rules and the seed say `{public}`",
                ply.action, ply.public
            ));
        }
        each(position);
    }
    if u64::from(row.end.plies) != plies.len() as u64 {
        return Err(format!(
            "the journal has {} plies, the log {}",
            row.end.plies,
            plies.len()
        ));
    }
    ending(&row.end, game, position.outcome())
}

/// Whether the row tells the end that the rules say.
fn ending(end: &GameEnd, game: Game, outcome: Option<Outcome>) -> Result<(), String> {
    let by_the_rules = matches!(
        end.termination,
        Termination::Rules | Termination::Adjudication
    );
    let (result, reason) = match (outcome, by_the_rules) {
        (Some(Outcome { winner, reason }), true) => {
            let right = match reason.is_adjudication() {
                true => Termination::Adjudication,
                false => Termination::Rules,
            };
            equal("termination", end.termination.name(), right.name())?;
            (
                winner.map_or(GameResult::Drawn, GameResult::Won),
                Some(reason),
            )
        }
        (Some(outcome), false) => {
            return Err(format!(
                "`termination` is `{}`, and the game was over by `{}`",
                end.termination.name(),
                outcome.reason
            ));
        }
        (None, true) => {
            return Err(format!(
                "`termination` is `{}`, and after the last ply the game goes on",
                end.termination.name()
            ));
        }
        // The log cannot tell whose fault it was. A row of the journal whose blame and result
        // contradict each other cannot be read.
        (None, false) if end.blame == Blame::Nobody => {
            return equal("forfeited_by", "", Blame::Both.name(["", ""]));
        }
        (None, false) => (end.result, None),
    };
    let name = |reason: Option<Reason>| reason.map_or("", Reason::name);
    equal("winner", end.result.name(game), result.name(game))?;
    equal("reason", name(end.reason), name(reason))?;
    match by_the_rules && end.blame != Blame::Nobody {
        true => Err("a player forfeited, and the game ended by its rules".to_owned()),
        false => Ok(()),
    }
}

fn equal(column: &'static str, is: &str, should: &str) -> Result<(), String> {
    RowError::unless_equal(column, is, should).map_err(|error| error.to_string())
}
