//! Watch Your Back!: place twelve pieces, then move; a piece between two enemies is eliminated,
//! and the board shrinks twice. `docs/rules/watch-your-back.md` gives the rules.

mod board;
mod notation;
mod state;

pub use board::{Board, Direction, Square};
pub use notation::{Action, Removed};
pub use state::{PLACING_PLIES, Public, SHRINKS_AFTER, State};

use crate::game::{
    AnyPosition, Chance, Colour, Definition, Game, GameOptions, Limit, OptionDoc, OptionError,
    Origin, Piece, Reason, ReasonInfo, RulesFault, Shape, Side, Values,
};

pub const GAME: Game = Game(&Definition {
    name: "watch-your-back",
    seats: SEATS,
    hides_something: false,
    options: Options::DOCS,
    defaults: &Options::DEFAULT,
    reasons: &[
        AFTER_PLACING,
        ELIMINATION,
        SHRINK_128,
        SHRINK_192,
        MAX_PLIES,
    ],
    origin: Origin::BuiltIn,
    notation: None,
});

impl GameOptions for Options {
    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        match key {
            "max-plies" => self.max_plies = Limit::parse(value)?,
            _ => return Err(OptionError::unknown(Self::DOCS)),
        }
        Ok(())
    }

    fn get(&self, key: &str) -> Option<String> {
        match key {
            "max-plies" => Some(self.max_plies.to_string()),
            _ => None,
        }
    }

    fn goal(&self) -> &'static str {
        "Take pieces by enclosing them. From the end of the placing on, a side with fewer than two pieces has lost."
    }

    fn start(&self, _chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault> {
        Ok(Box::new(State::new(*self)))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(*self)
    }
}

const PIECES: &[Piece] = &[
    Piece::new('-', Shape::None, Colour::None, "", "empty"),
    Piece::new('W', Shape::Disc, Colour::White, "", "white"),
    Piece::new('B', Shape::Disc, Colour::Black, "", "black"),
    Piece::new('X', Shape::Block, Colour::Brown, "×", "corner"),
    Piece::new('#', Shape::Gap, Colour::None, "", "removed"),
];

const SEATS: &[&str] = &["white", "black"];

/// Fewer than two pieces at the end of the placing phase.
pub const AFTER_PLACING: Reason = Reason(&ReasonInfo::rule("after_placing"));
/// Fewer than two pieces after a move.
pub const ELIMINATION: Reason = Reason(&ReasonInfo::rule("elimination"));
/// Fewer than two pieces after the first shrink.
pub const SHRINK_128: Reason = Reason(&ReasonInfo::rule("shrink128"));
/// Fewer than two pieces after the second shrink.
pub const SHRINK_192: Reason = Reason(&ReasonInfo::rule("shrink192"));
/// Ours: the game reached its greatest number of plies.
pub const MAX_PLIES: Reason = Reason(&ReasonInfo::ours("max_plies"));

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The ply after which an undecided game is a draw.
    pub max_plies: Limit,
}

impl Options {
    pub const DOCS: &'static [OptionDoc] = &[OptionDoc {
        key: "max-plies",
        values: Values::Text(Limit::VALUES),
        default: "600",
        meaning: "a game that is undecided after this many plies, placing included, is a draw",
        secret: false,
    }];

    const DEFAULT: Self = Self {
        max_plies: Limit(Some(600)),
    };
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Rule {
    #[error("the game is over")]
    GameOver,
    #[error("nothing moves in the placing phase, the first 24 plies: place a piece instead")]
    MoveInPlacing,
    #[error("nobody passes in the placing phase, the first 24 plies: place a piece")]
    PassInPlacing,
    #[error(
        "nothing is placed in the moving phase, after the first 24 plies: move a piece instead"
    )]
    PlaceInMoving,
    #[error("{square} is a corner: no piece can stand there")]
    Corner { square: Square },
    #[error(
        "{square} is outside {name}'s starting zone: {name} places in rows {}",
        placing_rows(*seat),
        name = name(*seat)
    )]
    Zone { seat: Side, square: Square },
    #[error("{square} is taken by a {} piece: a piece goes to an empty square", name(*by))]
    Taken { square: Square, by: Side },
    #[error("{square} is no longer on the board: a shrink removed it")]
    Removed { square: Square },
    #[error("no piece stands on {square}: a move starts from a {} piece", name(*seat))]
    NoPiece { seat: Side, square: Square },
    #[error("the piece on {square} is {}: a move starts from a {} piece", name(seat.other()), name(*seat))]
    NotYours { seat: Side, square: Square },
    #[error(
        "{to} is out of reach from {from}: a piece steps to the next square, \
         or jumps over one piece to the square behind it, along its row or column"
    )]
    TooFar { from: Square, to: Square },
    #[error("{from}-{to} jumps over {over}, which is empty: a jump goes over a piece")]
    NothingToJump {
        from: Square,
        to: Square,
        over: Square,
    },
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
