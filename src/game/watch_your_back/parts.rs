//! Positions set up by hand.

use super::board::ZONES;
use super::{Board, Options, PLACING_PLIES, SHRINKS_AFTER, Square, State};

/// Upper bound on the ply of a position set up by hand, equal to the largest limit on plies.
const LAST_PLY: u32 = 1_000_000;

impl State {
    /// A position set up by hand, after `ply` plies: `letters` is the board as
    /// [`board`](crate::game::View::board) writes it, with the shrinks that are due by then.
    ///
    /// Any number of pieces may stand on any squares open to pieces. A game ends only by an action, so
    /// a position set up here is never over.
    ///
    /// # Errors
    /// Letters that are not a board at this ply, or a board without room for the placements to come.
    pub fn from_parts(options: Options, letters: &str, ply: u32) -> Result<Self, PartsError> {
        if ply > LAST_PLY {
            return Err(PartsError::Ply);
        }
        if letters.chars().count() != 64 {
            return Err(PartsError::Length);
        }
        let moves = ply.saturating_sub(PLACING_PLIES);
        let shrinks = SHRINKS_AFTER
            .iter()
            .filter(|after| **after <= moves)
            .count();
        let set = |wanted: char| {
            Square::all()
                .zip(letters.chars())
                .filter(|(_, letter)| *letter == wanted)
                .fold(0, |set, (square, _)| set | square.bit())
        };
        let board = Board::new([set('W'), set('B')], shrinks as u8);
        for (square, letter) in Square::all().zip(letters.chars()) {
            let expected = board.letter(square);
            if letter != expected {
                return Err(PartsError::Letter { square, expected });
            }
        }
        let to_place = PLACING_PLIES.saturating_sub(ply);
        if ZONES
            .iter()
            .any(|zone| (zone & board.empty()).count_ones() < to_place)
        {
            return Err(PartsError::NoRoom);
        }
        Ok(Self {
            board,
            ply,
            ..Self::new(options)
        })
    }
}

/// Why a position cannot be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum PartsError {
    /// The board does not have 64 letters.
    #[error("a board is 64 letters, row by row from the top")]
    Length,
    /// A letter that cannot be on this square.
    #[error("{square} without a piece is {expected} at this ply")]
    Letter { square: Square, expected: char },
    /// A ply past every limit.
    #[error("a position is at most {LAST_PLY} plies into a game")]
    Ply,
    /// A starting zone too full for the pieces that are still to be placed.
    #[error("a starting zone is too full for the placements to come")]
    NoRoom,
}
