//! The rules that an illegal action can break.

use super::names::SEATS;
use super::notation::Cell;
use crate::game::Side;

/// The rule that an illegal action breaks. `Display` tells the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Rule {
    /// The game is over.
    #[error("the game is over: no action follows")]
    Over,
    /// The cell is on larger boards only.
    #[error(
        "{cell} is off the board: at size {size} columns are a to {} and rows 1 to {size}",
        char::from(b'a' + size - 1)
    )]
    OffBoard { cell: Cell, size: u8 },
    /// The cell has a stone.
    #[error(
        "{cell} is taken by a {} stone: a stone goes on an empty cell",
        SEATS[by.index()]
    )]
    Taken { cell: Cell, by: Side },
    /// The first stone may not go in the centre.
    #[error("{cell} is the centre of the board: the first stone of a game may not go there")]
    Centre { cell: Cell },
    /// Only Blue may steal, and only on the second turn.
    #[error("steal is for blue's first action only, on turn 2: this is turn {turn}")]
    Steal { turn: u16 },
}
