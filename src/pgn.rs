//! Recorded games of chess as PGN. Reading PGN is a part of `results`.
//!
//! Two tags are our own, as results need them and PGN has none: `GamePair` and `OpeningMoves`.

use std::fmt::Write as _;

use crate::game::RulesFault;
use crate::game::{ActError, AnyPosition, Game, GameResult, News, Notation, Seat};
use crate::referee::{PlayerFault, Termination};
use crate::runs::{GameRow, LoggedPly, Recording};

/// The longest line of moves.
const WIDTH: usize = 80;

/// The first position of a game without a tag `FEN`.
const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Why a game cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PgnError {
    /// The rules failed.
    #[error(transparent)]
    Rules(#[from] RulesFault),
    /// A recorded action does not fit the game.
    #[error(
        "game {id}: ply {ply} of its log, `{action}`, is no move of the game: `referee verify` says more"
    )]
    Action {
        /// Number of the game.
        id: u64,
        /// Number of the ply.
        ply: usize,
        /// The action.
        action: String,
    },
}

/// Whether games of this kind can be written.
pub fn is_writable(game: Game) -> bool {
    game.program().is_none() && game.notation() == Notation::Uci
}

/// A game in export format, and an empty line. `event` is the name of the run.
///
/// # Errors
/// The log does not fit the game.
pub fn text(event: &str, recording: &Recording) -> Result<String, PgnError> {
    let mut start = recording.start()?;
    let row = &recording.row;
    let position = start.position.as_mut();
    let fen = position.fen().unwrap_or_default();
    let result = result(row.end.result);
    let mut text = String::new();
    tags(event, recording, &fen, &mut text);
    let mut lines = Lines::default();
    moves(recording, position, &fen, &mut lines)?;
    lines.comment(&reason(row));
    lines.word(result);
    // Writing to a `String` cannot fail.
    let _ = write!(text, "\n{}\n\n", lines.0);
    Ok(text)
}

fn tags(event: &str, recording: &Recording, fen: &str, text: &mut String) {
    let row = &recording.row;
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let names = row.names();
    let (white, black) = (names[Seat::FIRST], names[Seat::SECOND]);
    tag("Event", event);
    tag("Site", "?");
    tag(
        "Date",
        &row.date.get(..10).unwrap_or("????-??-??").replace('-', "."),
    );
    tag("Round", &(row.pair + 1).to_string());
    tag("White", white);
    tag("Black", black);
    tag("Result", result(row.end.result));
    let is_fischer_random = row
        .options
        .split(' ')
        .any(|option| option == "variant=fischer-random");
    if is_fischer_random {
        tag("Variant", "Chess960");
    }
    if is_fischer_random || fen != USUAL {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    tag("PlyCount", &recording.plies.len().to_string());
    tag("Termination", termination(row.end.termination));
    if let Some(control) = time_control(recording) {
        tag("TimeControl", &control);
    }
    tag("GamePair", &row.pair.to_string());
    if !row.start.opening.is_empty() {
        tag("OpeningMoves", &row.start.opening);
    }
}

/// The budget and the increment in seconds, if both players have the same.
fn time_control(recording: &Recording) -> Option<String> {
    let times = &recording.times;
    let [first, second] = Seat::BOTH.map(|seat| (times[seat].per_game, times[seat].increment));
    let (budget, increment) = (first == second).then_some(first)?;
    let budget = budget?.as_secs_f64();
    Some(match increment.is_zero() {
        true => budget.to_string(),
        false => format!("{budget}+{}", increment.as_secs_f64()),
    })
}

/// All moves with their numbers, and with the time of each that a player chose.
fn moves(
    recording: &Recording,
    position: &mut dyn AnyPosition,
    fen: &str,
    lines: &mut Lines,
) -> Result<(), PgnError> {
    let mut fields = fen.split(' ').skip(1);
    let mut is_white = fields.next() != Some("b");
    let number = fields.last().and_then(|number| number.parse().ok());
    let mut number: u64 = number.unwrap_or(1);
    for (index, ply) in recording.plies.iter().enumerate() {
        let token = ply.word();
        let wrong = || PgnError::Action {
            id: recording.row.id,
            ply: index + 1,
            action: token.clone(),
        };
        let san = position.san(&token).ok_or_else(wrong)?;
        match position.play(&token, &mut News::default()) {
            Ok(()) => {}
            Err(ActError::Rules(fault)) => return Err(fault.into()),
            Err(ActError::Refused(_)) => return Err(wrong()),
        }
        match (is_white, index) {
            (true, _) => lines.word(&format!("{number}.")),
            (false, 0) => lines.word(&format!("{number}...")),
            (false, _) => {}
        }
        lines.word(&san);
        lines.comment(&comment(ply, recording.row.game));
        number += u64::from(!is_white);
        is_white = !is_white;
    }
    Ok(())
}

/// The comment on a move: that it belongs to the opening; or the score and depth that its bot reported, and the time
/// that it took.
fn comment(ply: &LoggedPly, game: Game) -> String {
    let action = ply.actions().next().map(|(_, action)| action);
    match action.and_then(|action| Some((action, action.spent?))) {
        None => "book".to_owned(),
        Some((action, spent)) => {
            let time = format!("{:.3}s", spent.wall.as_secs_f64());
            match action.score_and_depth(game) {
                Some(score) => format!("{score} {time}"),
                None => time,
            }
        }
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
        Termination::Handshake | Termination::Left | Termination::Unplayed => "abandoned",
    }
}

/// Why the game ended: the rule, or what the players did wrong.
fn reason(row: &GameRow) -> String {
    let faults = Seat::BOTH.into_iter().filter_map(|seat| {
        let PlayerFault { detail, .. } = row.end.faults[seat].as_ref()?;
        let name = row.names()[seat];
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
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn word(&mut self, word: &str) {
        let line = self.0.rsplit('\n').next().unwrap_or_default();
        let length = line.chars().count();
        if length > 0 {
            let fits = length + 1 + word.chars().count() <= WIDTH;
            self.0.push(if fits { ' ' } else { '\n' });
        }
        self.0.push_str(word);
    }

    /// Words in braces; nothing for no words. A brace would end them, and `%` or `;` may begin no line.
    fn comment(&mut self, words: &str) {
        if words.is_empty() {
            return;
        }
        let words = words.replace('{', "(").replace('}', ")");
        let comment = format!("{{{words}}}");
        for word in comment.split_whitespace() {
            match word.starts_with(['%', ';', '[']) {
                true => {
                    self.0.push(' ');
                    self.0.push_str(word);
                }
                false => self.word(word),
            }
        }
    }
}
