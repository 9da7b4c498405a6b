//! Positions set up by hand.

use super::super::Side;
use super::{Board, Color, Options, Piece, Square, State, View, WINNING_SCORE};

/// A position without its history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The piece on each square, face-up or face-down. At most five of any piece.
    pub truth: [Option<Piece>; 32],
    /// The squares whose piece is face-up: bit `i` for square `i`.
    pub face_up: u32,
    /// Who acts.
    pub turn: Side,
    /// The colour of the first seat; `None` before the first flip.
    pub first_color: Option<Color>,
    /// The points of both seats, which need not fit the pieces that are missing.
    pub score: [u32; 2],
}

/// Why a position cannot be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PartsError {
    /// More than five of a piece.
    #[error("there are more than {most} of the piece {0}", most = Board::MOST_OF_A_PIECE)]
    TooMany(Piece),
    /// An empty square is in the mask of face-up pieces.
    #[error("{0} is empty, and not face-up")]
    NothingUp(Square),
    /// No seat has a colour, though a piece is face-up, points were made, or the second seat acts.
    #[error("the seats have their colours after the first flip")]
    NoColor,
    /// A score with which the game is over already.
    #[error("the game is over with {0} points")]
    Score(u32),
}

impl State {
    /// A position from its parts, with no ply played. It may be over: the seat to act may have no
    /// action.
    ///
    /// # Errors
    /// Parts that contradict each other, or that only a finished game can have.
    pub fn from_parts(options: &Options, parts: &Parts) -> Result<Self, PartsError> {
        for piece in Piece::all() {
            let there = parts.truth.iter().filter(|&&at| at == Some(piece)).count();
            if there > Board::MOST_OF_A_PIECE {
                return Err(PartsError::TooMany(piece));
            }
        }
        let untouched = parts.face_up == 0 && parts.turn == Side::First && parts.score == [0, 0];
        if parts.first_color.is_none() && !untouched {
            return Err(PartsError::NoColor);
        }
        let wins = |&score: &u32| score >= WINNING_SCORE && !options.rules().ntu;
        if let Some(score) = parts.score.into_iter().find(wins) {
            return Err(PartsError::Score(score));
        }

        let mut board = Board::EMPTY;
        let mut hidden = [None; 32];
        for square in Square::all() {
            let face_up = parts.face_up & square.bit() != 0;
            match (parts.truth[square.index()], face_up) {
                (None, false) => {}
                (None, true) => return Err(PartsError::NothingUp(square)),
                (Some(piece), true) => board.put(square, piece),
                (Some(piece), false) => {
                    board.put_down(square, piece);
                    hidden[square.index()] = Some(piece);
                }
            }
        }
        let mut view = View {
            board,
            turn: parts.turn,
            first_color: parts.first_color,
            captured: parts.score,
            ..View::new(options)
        };
        view.outcome = view.decide();
        Ok(Self { view, hidden })
    }
}
