//! Books of openings: positions as EPD, and the first moves of games as PGN.

use super::movetext::{self, PgnGame};
use super::notation::Action;
use super::options::Options;
use super::san;
use super::state::State;
use super::{fen, options};
use crate::game::{BookOpening, BookProblem, Chance, GameOptions, Position};

/// Nothing here is left to chance.
struct NoChance;

impl Chance for NoChance {
    fn below(&mut self, _bound: u32) -> u32 {
        0
    }
}

/// The positions of a book, one a line: a FEN, or its first four fields and operations, which are not read.
pub(super) fn positions(text: &str) -> Result<Vec<BookOpening>, BookProblem> {
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(line, text)| {
            let fields: Vec<&str> = text.split_whitespace().collect();
            let is_counter = |at: usize| {
                let field = fields.get(at);
                field.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
            };
            let count = if is_counter(4) && is_counter(5) { 6 } else { 4 };
            let fields = &fields[..count.min(fields.len())];
            Ok(BookOpening {
                line,
                words: start_word(&fields.join(" ")).map_err(|problem| BookProblem {
                    line,
                    problem: format!("is no position: {problem}"),
                })?,
            })
        })
        .collect()
}

/// The setting of the start by a FEN, in its one spelling.
fn start_word(text: &str) -> Result<String, fen::FenError> {
    let start = fen::one_word(&fen::read(text)?);
    Ok(format!("{}={start}", options::START))
}

/// The first moves of the games of a book, at most `most` of each.
pub(super) fn games(
    of: &Options,
    text: &str,
    most: usize,
) -> Result<Vec<BookOpening>, BookProblem> {
    let games = movetext::games(text, most);
    games.iter().map(|game| opening(of, game)).collect()
}

fn opening(of: &Options, game: &PgnGame<'_>) -> Result<BookOpening, BookProblem> {
    let bad = |line, problem: String| BookProblem { line, problem };
    let (mut options, mut words) = (of.clone(), Vec::new());
    if let Some((line, text)) = &game.fen {
        let no_start = |problem: String| bad(*line, format!("has a FEN that is none: {problem}"));
        words.push(start_word(text).map_err(|problem| no_start(problem.to_string()))?);
        let set = options.set(options::START, text);
        set.map_err(|problem| no_start(problem.to_string()))?;
    } else if options.is_drawn() {
        return Err(bad(
            game.line,
            "has no FEN, and the start is drawn: expected the tag FEN in each game".to_owned(),
        ));
    }
    let mut state = State::new(&options, &mut NoChance);
    for (line, token) in &game.moves {
        let played = san::read(state.pieces(), token);
        let action = played.map(|played| state.action_of(played));
        let action: Option<Action> = action.filter(|action| state.apply(*action).is_ok());
        let action = action.ok_or_else(|| {
            bad(
                *line,
                format!("has a move `{token}` that is not legal there"),
            )
        })?;
        words.push(action.to_string());
    }
    Ok(BookOpening {
        line: game.line,
        words: words.join(" "),
    })
}
