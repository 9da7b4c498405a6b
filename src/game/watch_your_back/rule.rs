//! Why an action is illegal, in words for the player.

use std::fmt;

use super::super::{Game, Seat};
use super::{Action, Square};

/// The rule that an illegal action breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// An action after the end.
    GameOver,
    /// A move in the placing phase.
    MoveInPlacing,
    /// A pass in the placing phase.
    PassInPlacing,
    /// A placement in the moving phase.
    PlaceInMoving,
    /// A placement on, or a move to, a corner.
    Corner {
        /// The corner.
        square: Square,
    },
    /// A placement outside one's starting zone.
    Zone {
        /// Who placed.
        seat: Seat,
        /// Where.
        square: Square,
    },
    /// A placement on, or a move to, a square where a piece stands.
    Taken {
        /// The square.
        square: Square,
        /// Whose piece stands there.
        by: Seat,
    },
    /// A move from or to a square that a shrink has removed.
    Removed {
        /// The square.
        square: Square,
    },
    /// A move from a square where no piece stands.
    NoPiece {
        /// Who moved.
        seat: Seat,
        /// The square.
        square: Square,
    },
    /// A move of the opponent's piece.
    NotYours {
        /// Who moved.
        seat: Seat,
        /// Where the opponent's piece stands.
        square: Square,
    },
    /// A move that is neither a step nor a jump.
    TooFar {
        /// Where it starts.
        from: Square,
        /// Where it ends.
        to: Square,
    },
    /// A jump over an empty square.
    NothingToJump {
        /// Where it starts.
        from: Square,
        /// Where it ends.
        to: Square,
        /// The empty square.
        over: Square,
    },
    /// A pass though a piece can move.
    MustMove {
        /// A move there is.
        possible: Action,
    },
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |seat| Game::WatchYourBack.seat_name(seat);
        match *self {
            Self::GameOver => f.write_str("the game is over"),
            Self::MoveInPlacing => f.write_str(
                "nothing moves in the placing phase, the first 24 plies: place a piece instead",
            ),
            Self::PassInPlacing => {
                f.write_str("nobody passes in the placing phase, the first 24 plies: place a piece")
            }
            Self::PlaceInMoving => f.write_str(
                "nothing is placed in the moving phase, after the first 24 plies: move a piece instead",
            ),
            Self::Corner { square } => {
                write!(f, "{square} is a corner: no piece can stand there")
            }
            Self::Zone { seat, square } => {
                let rows = match seat {
                    Seat::First => "0 to 5",
                    Seat::Second => "2 to 7",
                };
                let name = name(seat);
                write!(
                    f,
                    "{square} is outside {name}'s starting zone: {name} places in rows {rows}"
                )
            }
            Self::Taken { square, by } => write!(
                f,
                "{square} is taken by a {} piece: a piece goes to an empty square",
                name(by)
            ),
            Self::Removed { square } => {
                write!(f, "{square} is no longer on the board: a shrink removed it")
            }
            Self::NoPiece { seat, square } => write!(
                f,
                "no piece stands on {square}: a move starts from a {} piece",
                name(seat)
            ),
            Self::NotYours { seat, square } => write!(
                f,
                "the piece on {square} is {}: a move starts from a {} piece",
                name(seat.other()),
                name(seat)
            ),
            Self::TooFar { from, to } => write!(
                f,
                "{to} is out of reach from {from}: a piece steps to the next square, \
                 or jumps over one piece to the square behind it, along its row or column"
            ),
            Self::NothingToJump { from, to, over } => write!(
                f,
                "{from}-{to} jumps over {over}, which is empty: a jump goes over a piece"
            ),
            Self::MustMove { possible } => write!(
                f,
                "a pass is legal only when no piece can move, and {possible} is possible"
            ),
        }
    }
}
