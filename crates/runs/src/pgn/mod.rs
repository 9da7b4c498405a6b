//! Recorded games of chess as PGN. Reading PGN is a part of `results`.
//!
//! Two tags are our own, as results need them and PGN has none: `GamePair` and `OpeningMoves`.

mod style;

use std::fmt::Write as _;
use std::time::Duration;

pub use style::{Extra, PgnStyle};

use crate::bot::Values;
use crate::clock::{Spent, TimeControl};
use crate::game::chess::State;
use crate::game::{
    ActError, AnyPosition, EngineProtocol, Game, GameResult, News, PerSeat, RulesFault, Seat,
};
use crate::referee::{PlayerFault, Termination};
use crate::runs::{GameRow, LoggedAction, Recording, ScoreAndDepth};
use crate::text::DisplayNames;
use crate::units::{micros, write_decimal};

const WIDTH: usize = 80;

const USUAL_LENGTH: usize = 4 << 10;

/// The first position of a game without a tag `FEN`.
const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PgnError {
    #[error(transparent)]
    Rules(#[from] RulesFault),
    #[error(
        "game {id}: ply {ply} of its log, `{action}`, is no move of the game: `referee verify` says more"
    )]
    Action { id: u64, ply: usize, action: String },
}

pub fn is_writable(game: Game) -> bool {
    game.program().is_none() && game.notation() == Some(EngineProtocol::Uci)
}

/// A recorded game in export format, and an empty line. `event` is the name of the run. Other programs know players by the
/// names that they show, so these are its names.
pub fn text(
    event: &str,
    names: &DisplayNames,
    recording: &Recording,
    style: &PgnStyle,
) -> Result<String, PgnError> {
    let row = &recording.row;
    let mut start = recording.start()?;
    let mut sheet = ScoreSheet::new(row.game, start.position.as_ref(), style.clone());
    replay(recording, start.position.as_mut(), |position, logged| {
        sheet.add(position, logged.spent, logged.left, &logged.values);
    })?;
    Ok(sheet.end(event, names, row, &recording.times.each_ref()))
}

/// The final position of a recorded game as EPD, with its result and its number, on a line.
pub fn epd(event: &str, recording: &Recording) -> Result<String, PgnError> {
    let row = &recording.row;
    let mut start = recording.start()?;
    replay(recording, start.position.as_mut(), |_, _| {})?;
    let fen = start.position.chess().map(State::fen).unwrap_or_default();
    let mut fields = fen.split(' ');
    let position: Vec<&str> = fields.by_ref().take(4).collect();
    let [quiet, number] = [(); 2].map(|()| fields.next().unwrap_or("0"));
    Ok(format!(
        "{} hmvc {quiet}; fmvn {number}; c9 \"{}\"; id \"{event} {}\";\n",
        position.join(" "),
        result(row.end.result),
        row.id
    ))
}

/// Plays a recorded game from its start, and calls `each` with the position after each move.
fn replay(
    recording: &Recording,
    position: &mut dyn AnyPosition,
    mut each: impl FnMut(&dyn AnyPosition, &LoggedAction),
) -> Result<(), PgnError> {
    for (index, ply) in recording.plies.iter().enumerate() {
        let wrong = || PgnError::Action {
            id: recording.row.id,
            ply: index + 1,
            action: ply.word(),
        };
        let mut actions = ply.actions().map(|(_, action)| action);
        let (Some(logged), None) = (actions.next(), actions.next()) else {
            return Err(wrong());
        };
        match position.play(&logged.action, &mut News::default()) {
            Ok(()) => {}
            Err(ActError::Rules(fault)) => return Err(fault.into()),
            Err(ActError::Refused(_)) => return Err(wrong()),
        }
        each(position, logged);
    }
    Ok(())
}

#[derive(Debug)]
pub struct ScoreSheet {
    game: Game,
    style: PgnStyle,
    fen: String,
    plies: usize,
    is_white: bool,
    number: u64,
    moves: Lines,
    words: String,
}

impl ScoreSheet {
    pub fn new(game: Game, position: &dyn AnyPosition, style: PgnStyle) -> Self {
        let fen = position.chess().map(State::fen).unwrap_or_default();
        let mut fields = fen.split(' ').skip(1);
        let is_white = fields.next() != Some("b");
        let number = fields.last().and_then(|number| number.parse().ok());
        Self {
            game,
            style,
            plies: 0,
            is_white,
            number: number.unwrap_or(1),
            moves: Lines {
                text: String::with_capacity(USUAL_LENGTH),
                width: 0,
            },
            words: String::new(),
            fen,
        }
    }

    /// Adds the last move of a position, with the time that it took, the time that its bot has left, and the values that
    /// its bot reported. A move of the opening took no time.
    pub fn add(
        &mut self,
        position: &dyn AnyPosition,
        spent: Option<Spent>,
        left: Option<Duration>,
        values: &Values,
    ) {
        let words = &mut self.words;
        words.clear();
        // Writing to a `String` cannot fail.
        if self.is_white || self.plies == 0 {
            words.push_str(itoa::Buffer::new().format(self.number));
            words.push_str(if self.is_white { ". " } else { "... " });
        }
        // A game that can be written has a notation for each move.
        let chess = position.chess();
        let written = chess.and_then(|state| state.last_move(self.style.moves));
        words.push_str(&written.unwrap_or_default());
        words.push_str(" {");
        match spent {
            None => words.push_str("book"),
            Some(spent) => {
                if let Some(score) = ScoreAndDepth::of(values, self.game) {
                    let _ = score.write_to(words);
                    words.push(' ');
                }
                push_seconds(spent.wall, words);
                self.style.push_extras(spent, left, values, words);
            }
        }
        words.push('}');
        self.moves.add(words);
        self.plies += 1;
        self.number += u64::from(!self.is_white);
        self.is_white = !self.is_white;
    }

