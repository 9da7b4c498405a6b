//! The games of a PGN file: the tag FEN, and the moves as they are written.

use std::fmt;
use std::str::FromStr;

use cozy_chess::{Color, File, Move, Piece, Rank, Square};

use crate::game::{BookProblem, ParseError, Side};

#[derive(Debug, Default)]
pub(super) struct PgnGame {
    pub line: usize,
    pub fen: Option<(usize, String)>,
    /// The first moves, each with its line.
    pub moves: Vec<(usize, String)>,
    /// Whether a move or a result was read.
    has_begun: bool,
    is_over: bool,
}

/// Reads games line by line. Comments, variations and marks are skipped.
#[derive(Default)]
pub(super) struct Movetext {
    /// The number of moves that are kept of each game.
    most: usize,
    games: Vec<PgnGame>,
    /// The line on which the open comment in braces begins.
    comment: Option<usize>,
    /// Variations that are open, and the line on which the outermost of them begins.
    depth: usize,
    variation: usize,
}

impl Movetext {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            ..Self::default()
        }
    }

    /// The games that have ended, as another one has begun.
    pub(super) fn take_games_before_the_last(&mut self) -> Vec<PgnGame> {
        let last = self.games.len().saturating_sub(1);
        self.games.drain(..last).collect()
    }

    /// The games that are left at the end of the file.
    pub(super) fn take_all_games(&mut self) -> Result<Vec<PgnGame>, BookProblem> {
        self.refuse_open_comment()?;
        if self.depth > 0 {
            return Err(BookProblem {
                line: self.variation,
                problem: "has a variation without an end: expected `)`".to_owned(),
            });
        }
        Ok(std::mem::take(&mut self.games))
    }

    fn refuse_open_comment(&self) -> Result<(), BookProblem> {
        let problem = |line| BookProblem {
            line,
            problem: "has a comment without an end: expected `}` before the next game".to_owned(),
        };
        self.comment.map_or(Ok(()), |line| Err(problem(line)))
    }

    pub(super) fn line(&mut self, line: usize, text: &str) -> Result<(), BookProblem> {
        if text.starts_with('%') {
            return Ok(());
        }
        let mut rest = text.trim();
        // A game begins here, so a comment or variation that is still open has no end.
        if rest.starts_with("[Event \"") {
            self.refuse_open_comment()?;
            self.depth = 0;
        }
        if self.comment.is_none() && self.depth == 0 && rest.starts_with('[') {
            self.tag(line, rest);
            return Ok(());
        }
        while let Some(first) = rest.chars().next() {
            if self.comment.is_some() {
                let Some((_, after)) = rest.split_once('}') else {
                    return Ok(());
                };
                self.comment = None;
                rest = after;
                continue;
            }
            match first {
                ';' => return Ok(()),
                '{' => self.comment = Some(line),
                '(' => {
                    if self.depth == 0 {
                        self.variation = line;
                    }
                    self.depth += 1;
                }
                ')' => self.depth = self.depth.saturating_sub(1),
                _ if first.is_whitespace() => {}
                _ => {
                    let is_end = |it: char| it.is_whitespace() || "{}();".contains(it);
                    // A brace that closes nothing is a token of its own.
                    let end = rest
                        .find(is_end)
                        .unwrap_or(rest.len())
                        .max(first.len_utf8());
                    let end = end + length_of_promotion(&rest[end..]);
                    let (token, after) = rest.split_at(end);
                    if self.depth == 0 {
                        self.token(line, token);
                    }
                    rest = after;
                    continue;
                }
            }
            rest = &rest[first.len_utf8()..];
        }
        Ok(())
    }

    /// A line such as `[FEN "…"]`. After moves it begins a game.
    fn tag(&mut self, line: usize, text: &str) {
        if self.games.last().is_none_or(|game| game.has_begun) {
            self.begin(line);
        }
        let value = text.strip_prefix("[FEN ").and_then(|rest| {
            let (_, rest) = rest.split_once('"')?;
            rest.split_once('"').map(|(value, _)| value)
        });
        if let (Some(value), Some(game)) = (value, self.games.last_mut()) {
            game.fen = Some((line, value.to_owned()));
        }
    }

    fn begin(&mut self, line: usize) -> usize {
        self.games.push(PgnGame {
            line,
            ..PgnGame::default()
        });
        self.games.len() - 1
    }

    fn token(&mut self, line: usize, token: &str) {
        let most = self.most;
        let is_result = ["1-0", "0-1", "1/2-1/2", "*"].contains(&token);
        let number = token.trim_start_matches(|it: char| it.is_ascii_digit());
        // `1.e4`, `1...` and a bare number; `0-0` is a move.
        let written = match number.trim_start_matches('.') {
            rest if number.is_empty() || rest.len() < number.len() => rest,
            _ => token,
        };
        // A remark on a pawn's capture in passing.
        let written = written.strip_suffix("e.p.").unwrap_or(written);
        let is_move = !is_result && !written.is_empty() && !written.starts_with('$');
        let game = match self.games.last_mut().filter(|game| !game.is_over) {
            Some(_) => self.games.len() - 1,
            None => self.begin(line),
        };
        let game = &mut self.games[game];
        game.has_begun = true;
        game.is_over = is_result;
        if is_move
            && game.moves.len() < most
            && (written.starts_with(|it: char| it.is_alphanumeric()) || written == "--")
        {
            game.moves.push((line, written.to_owned()));
        }
    }
}

