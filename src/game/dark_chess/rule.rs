//! The rules that an illegal action can break, in words.

use std::fmt::{self, Display};

use super::notation::Square;
use super::pieces::{Color, Kind, Piece};

/// The rule that an action breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Rule {
    /// No action is legal once the game is over.
    #[error("the game is over")]
    GameOver,
    /// A flip of an empty square.
    #[error("{0} is empty: there is no piece to turn up")]
    NothingToFlip(Square),
    /// A flip of a face-up piece.
    #[error(
        "the {piece} on {0} is face-up already: to move it, write {0}-, then the square it goes to",
        piece = Named(*.1)
    )]
    AlreadyUp(Square, Piece),
    /// A move from an empty square.
    #[error("{0} is empty: there is no piece to move")]
    NothingToMove(Square),
    /// A move of a face-down piece.
    #[error("the piece on {0} is face-down: only a face-up piece moves")]
    MovesFaceDown(Square),
    /// A move of a piece of the opponent's colour.
    #[error("the {} on {from} is your opponent's: you play {yours}", Named(*piece))]
    NotYours {
        from: Square,
        piece: Piece,
        yours: Color,
    },
    /// A move to the square where the piece stands.
    #[error("a piece does not move to the square it stands on: to turn one up, write {0} alone")]
    Nowhere(Square),
    /// A piece other than a Cannon goes further than one square, or not straight.
    #[error(
        "the {kind} on {from} goes one square up, down, left or right: {to} is not such a square"
    )]
    NotBeside {
        from: Square,
        to: Square,
        kind: Kind,
    },
    /// A capture of one's own face-up piece.
    #[error("your own {piece} stands on {0}: only enemy pieces are captured", piece = Named(*.1))]
    OwnPiece(Square, Piece),
    /// A face-down piece captured by another piece than a Cannon.
    #[error(
        "the piece on {to} is face-down: only a Cannon captures it, {} does not",
        Article(*kind)
    )]
    TakesFaceDown { to: Square, kind: Kind },
    /// A face-down piece captured, where no piece captures one.
    #[error("the piece on {0} is face-down: under the reading ntu no piece captures it")]
    FaceDownIsSafe(Square),
    /// A capture that the ranks do not allow.
    #[error(
        "{} does not capture {} (here on {to}): {}",
        Article(*taker), Article(*prey), ranks(*taker, *prey)
    )]
    Outranked { taker: Kind, to: Square, prey: Kind },
    /// A Cannon goes to an empty square.
    #[error("the Cannon on {from} moves only by capturing: {to} is empty")]
    CannonStep { from: Square, to: Square },
    /// A Cannon goes to an empty square that is not beside it.
    #[error(
        "the Cannon on {from} goes one square, or jumps over one piece to capture: {to} is empty \
         and not beside it"
    )]
    CannonFar { from: Square, to: Square },
    /// A Cannon jumps out of its row and column.
    #[error("the Cannon on {from} captures along its row or column: {to} is on neither")]
    CannonLine { from: Square, to: Square },
    /// A Cannon jumps over no piece, or over more than one.
    #[error(
        "the Cannon on {from} jumps over exactly one piece to capture: {} between it and {to}",
        screens_between(*screens)
    )]
    CannonScreens {
        from: Square,
        to: Square,
        screens: u32,
    },
    /// An action reveals a piece, but the public result names none.
    #[error("this shows the piece on {0}, and which one is not said")]
    NotShown(Square),
    /// The public result names a piece, but the action reveals none.
    #[error("this shows no piece, and {} is said to be shown", Named(*.0))]
    ShowsNothing(Piece),
    /// The public result names a piece whose copies have all been seen.
    #[error("no {} is left that could be face-down", Named(*.0))]
    AllSeen(Piece),
}

/// Why `taker` does not capture `prey`.
fn ranks(taker: Kind, prey: Kind) -> &'static str {
    match (taker, prey) {
        (Kind::General, Kind::General) => "the option general-takes-general is no",
        (Kind::General, Kind::Soldier) => "the option general-takes-soldier is no",
        (Kind::Soldier, Kind::Cannon) => "every piece but a Soldier captures a Cannon",
        _ => "only pieces of equal or lower rank are captured",
    }
}

/// Number of pieces between a Cannon and its target, with the verb.
fn screens_between(screens: u32) -> String {
    match screens {
        0 => "none stands".to_owned(),
        _ => format!("{screens} stand"),
    }
}

/// `red Horse`.
struct Named(Piece);

impl Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0.color, self.0.kind)
    }
}

/// `a Horse`, `an Advisor`.
struct Article(Kind);

impl Display for Article {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let article = match self.0 {
            Kind::Advisor => "an",
            _ => "a",
        };
        write!(f, "{article} {}", self.0)
    }
}