    /// The whole game in export format, and an empty line. `event` is the name of the run.
    pub fn end(
        mut self,
        event: &str,
        names: &DisplayNames,
        row: &GameRow,
        times: &PerSeat<&TimeControl>,
    ) -> String {
        let mut text = String::with_capacity(500 + self.moves.text.len());
        let names = row.names().map(|name| names.shown(name));
        self.tags(event, &names, row, times, &mut text);
        let reason = reason(row, &names).replace('{', "(").replace('}', ")");
        if !reason.is_empty() {
            self.moves.add(&format!("{{{reason}}}"));
        }
        self.moves.add(result(row.end.result));
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\n{}\n\n", self.moves.text);
        text
    }

    fn tags(
        &self,
        event: &str,
        names: &PerSeat<String>,
        row: &GameRow,
        times: &PerSeat<&TimeControl>,
        text: &mut String,
    ) {
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        tag("Event", event);
        tag("Site", "?");
        tag(
            "Date",
            &row.date.get(..10).unwrap_or("????-??-??").replace('-', "."),
        );
        tag("Round", &(row.block + 1).to_string());
        tag("White", &names[Seat::FIRST]);
        tag("Black", &names[Seat::SECOND]);
        tag("Result", result(row.end.result));
        let is_fischer_random = row
            .options
            .split(' ')
            .any(|option| option == "variant=fischer-random");
        if is_fischer_random {
            tag("Variant", "Chess960");
        }
        if is_fischer_random || self.fen != USUAL {
            tag("SetUp", "1");
            tag("FEN", &self.fen);
        }
        tag("PlyCount", &self.plies.to_string());
        tag("Termination", termination(row.end.termination));
        let [white_time, black_time] = Seat::BOTH.map(|seat| time_control(times[seat]));
        if white_time == black_time {
            tag("TimeControl", &white_time);
        } else {
            tag("WhiteTimeControl", &white_time);
            tag("BlackTimeControl", &black_time);
        }
        tag("GamePair", &row.block.to_string());
        if !row.start.opening.is_empty() {
            tag("OpeningMoves", &row.start.opening);
        }
    }
}

/// Writes a time, such as `0.082s`.
fn push_seconds(time: Duration, words: &mut String) {
    let time = micros(time);
    let millis = time / 1000 + u64::from(time % 1000 >= 500);
    // Writing to a `String` cannot fail.
    let _ = write_decimal(millis, 3, words);
    words.push('s');
}

/// The moves of a period, the budget and the increment in seconds, the time of a move, or `-` for none.
fn time_control(time: &TimeControl) -> String {
    let increment = time.increment.as_secs_f64();
    match (time.per_game, time.per_move) {
        (Some(budget), _) => {
            let period = time.period.map(|moves| format!("{moves}/"));
            let increment = Some(increment).filter(|increment| *increment > 0.0);
            let increment = increment.map(|increment| format!("+{increment}"));
            let (period, increment) = (period.unwrap_or_default(), increment.unwrap_or_default());
            format!("{period}{}{increment}", budget.as_secs_f64())
        }
        (None, Some(limit)) => format!("{}/move", limit.as_secs_f64()),
        (None, None) => "-".to_owned(),
    }
}

fn result(result: GameResult) -> &'static str {
    match result {
        GameResult::Won(Seat::FIRST) => "1-0",
        GameResult::Won(_) => "0-1",
        GameResult::Drawn => "1/2-1/2",
        // PGN has no result for a loss of both, and games of two have no other.
        GameResult::Nobody | GameResult::Placed(_) => "*",
    }
}

/// The tag `Termination`, in the words of tournament managers.
fn termination(termination: Termination) -> &'static str {
    match termination {
        Termination::Rules => "normal",
        Termination::Adjudication => "adjudication",
        Termination::IllegalAction => "illegal move",
        Termination::ProtocolError | Termination::Memory => "rules infraction",
        Termination::Time => "time forfeit",
        Termination::Stall => "stalled connection",
        Termination::Crash => "disconnect",
        Termination::Handshake | Termination::Left => "abandoned",
    }
}

/// Why the game ended: the rule, or what the players did wrong.
fn reason(row: &GameRow, names: &PerSeat<String>) -> String {
    let faults = Seat::BOTH.into_iter().filter_map(|seat| {
        let PlayerFault { detail, .. } = row.end.faults[seat].as_ref()?;
        let name = &names[seat];
        Some(format!(
            "{name} forfeits by {}: {detail}",
            row.end.termination.name()
        ))
    });
    let faults: Vec<String> = faults.collect();
    match row.end.reason {
        Some(reason) => reason.name().to_owned(),
        None => faults.join("; "),
    }
}

/// Text in lines of at most [`WIDTH`] characters, unless a word is longer.
#[derive(Debug)]
struct Lines {
    text: String,
    width: usize,
}

impl Lines {
    /// Adds words. `%`, `;` and `[` begin no line, as they would mean something there.
    fn add(&mut self, words: &str) {
        for word in words.split_ascii_whitespace() {
            let length = match word.is_ascii() {
                true => word.len(),
                false => word.chars().count(),
            };
            let may_begin = !matches!(word.as_bytes(), [b'%' | b';' | b'[', ..]);
            if may_begin && self.width > 0 && self.width + 1 + length > WIDTH {
                self.text.push('\n');
                self.width = 0;
            }
            if self.width > 0 {
                self.text.push(' ');
                self.width += 1;
            }
            self.text.push_str(word);
            self.width += length;
        }
    }
}