/// The length of a promotion in parentheses after its square, as in `a8(Q)`, or 0.
fn length_of_promotion(rest: &str) -> usize {
    match rest.as_bytes() {
        [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..] => 3,
        _ => 0,
    }
}

pub(super) const SEATS: &[&str] = &["white", "black"];

pub(super) fn seat(color: Color) -> Side {
    Side::BOTH[color as usize]
}

/// A move as UCI writes it: the squares of a piece before and after, and the letter of a promotion. In standard chess
/// castling is the king's move by two squares; in Fischer random chess the king takes its own rook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Action(pub Move);

/// The pieces that a pawn can become, with their letters.
const PROMOTIONS: [(u8, Piece); 4] = [
    (b'q', Piece::Queen),
    (b'r', Piece::Rook),
    (b'b', Piece::Bishop),
    (b'n', Piece::Knight),
];

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Action {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (squares, promotion) = match text.as_bytes() {
            [from @ .., letter] if from.len() == 4 => (from, Some(*letter)),
            squares => (squares, None),
        };
        let &[a, b, c, d] = squares else {
            return Err(ParseError::Malformed);
        };
        let promotion = promotion.map(|letter| {
            let piece = PROMOTIONS.iter().find(|(known, _)| *known == letter);
            piece.map(|(_, piece)| *piece).ok_or(ParseError::Malformed)
        });
        let promotion = promotion.transpose()?;
        let (from, to) = (square(a, b)?, square(c, d)?);
        let (from, to) = from.zip(to).ok_or(ParseError::OffBoard)?;
        Ok(Self(Move {
            from,
            to,
            promotion,
        }))
    }
}

/// A square; `None` for a letter and a digit that no chess board has.
fn square(column: u8, row: u8) -> Result<Option<Square>, ParseError> {
    if !column.is_ascii_lowercase() || !row.is_ascii_digit() {
        return Err(ParseError::Malformed);
    }
    let file = File::try_index(usize::from(column - b'a'));
    let rank = usize::from(row - b'0')
        .checked_sub(1)
        .and_then(Rank::try_index);
    Ok(file.zip(rank).map(|(file, rank)| Square::new(file, rank)))
}

/// Nothing becomes public but the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Public;

impl fmt::Display for Public {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl FromStr for Public {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "" => Ok(Self),
            _ => Err(ParseError::Malformed),
        }
    }
}
