//! Dark chess (翻棋): all 32 pieces of Chinese chess start face-down on eight rows of four.
//!
//! [`View`] holds the public information and all rules, since the legality of an action depends on
//! nothing hidden. [`State`] adds the face-down pieces, and looks one up only when an action reveals
//! it.

mod board;
mod notation;
mod options;
mod pieces;
mod quiet;
mod view;

use std::fmt::{self, Display};

pub use board::{Board, Cell, Moves};
pub use notation::{Action, Public, Square};
use options::Reading;
pub use options::{Options, Repetition, Rules};
pub use pieces::{Color, Kind, Parts, Piece};
pub use view::{State, View, WINNING_SCORE};

use crate::game::{
    AnyPosition, Chance, Definition, Game, GameOptions, Limit, OptionError, Origin, Reason,
    ReasonInfo, RulesFault,
};

pub const GAME: Game = Game(&Definition {
    name: "dark-chess",
    seats: &["first", "second"],
    hides_something: true,
    options: Options::DOCS,
    defaults: &Options::DEFAULT,
    reasons: &[
        SCORE_60,
        ELIMINATION,
        NO_LEGAL,
        REPETITION,
        QUIET_PLIES,
        MAX_PLIES,
    ],
    origin: Origin::BuiltIn,
    notation: None,
});

impl GameOptions for Options {
    fn goal(&self) -> &'static str {
        match self.reading {
            Reading::Literal | Reading::Common => {
                "Be the first to capture pieces worth 60 points. The first piece that is turned up has the colour of the \
                 first player."
            }
            Reading::Ntu => {
                "Capture all pieces of the other side. The first piece that is turned up has the colour of the first player."
            }
        }
    }

    /// With a drawn layout the result of a flip is random, and every move depends on it.
    fn check_opening(&self, action: &str) -> Result<(), &'static str> {
        if self.layout.is_none() && action.contains('-') {
            return Err(
                "is not a flip: where the layout is drawn only flips are legal whatever is drawn",
            );
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        match key {
            "layout" => self.layout = Some(read_layout(value)?),
            "reading" => {
                self.reading = Reading::from_name(value)
                    .ok_or_else(|| OptionError::expected("literal, common or ntu"))?;
            }
            "general-takes-general" => self.general_takes_general = Some(yes_or_no(value)?),
            "general-takes-soldier" => self.general_takes_soldier = Some(yes_or_no(value)?),
            "repetitions" => self.repetition = Some(Repetition::parse(value)?),
            "quiet-plies" => self.quiet_plies = Limit::parse(value)?,
            "max-plies" => self.max_plies = Limit::parse(value)?,
            _ => return Err(OptionError::unknown(Self::DOCS)),
        }
        Ok(())
    }

    fn get(&self, key: &str) -> Option<String> {
        let yes_no = |value| if value { "yes" } else { "no" }.to_owned();
        match key {
            "layout" => self
                .layout
                .map(|layout| layout.iter().map(|piece| piece.letter()).collect()),
            "reading" => Some(self.reading.name().to_owned()),
            "general-takes-general" => Some(yes_no(self.rules().general_takes_general)),
            "general-takes-soldier" => Some(yes_no(self.rules().general_takes_soldier)),
            // `none` is left out: options and records without repetition draws stay as they were before the
            // option existed.
            "repetitions" => {
                let repetition = self.repetition();
                let named = repetition != Repetition::Allowed || self.rules().ntu;
                named.then(|| repetition.to_string())
            }
            "quiet-plies" => Some(self.quiet_plies.to_string()),
            "max-plies" => Some(self.max_plies.to_string()),
            _ => None,
        }
    }

    fn start(&self, chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault> {
        Ok(Box::new(State::new(self, chance)))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(self.clone())
    }
}

fn yes_or_no(value: &str) -> Result<bool, OptionError> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(OptionError::expected("yes or no")),
    }
}

