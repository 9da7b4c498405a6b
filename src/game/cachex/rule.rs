//! The rules that an illegal action can break.

use std::fmt::{self, Display};

use super::super::{Game, Seat};
use super::notation::Cell;

/// The rule that an illegal action breaks. `Display` tells the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The game is over.
    Over,
    /// The cell is on larger boards only.
    OffBoard {
        /// Where the stone was to go.
        cell: Cell,
        /// The size of this game's board.
        size: u8,
    },
    /// The cell has a stone.
    Taken {
        /// Where the stone was to go.
        cell: Cell,
        /// Whose stone is there.
        by: Seat,
    },
    /// The first stone may not go in the centre.
    Centre {
        /// The centre.
        cell: Cell,
    },
    /// Only Blue may steal, and only on the second turn.
    Steal {
        /// The turn on which it was tried, counted from 1.
        turn: u16,
    },
}

impl Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Over => f.write_str("the game is over: no action follows"),
            Self::OffBoard { cell, size } => {
                let last = char::from(b'a' + size - 1);
                write!(
                    f,
                    "{cell} is off the board: at size {size} columns are a to {last} and rows 1 to {size}"
                )
            }
            Self::Taken { cell, by } => {
                let colour = Game::Cachex.seat_name(by);
                write!(
                    f,
                    "{cell} is taken by a {colour} stone: a stone goes on an empty cell"
                )
            }
            Self::Centre { cell } => write!(
                f,
                "{cell} is the centre of the board: the first stone of a game may not go there"
            ),
            Self::Steal { turn } => write!(
                f,
                "steal is for blue's first action only, on turn 2: this is turn {turn}"
            ),
        }
    }
}
