//! The rules that an illegal action can break, in words.

use std::fmt::{self, Display};

use super::notation::Square;
use super::pieces::{Color, Kind, Piece};

/// The rule that an action breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// No action is legal once the game is over.
    GameOver,
    /// A flip of an empty square.
    NothingToFlip(Square),
    /// A flip of a face-up piece.
    AlreadyUp(Square, Piece),
    /// A move from an empty square.
    NothingToMove(Square),
    /// A move of a face-down piece.
    MovesFaceDown(Square),
    /// A move of a piece of the opponent's colour.
    NotYours {
        /// Where it stands.
        from: Square,
        /// The piece.
        piece: Piece,
        /// The colour of the seat to act.
        yours: Color,
    },
    /// A move to the square where the piece stands.
    Nowhere(Square),
    /// A piece other than a Cannon goes further than one square, or not straight.
    NotBeside {
        /// Where it stands.
        from: Square,
        /// Where it was to go.
        to: Square,
        /// The piece.
        kind: Kind,
    },
    /// A capture of one's own face-up piece.
    OwnPiece(Square, Piece),
    /// A face-down piece captured by another piece than a Cannon.
    TakesFaceDown {
        /// Where the face-down piece lies.
        to: Square,
        /// The piece that was to capture it.
        kind: Kind,
    },
    /// A capture that the ranks do not allow.
    Outranked {
        /// The piece that was to capture.
        taker: Kind,
        /// Where the other piece stands.
        to: Square,
        /// The other piece.
        prey: Kind,
    },
    /// A Cannon goes to an empty square.
    CannonStep {
        /// Where it stands.
        from: Square,
        /// Where it was to go.
        to: Square,
    },
    /// A Cannon jumps out of its row and column.
    CannonLine {
        /// Where it stands.
        from: Square,
        /// Where it was to go.
        to: Square,
    },
    /// A Cannon jumps over no piece, or over more than one.
    CannonScreens {
        /// Where it stands.
        from: Square,
        /// Where it was to go.
        to: Square,
        /// How many pieces stand between.
        screens: u32,
    },
    /// An action that shows a piece, without word of which.
    NotShown(Square),
    /// A piece said to be shown by an action that shows none.
    ShowsNothing(Piece),
    /// A piece said to be shown, all of whose kind have been seen.
    AllSeen(Piece),
}

impl Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Rule::GameOver => f.write_str("the game is over"),
            Rule::NothingToFlip(square) => {
                write!(f, "{square} is empty: there is no piece to turn up")
            }
            Rule::AlreadyUp(square, piece) => write!(
                f,
                "the {} on {square} is face-up already: to move it, write {square}-, then the \
                 square it goes to",
                Named(piece)
            ),
            Rule::NothingToMove(from) => write!(f, "{from} is empty: there is no piece to move"),
            Rule::MovesFaceDown(from) => write!(
                f,
                "the piece on {from} is face-down: only a face-up piece moves"
            ),
            Rule::NotYours { from, piece, yours } => write!(
                f,
                "the {} on {from} is your opponent's: you play {yours}",
                Named(piece)
            ),
            Rule::Nowhere(square) => write!(
                f,
                "a piece does not move to the square it stands on: to turn one up, write {square} \
                 alone"
            ),
            Rule::NotBeside { from, to, kind } => write!(
                f,
                "the {kind} on {from} goes one square up, down, left or right: {to} is not such a \
                 square"
            ),
            Rule::OwnPiece(to, piece) => write!(
                f,
                "your own {} stands on {to}: only enemy pieces are captured",
                Named(piece)
            ),
            Rule::TakesFaceDown { to, kind } => write!(
                f,
                "the piece on {to} is face-down: only a Cannon captures it, {} does not",
                Article(kind)
            ),
            Rule::Outranked { taker, to, prey } => {
                write!(
                    f,
                    "{} does not capture {} (here on {to})",
                    Article(taker),
                    Article(prey)
                )?;
                match (taker, prey) {
                    (Kind::General, Kind::General) => {
                        f.write_str(": the option general-takes-general is no")
                    }
                    (Kind::General, Kind::Soldier) => {
                        f.write_str(": the option general-takes-soldier is no")
                    }
                    (Kind::Soldier, Kind::Cannon) => {
                        f.write_str(": every piece but a Soldier captures a Cannon")
                    }
                    _ => f.write_str(": only pieces of equal or lower rank are captured"),
                }
            }
            Rule::CannonStep { from, to } => write!(
                f,
                "the Cannon on {from} moves only by capturing: {to} is empty"
            ),
            Rule::CannonLine { from, to } => write!(
                f,
                "the Cannon on {from} captures along its row or column: {to} is on neither"
            ),
            Rule::CannonScreens { from, to, screens } => {
                write!(
                    f,
                    "the Cannon on {from} jumps over exactly one piece to capture: "
                )?;
                match screens {
                    0 => write!(f, "none stands between it and {to}"),
                    _ => write!(f, "{screens} stand between it and {to}"),
                }
            }
            Rule::NotShown(square) => {
                write!(
                    f,
                    "this shows the piece on {square}, and which one is not said"
                )
            }
            Rule::ShowsNothing(piece) => {
                write!(
                    f,
                    "this shows no piece, and {} is said to be shown",
                    Named(piece)
                )
            }
            Rule::AllSeen(piece) => {
                write!(f, "no {} is left that could be face-down", Named(piece))
            }
        }
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