fn read_layout(value: &str) -> Result<[Piece; 32], OptionError> {
    let pieces = value
        .chars()
        .map(|letter| {
            Piece::from_letter(letter).ok_or_else(|| {
                OptionError::expected(format!(
                    "32 letters of KGMRNCPkgmrncp from a8 to d1, and `{letter}` is none of these"
                ))
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let layout: [Piece; 32] = pieces.try_into().map_err(|pieces: Vec<_>| {
        OptionError::expected(format!(
            "32 letters from a8 to d1, and there are {}",
            pieces.len()
        ))
    })?;
    for piece in Piece::all() {
        let there = layout.iter().filter(|&&other| other == piece).count();
        let wanted = usize::from(piece.kind.count());
        if there != wanted {
            return Err(OptionError::expected(format!(
                "a layout with {wanted} of the letter {piece}, and there are {there}"
            )));
        }
    }
    Ok(layout)
}

/// A side reached 60 points.
pub const SCORE_60: Reason = Reason(&ReasonInfo::rule("score60"));
/// In the reading ntu: no piece of one side is left.
pub const ELIMINATION: Reason = Reason(&ReasonInfo::rule("elimination"));
/// The seat to act has no legal action.
pub const NO_LEGAL: Reason = Reason(&ReasonInfo::rule("no_legal"));
/// A repetition that the option `repetitions` declares a draw.
pub const REPETITION: Reason = Reason(&ReasonInfo::rule("repetition"));
/// Ours: too many plies in a row without a flip or a capture.
pub const QUIET_PLIES: Reason = Reason(&ReasonInfo::ours("quiet_plies"));
/// Ours: the game reached its greatest number of plies.
pub const MAX_PLIES: Reason = Reason(&ReasonInfo::ours("max_plies"));

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Rule {
    #[error("the game is over")]
    GameOver,
    #[error("{0} is empty: there is no piece to turn up")]
    NothingToFlip(Square),
    #[error(
        "the {piece} on {0} is face-up already: to move it, write {0}-, then the square it goes to",
        piece = Named(*.1)
    )]
    AlreadyUp(Square, Piece),
    #[error("{0} is empty: there is no piece to move")]
    NothingToMove(Square),
    #[error("the piece on {0} is face-down: only a face-up piece moves")]
    MovesFaceDown(Square),
    #[error("the {} on {from} is your opponent's: you play {yours}", Named(*piece))]
    NotYours {
        from: Square,
        piece: Piece,
        yours: Color,
    },
    #[error("a piece does not move to the square it stands on: to turn one up, write {0} alone")]
    Nowhere(Square),
    #[error(
        "the {kind} on {from} goes one square up, down, left or right: {to} is not such a square"
    )]
    NotBeside {
        from: Square,
        to: Square,
        kind: Kind,
    },
    #[error("your own {piece} stands on {0}: only enemy pieces are captured", piece = Named(*.1))]
    OwnPiece(Square, Piece),
    #[error(
        "the piece on {to} is face-down: only a Cannon captures it, {} does not",
        Article(*kind)
    )]
    TakesFaceDown { to: Square, kind: Kind },
    #[error("the piece on {0} is face-down: under the reading ntu no piece captures it")]
    FaceDownIsSafe(Square),
    #[error(
        "{} does not capture {} (here on {to}): {}",
        Article(*taker), Article(*prey), ranks(*taker, *prey)
    )]
    Outranked { taker: Kind, to: Square, prey: Kind },
    #[error("the Cannon on {from} moves only by capturing: {to} is empty")]
    CannonStep { from: Square, to: Square },
    #[error(
        "the Cannon on {from} goes one square, or jumps over one piece to capture: {to} is empty \
         and not beside it"
    )]
    CannonFar { from: Square, to: Square },
    #[error(
        "the Cannon on {from} captures along its row or column, over exactly one piece: {to} is not \
         such a square"
    )]
    CannonLine { from: Square, to: Square },
    #[error("this action cannot show what it is said to show")]
    NotShown,
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
