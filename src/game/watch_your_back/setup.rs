//! Positions set up by hand.

use std::error::Error;
use std::fmt;

use super::board::ZONES;
use super::{Board, Options, PLACING_PLIES, SHRINKS_AFTER, Square, State};

/// The greatest ply a position can be set up at: also the greatest limit on plies.
const LAST_PLY: u32 = 1_000_000;

impl State {
    /// A position set up by hand, after `ply` plies: `letters` is the board as
    /// [`board`](crate::game::View::board) writes it, shrunk as far as it is by then.
    ///
    /// Any pieces may stand anywhere that a piece can stand, more than twelve of a colour too. The
    /// end of the game is looked at after an action, so a position set up here is never over.
    pub fn from_parts(options: Options, letters: &str, ply: u32) -> Result<Self, SetupError> {
        if ply > LAST_PLY {
            return Err(SetupError::Ply);
        }
        if letters.chars().count() != 64 {
            return Err(SetupError::Length);
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
                return Err(SetupError::Letter { square, expected });
            }
        }
        let to_place = PLACING_PLIES.saturating_sub(ply);
        if ZONES
            .iter()
            .any(|zone| (zone & board.empty()).count_ones() < to_place)
        {
            return Err(SetupError::NoRoom);
        }
        Ok(Self {
            board,
            ply,
            ..Self::new(options)
        })
    }
}

/// Why a position cannot be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupError {
    /// The board has not 64 letters.
    Length,
    /// A letter that cannot be on this square.
    Letter {
        /// The square.
        square: Square,
        /// What is there if no piece is.
        expected: char,
    },
    /// A ply past every limit.
    Ply,
    /// A starting zone too full for the pieces that are still to be placed.
    NoRoom,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => f.write_str("a board is 64 letters, row by row from the top"),
            Self::Letter { square, expected } => {
                write!(f, "{square} without a piece is {expected} at this ply")
            }
            Self::NoRoom => f.write_str("a starting zone is too full for the placements to come"),
            Self::Ply => write!(f, "a position is at most {LAST_PLY} plies into a game"),
        }
    }
}

impl Error for SetupError {}
