//! Why an action is illegal, in words for the player.

use super::board::Square;
use super::names::SEATS;
use super::notation::Action;
use crate::game::Side;

/// The rule that an illegal action breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Rule {
    /// An action after the end of the game.
    #[error("the game is over")]
    GameOver,
    /// A move in the placing phase.
    #[error("nothing moves in the placing phase, the first 24 plies: place a piece instead")]
    MoveInPlacing,
    /// A pass in the placing phase.
    #[error("nobody passes in the placing phase, the first 24 plies: place a piece")]
    PassInPlacing,
    /// A placement in the moving phase.
    #[error(
        "nothing is placed in the moving phase, after the first 24 plies: move a piece instead"
    )]
    PlaceInMoving,
    /// A placement on, or a move to, a corner.
    #[error("{square} is a corner: no piece can stand there")]
    Corner { square: Square },
    /// A placement outside the seat's starting zone.
    #[error(
        "{square} is outside {name}'s starting zone: {name} places in rows {}",
        placing_rows(*seat),
        name = name(*seat)
    )]
    Zone { seat: Side, square: Square },
    /// A placement on, or a move to, a square where a piece stands.
    #[error("{square} is taken by a {} piece: a piece goes to an empty square", name(*by))]
    Taken { square: Square, by: Side },
    /// A move from or to a square that a shrink has removed.
    #[error("{square} is no longer on the board: a shrink removed it")]
    Removed { square: Square },
    /// A move from a square where no piece stands.
    #[error("no piece stands on {square}: a move starts from a {} piece", name(*seat))]
    NoPiece { seat: Side, square: Square },
    /// A move of the opponent's piece.
    #[error("the piece on {square} is {}: a move starts from a {} piece", name(seat.other()), name(*seat))]
    NotYours { seat: Side, square: Square },
    /// A move that is neither a step nor a jump.
    #[error(
        "{to} is out of reach from {from}: a piece steps to the next square, \
         or jumps over one piece to the square behind it, along its row or column"
    )]
    TooFar { from: Square, to: Square },
    /// A jump over an empty square.
    #[error("{from}-{to} jumps over {over}, which is empty: a jump goes over a piece")]
    NothingToJump {
        from: Square,
        to: Square,
        over: Square,
    },
    /// A pass although a piece can move.
    #[error("a pass is legal only when no piece can move, and {possible} is possible")]
    MustMove { possible: Action },
}

fn name(seat: Side) -> &'static str {
    SEATS[seat.index()]
}

fn placing_rows(seat: Side) -> &'static str {
    match seat {
        Side::First => "0 to 5",
        Side::Second => "2 to 7",
    }
}
