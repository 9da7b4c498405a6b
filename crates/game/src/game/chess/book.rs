//! Books of openings: positions as EPD, and the first moves of games as PGN.

use super::movetext::{Action, Movetext, PgnGame};
use super::options::{self, Options};
use super::state::State;
use super::{fen, san};
use crate::game::{BookOpening, BookProblem, BookReader, Chance, GameOptions, Position};

/// Nothing here is left to chance.
pub(super) struct NoChance;

impl Chance for NoChance {
    fn below(&mut self, _bound: u32) -> u32 {
        0
    }
}

/// A book of positions, one a line: a FEN, or its first four fields and operations. The counters `hmvc` and `fmvn` are read.
pub(super) struct Positions;

impl BookReader for Positions {
    fn read(
        &mut self,
        line: Option<(usize, &str)>,
        openings: &mut Vec<Result<BookOpening, BookProblem>>,
    ) -> Result<(), BookProblem> {
        let is_opening = |text: &str| !text.trim().is_empty() && !text.starts_with('#');
        let Some((number, text)) = line.filter(|(_, text)| is_opening(text)) else {
            return Ok(());
        };
        let fields: Vec<&str> = text.split_whitespace().collect();
        let is_number = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
        let counter = |at: usize, operation: &str| {
            let field = fields.get(at).copied().filter(is_number);
            let mut words = fields[4..].windows(2);
            let mut named = || words.find(|two| two[0] == operation).map(|two| two[1]);
            field.or_else(|| {
                named()
                    .map(|value| value.trim_end_matches(';'))
                    .filter(is_number)
            })
        };
        // The start is checked and brought into its one spelling like one in a line of any file.
        let fields = match fields.len() {
            4.. => {
                let counters = [
                    counter(4, "hmvc").unwrap_or("0"),
                    counter(5, "fmvn").unwrap_or("1"),
                ];
                [&fields[..4], &counters].concat()
            }
            _ => fields,
        };
        openings.push(Ok(BookOpening {
            line: number,
            words: format!("{}={}", options::START, fields.join("_")),
        }));
        Ok(())
    }
}

/// The setting of the start by a FEN, in its one spelling.
fn start_word(text: &str) -> Result<String, String> {
    let start = fen::one_word(&fen::read(text)?);
    Ok(format!("{}={start}", options::START))
}

/// A book of the first moves of games.
pub(super) struct PgnBook<'a> {
    of: &'a Options,
    movetext: Movetext,
}

impl<'a> PgnBook<'a> {
    /// A reader of at most `most` moves of each game.
    pub(super) fn new(of: &'a Options, most: usize) -> Self {
        Self {
            of,
            movetext: Movetext::new(most),
        }
    }
}

impl BookReader for PgnBook<'_> {
    fn read(
        &mut self,
        line: Option<(usize, &str)>,
        openings: &mut Vec<Result<BookOpening, BookProblem>>,
    ) -> Result<(), BookProblem> {
        let games = match line {
            Some((number, text)) => {
                self.movetext.line(number, text)?;
                self.movetext.take_games_before_the_last()
            }
            None => self.movetext.take_all_games()?,
        };
        openings.extend(games.iter().map(|game| opening(self.of, game)));
        Ok(())
    }
}

fn opening(of: &Options, game: &PgnGame) -> Result<BookOpening, BookProblem> {
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
        let action = action.or_else(|| token.parse().ok());
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
