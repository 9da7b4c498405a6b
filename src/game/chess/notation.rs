//! Moves as text, and the seats.

use std::fmt;
use std::str::FromStr;

use cozy_chess::{Color, File, Move, Piece, Rank, Square};

use crate::game::{ParseError, Side};

/// The seats, White first.
pub(super) const SEATS: &[&str] = &["white", "black"];

/// The seat of a colour.
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
